"""Metrics for Prometheus: each web process reports its own, one process those of the site."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest

from accounts import outgoing
from config import metrics
from config.settings.base import WORK_QUEUES
from games import site_metrics
from games.matches import selectors
from games.matches.clocks import outages
from games.matches.models import Sweep
from games.matches.tasks import run_queues
from games.site_metrics import SiteCollector
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

MONITORING = Path(__file__).resolve().parents[2] / "docs" / "monitoring"


@pytest.fixture
def told(monkeypatch):
    """The metrics of the whole site, read over the connection of the test."""
    monkeypatch.setattr(site_metrics.connections, "close_all", lambda: None)

    def ask():
        registry = CollectorRegistry()
        registry.register(SiteCollector())
        return generate_latest(registry).decode()

    return ask


def value(text, sample):
    found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else None


@pytest.mark.django_db
def test_a_page_is_counted_by_its_name_and_not_by_its_address():
    labels = {"page": "player", "code": "404"}
    before = REGISTRY.get_sample_value("turnstone_requests_total", labels) or 0
    Client().get("/players/nobody/?word=c3")
    assert REGISTRY.get_sample_value("turnstone_requests_total", labels) == before + 1
    text = generate_latest(REGISTRY).decode()
    assert "nobody" not in text
    assert "c3" not in text


def test_the_site_tells_of_sweeps_mails_and_moves(match_driver, told):
    now = timezone.now()
    outages.beat(selectors.WEB, now=now - timedelta(seconds=50))
    Sweep.objects.create(name="readyz", ran=now - timedelta(days=1))
    outgoing.write(to="a@b.org", subject="s", text="t", now=now - timedelta(minutes=20))
    text = told()
    assert 50 <= value(text, 'turnstone_sweep_age_seconds{name="web"}') < 110
    assert "readyz" not in text, "nobody need ask for it"
    assert 1200 <= value(text, 'turnstone_outbox_age_seconds{kind="accounts"}') < 1260
    assert value(text, 'turnstone_outbox_waiting{kind="accounts"}') == 1
    slug = match_driver.match.title
    assert value(text, f'turnstone_moves_total{{game="{slug}"}}') == match_driver.match.version
    for part in site_metrics.PARTS:
        assert value(text, f'turnstone_up{{part="{part}"}}') == 1
    assert "a@b.org" not in text


@pytest.mark.django_db
def test_queues_are_counted(told, settings):
    run_queues.apply_async(args=(7,), queue="moves", task_id="t")
    text = told()
    for queue in WORK_QUEUES:
        assert value(text, f'turnstone_queue_length{{queue="{queue}"}}') is not None


@pytest.mark.django_db
def test_a_part_that_is_away_hides_no_other(told, monkeypatch):
    def away(now):
        raise OperationalError("away")

    monkeypatch.setitem(site_metrics.PARTS, "moves", away)
    text = told()
    assert value(text, 'turnstone_up{part="moves"}') == 0
    assert value(text, 'turnstone_up{part="outbox"}') == 1
    assert value(text, 'turnstone_outbox_waiting{kind="accounts"}') == 0


def names(told):
    """The names of all series."""
    own = {sample.name for metric in REGISTRY.collect() for sample in metric.samples}
    own |= {f"{metric.name}_total" for metric in REGISTRY.collect() if metric.type == "counter"}
    site = set(re.findall(r"^# TYPE (\S+)", told(), re.MULTILINE))
    pool = {f"turnstone_database_{name.removeprefix('pool_')}" for name in metrics.POOL}
    return own | site | pool


def used(text):
    return set(re.findall(r"turnstone_[a-z_]+", text))


@pytest.mark.django_db
def test_alarms_and_dashboard_ask_for_what_there_is(told):
    alarms = (MONITORING / "alarms.yml").read_text(encoding="utf-8")
    dashboard = (MONITORING / "dashboard.json").read_text(encoding="utf-8")
    rules = [rule for group in yaml.safe_load(alarms)["groups"] for rule in group["rules"]]
    panels = json.loads(dashboard)["panels"]
    asked = used(" ".join(rule["expr"] for rule in rules))
    asked |= used(" ".join(target["expr"] for panel in panels for target in panel["targets"]))
    assert asked
    assert asked <= names(told)
    for rule in rules:
        assert rule["annotations"]["summary"].endswith(".")
    for about in ("requests", "moves", "push_lag", "sweep_age", "outbox_age", "sockets", "queue"):
        assert any(about in name for name in asked), about


def test_the_example_for_prometheus_asks_where_the_units_tell():
    text = (MONITORING / "prometheus.yml").read_text(encoding="utf-8")
    example = yaml.safe_load(text)
    asked = {
        job["job_name"]: [target for group in job["static_configs"] for target in group["targets"]]
        for job in example["scrape_configs"]
    }
    docs = MONITORING.parent
    manual = (docs / "running.md").read_text(encoding="utf-8")
    ports = sorted(set(re.findall(r"turnstone-web@(\d{4})", manual)))
    assert asked == {
        "turnstone-web": [f"127.0.0.1:1{port}" for port in ports],
        "turnstone-site": ["127.0.0.1:9101"],
    }
    options = {
        "web@": "--metrics 1%i",
        "metrics": "--bind 127.0.0.1 --port 9101",
        "receive-mail": "--bind 127.0.0.1 --port 8025 --metrics 9102",
    }
    for unit, option in options.items():
        assert f" {option}\n" in (docs / "systemd" / f"turnstone-{unit}.service").read_text()
    compose = (docs.parent / "docker-compose.yml").read_text()
    for service, port in {"web": 9100, "metrics": 9101, "receive-mail": 9102}.items():
        assert re.search(rf"{service}(:|\], type: A, port: ){port}", text)
        assert f" {port}\n" in compose
    assert example["rule_files"] == ["alarms.yml"]
    alarms = (MONITORING / "alarms.yml").read_text(encoding="utf-8")
    assert all(name in alarms for name in asked)
