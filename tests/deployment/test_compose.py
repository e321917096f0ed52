"""The files that describe the site on many machines."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from config.celery import app as celery_app
from config.process import COMMAND, MAIL, WEB, WORKER, session_settings
from config.settings.base import CELERY_BEAT_SCHEDULE, CELERY_TASK_ROUTES, WORK_QUEUES
from tests.deployment.programs import eventually, free_port

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = ROOT / "docker-compose.yml"
SETTINGS = ROOT / "config" / "settings" / "production.py"
UNITS = ROOT / "docs" / "systemd"
WORKERS = {f"worker-{queue}" for queue in WORK_QUEUES}
CONNECTIONS = 97
"""PostgreSQL's default limit of connections, without those reserved for superusers."""
EXPOSURE = 30
"""The most tenths of a point by which systemd may call a unit exposed."""

OURS = {"web", "metrics", *WORKERS, "receive-mail", "beat", "migrate"}
CHANNELS = {"redis-channels-1", "redis-channels-2"}
OF_LARGER_SITES = {
    "pgbouncer": "pooler",
    "replica": "replica",
    **dict.fromkeys(CHANNELS, "channels"),
}
"""Services that start only with a profile, which the manual explains."""


@pytest.fixture(scope="module")
def services():
    return yaml.safe_load(COMPOSE.read_text())["services"]


def run(*command, **variables):
    return subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", **variables},
    )


def test_compose_file_keeps_to_the_published_schema():
    checker = Path(sys.executable).parent / "check-jsonschema"
    done = run(checker, "--builtin-schema", "vendor.compose-spec", COMPOSE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_compose_reads_its_file(tmp_path):
    if not shutil.which("docker") or run("docker", "compose", "version").returncode:
        pytest.skip("docker has no compose here; the schema has been checked instead")
    shutil.copy(COMPOSE, tmp_path)
    shutil.copy(ROOT / ".env.example", tmp_path / ".env")
    file = tmp_path / COMPOSE.name
    command = ("docker", "compose", "--file", file, "config", "--quiet")
    passwords = {"POSTGRES_PASSWORD": "letters", "REDIS_PASSWORD": "digits"}
    assert run(*command, **passwords).returncode == 0
    for name in passwords:
        assert name in run(*command, **{**passwords, name: ""}).stderr


def test_services_are_the_described_ones(services):
    assert services.keys() == OURS | {"postgres", "redis"} | OF_LARGER_SITES.keys()
    for name in OURS - {"migrate"}:
        waits = services[name]["depends_on"]
        assert waits["migrate"] == {"condition": "service_completed_successfully"}
        assert waits["postgres"] == waits["redis"] == {"condition": "service_healthy"}
    assert services["migrate"]["restart"] == "no"


def test_every_lasting_service_is_asked_how_it_is(services):
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert "HEALTHCHECK" in dockerfile
    for name in (*WORKERS, "beat", "postgres", "redis", *OF_LARGER_SITES):
        assert services[name]["healthcheck"]["test"]


def test_every_queue_has_workers_of_its_own(services):
    manual = (ROOT / "docs" / "running.md").read_text()
    unit = (UNITS / "turnstone-worker@.service").read_text()
    assert "celery --quiet -A config worker --queues %i " in unit
    for queue in WORK_QUEUES:
        assert (
            f"celery --quiet -A config worker --queues {queue} "
            in services[f"worker-{queue}"]["command"]
        )
        assert f"turnstone-worker@{queue}" in manual


def test_four_web_processes_leave_connections_for_all_others(services):
    """As many as the manual starts, with workers, beat, metrics and a command by hand."""
    (pool,) = re.findall(r'"DATABASE_POOL", default=(\d+)', SETTINGS.read_text())
    commands = " ".join(services[name]["command"] for name in WORKERS)
    tasks = sum(map(int, re.findall(r"--concurrency (\d+)", commands)))
    others = tasks * WORKER.connections + 3 * COMMAND.connections + MAIL.connections
    assert 4 * int(pool) + others <= CONNECTIONS


def test_every_task_has_its_queue():
    celery_app.loader.import_default_modules()
    tasks = {name for name in celery_app.tasks if not name.startswith("celery.")}
    assert tasks == CELERY_TASK_ROUTES.keys()
    assert {entry["task"] for entry in CELERY_BEAT_SCHEDULE.values()} <= tasks


def test_only_the_site_is_reachable_and_only_from_this_machine(services):
    reached = {name for name, service in services.items() if "ports" in service}
    assert reached == {"web", "receive-mail"}
    for name in reached:
        assert all(port.startswith("127.0.0.1:") for port in services[name]["ports"])


def test_moves_by_mail_are_off_unless_asked_for(services):
    assert services["receive-mail"]["profiles"] == ["replies"]
    assert not any("profiles" in services[name] for name in OURS - {"receive-mail"})


def test_servers_of_larger_sites_are_off_unless_asked_for(services):
    manual = (ROOT / "docs" / "running.md").read_text()
    for name, profile in OF_LARGER_SITES.items():
        assert services[name]["profiles"] == [profile]
        assert f"--profile {profile} up" in manual
    # A profile that is off is not waited for.
    assert services["migrate"]["depends_on"]["pgbouncer"]["required"] is False


def test_pooler_has_the_limits_of_each_kind_of_process():
    text = (ROOT / "docs" / "pgbouncer.ini").read_text()
    databases = dict(re.findall(r"^turnstone_(\w+) = (.+)$", text, re.MULTILINE))
    kinds = {kind.kind: kind for kind in (WEB, WORKER, MAIL, COMMAND)} | {"replica_web": WEB}
    assert databases.keys() == kinds.keys()
    for name, kind in kinds.items():
        settings = "; ".join(f"SET {key}={value}" for key, value in session_settings(kind).items())
        assert f"connect_query='{settings}'" in databases[name]
    sizes = map(int, re.findall(r"host=postgres .* pool_size=(\d+)", text))
    assert sum(sizes) <= CONNECTIONS


def test_every_service_runs_with_few_rights(services):
    assert re.search(r"^USER (?!root)\w+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["pids_limit"], name
    assert services["postgres"]["user"] == "postgres"
    assert services["pgbouncer"]["user"] == services["replica"]["user"] == "postgres"
    assert all(services[name]["user"] == "redis" for name in ("redis", *CHANNELS))


def test_only_services_that_need_it_reach_the_outside():
    compose = yaml.safe_load(COMPOSE.read_text())
    networks = {name: service["networks"] for name, service in compose["services"].items()}
    assert compose["networks"]["inner"] == {"internal": True}
    assert compose["networks"].keys() == {"inner", "outer"}
    assert all("inner" in found for found in networks.values())
    reaching = {name for name, found in networks.items() if "outer" in found}
    assert {"web", "worker-mail", "receive-mail"} <= reaching
    assert not reaching & {"postgres", "redis", "metrics", "beat", "migrate"}
    assert not reaching & {"worker-thinking", "worker-extras", *OF_LARGER_SITES}
    published = {name for name, service in compose["services"].items() if "ports" in service}
    assert published <= reaching


def test_proxies_keep_readiness_to_themselves():
    manual = (ROOT / "docs" / "running.md").read_text()
    examples = re.findall(r"^```\w*\n(.+?)^```", manual, re.MULTILINE | re.DOTALL)
    proxies = [example for example in examples if "127.0.0.1:8000" in example and "{" in example]
    caddy = [example for example in proxies if example.startswith("games.example.org {")]
    nginx = [example for example in proxies if "server {\n    listen" in example]
    assert (len(caddy), len(nginx)) == (2, 1)
    assert all("    respond /readyz 404\n" in example for example in caddy)
    assert "    location = /readyz { return 404; }\n" in nginx[0]


def test_redis_answers_only_with_its_password(services, tmp_path):
    """The command of the file starts a server here, at a port of its own."""
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed")
    port, secret = free_port(), {"REDISCLI_AUTH": "letters0123"}
    shell, option, script = services["redis"]["command"]
    script = script.replace("$$", "$").replace("- ", f"- --bind 127.0.0.1 --port {port} ", 1)
    _, check = services["redis"]["healthcheck"]["test"]
    check = check.replace("redis-cli", f"redis-cli -p {port}")
    command = [shutil.which(shell), option, script]
    with subprocess.Popen(command, cwd=tmp_path, env=secret, stdout=subprocess.DEVNULL) as server:
        try:
            eventually(lambda: run("sh", "-c", check, **secret).returncode == 0)
            assert run("sh", "-c", check).returncode != 0
            assert "NOAUTH" in run("redis-cli", "-p", str(port), "get", "a").stdout
            told = Path(f"/proc/{server.pid}/cmdline").read_text()
            assert told.startswith("redis-server")
            assert secret["REDISCLI_AUTH"] not in told
        finally:
            server.terminate()


def test_no_secret_is_written_down(services):
    asked = "${POSTGRES_PASSWORD:?"
    assert services["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith(asked)
    assert f":{asked}" in services["web"]["environment"]["DATABASE_URL"]
    assert services["pgbouncer"]["environment"]["POSTGRES_PASSWORD"].startswith(asked)
    assert services["replica"]["environment"]["PGPASSWORD"].startswith(asked)
    assert services["redis"]["environment"]["REDISCLI_AUTH"].startswith("${REDIS_PASSWORD:?")
    assert ":${REDIS_PASSWORD:?" in services["web"]["environment"]["REDIS_URL"]
    for value in re.findall(r"SECRET_KEY=(\S+)", (ROOT / "Dockerfile").read_text()):
        assert value.startswith('"$(')
    example = (ROOT / ".env.example").read_text().splitlines()
    assert {"SECRET_KEY=", "POSTGRES_PASSWORD=", "REDIS_PASSWORD="} <= set(example)


def test_every_variable_is_explained():
    read = set(re.findall(r'\benv\.\w+\(\s*"([A-Z_]+)"', SETTINGS.read_text()))
    assert {"SECRET_KEY", "DATABASE_URL", "PROXIES"} <= read
    environment = (ROOT / "config" / "environment.py").read_text()
    read |= set(re.findall(r'self\.\w+\("(REPLY_[A-Z]+)"', environment))
    assert {"REPLY_DOMAIN", "REPLY_AUTHSERV", "REPLY_RELAYS"} <= read
    manual = (ROOT / "docs" / "running.md").read_text()
    assert {name for name in read if f"`{name}`" not in manual} == set()
    example = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert example - read == {"DJANGO_SETTINGS_MODULE", "POSTGRES_PASSWORD", "REDIS_PASSWORD"}


def test_image_is_given_what_it_needs_and_no_more():
    allowed = (ROOT / ".dockerignore").read_text().split()
    assert allowed[0] == "*"
    assert not any(word in name for name in allowed for word in (".env", "var", ".git", "tests/"))


@pytest.mark.parametrize(
    "unit",
    [
        *("turnstone-web@8000", "turnstone-worker@mail", "turnstone-beat"),
        *("turnstone-metrics", "turnstone-receive-mail"),
    ],
)
def test_units_are_hardly_exposed(unit, tmp_path):
    """systemd reads the files of the manual below a folder, and starts nothing."""
    if not shutil.which("systemd-analyze"):
        # `make test` does not install it: Debian's package of systemd empties /tmp.
        pytest.skip("needs systemd-analyze, of the package systemd")
    shutil.copytree(UNITS, tmp_path / "etc" / "systemd" / "system")
    done = run(
        *("systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE}"),
        *("--no-pager", f"--root={tmp_path}", f"{unit}.service"),
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_worker_that_is_stopped_may_finish_its_tasks(services):
    """Both tell only the worker itself to stop, and wait as long."""
    unit = (UNITS / "turnstone-worker@.service").read_text().splitlines()
    assert {"KillMode=mixed", "TimeoutStopSec=60"} <= set(unit)
    for name in WORKERS:
        assert services[name]["stop_grace_period"] == "1m"
        assert services[name]["command"].startswith("celery "), "no shell that gets the signal"


def test_all_units_are_in_reach_of_what_hardens_them():
    common = (UNITS / "turnstone-.service.d" / "common.conf").read_text().splitlines()
    for line in ("NoNewPrivileges=true", "CapabilityBoundingSet=", "ProtectSystem=strict"):
        assert line in common
    units = sorted(UNITS.glob("*.service"))
    assert len(units) == 5
    for unit in units:
        assert unit.name.startswith("turnstone-")
        assert "MemoryMax=" in unit.read_text()
        assert not set(common) & set(unit.read_text().splitlines()) - {"", "[Service]"}


def test_units_let_bots_lower_their_priority():
    """The last filter that names a system call decides."""
    common = (UNITS / "turnstone-.service.d" / "common.conf").read_text()
    filters = re.findall(r"^SystemCallFilter=(.+)$", common, re.MULTILINE)
    assert filters.index("~@privileged @resources") < filters.index("setpriority")


def test_every_lasting_service_of_compose_has_a_unit(services):
    """Both run the same programs; the units listen on their own machine only."""
    units = {unit.stem: unit.read_text() for unit in UNITS.glob("*.service")}
    ours = {"web": "turnstone-web@", "beat": "turnstone-beat", "metrics": "turnstone-metrics"}
    ours |= {"receive-mail": "turnstone-receive-mail"} | dict.fromkeys(WORKERS, "turnstone-worker@")
    assert ours.keys() == OURS - {"migrate"}
    assert {*ours.values()} == units.keys()
    manual = (ROOT / "docs" / "running.md").read_text()
    for name, unit in ours.items():
        program = re.match(
            r"(?:python manage.py|python -m|celery --quiet -A config) \w\S*",
            services[name]["command"],
        )
        assert program[0] in units[unit].replace("/opt/turnstone/.venv/bin/", ""), name
        assert ("--metrics " in units[unit]) is ("--metrics " in services[name]["command"]), name
        assert "--bind " not in units[unit] or "--bind 127.0.0.1 " in units[unit], name
        assert unit in manual


def test_manual_migrates_before_it_starts_the_units():
    manual = (ROOT / "docs" / "running.md").read_text()
    by_hand = manual.partition("## By hand")[2]
    assert by_hand.index("`migrate`") < by_hand.index("systemctl enable --now")
