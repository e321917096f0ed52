"""The imports and exports of the site's scripts, and of those that games bring."""

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
SCRIPTS = [*ROOT.glob("static/js/**/*.js"), *ROOT.glob("games/titles/*/static/**/*.js")]
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
IMPORT = re.compile(
    r'^import (?:\{(?P<names>[^}]*)\} from |\* as (?P<whole>\w+) from )?"(?P<path>[^"]+)"',
    re.MULTILINE,
)
EXPORT = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.MULTILINE)
TESTED = re.compile(
    r'\bm\.(\w+)|\bcall\("[^"]+", "(\w+)"|\btable\("[^"]+", "[^"]+", "(\w+)"'
    r'|const \{ ([\w, ]+) \} = await (?:import\("/|load\()'
)
"""How the tests of single modules name what they call."""


def imported(script, text):
    """Yield the file and the name of each thing that a script imports."""
    for found in IMPORT.finditer(text):
        file = (script.parent / found["path"]).resolve()
        if not file.exists():  # a game's script, which is served beside those of the site
            folder = next(one for one in script.parents if one.name == "static")
            file = ROOT / "static" / file.relative_to(folder)
        if found["whole"]:
            names = re.findall(rf"(?<![\w./]){found['whole']}\.(\w+)", text)
        else:
            names = [name.split(" as ")[0] for name in (found["names"] or "").split(",")]
        yield from ((file, name.strip()) for name in names if name.strip())


def test_scripts_import_what_exists_and_every_export_is_used():
    texts = {script: COMMENT.sub("", script.read_text()) for script in SCRIPTS}
    exported = {(script, name) for script, text in texts.items() for name in EXPORT.findall(text)}
    used = {found for script, text in texts.items() for found in imported(script, text)}
    files = [*ROOT.glob("tests/browser/*.py"), *ROOT.glob("tests/scripts/*.js")]
    tests = "".join(file.read_text() for file in files)
    tested = set(re.findall(r"\w+", " ".join(map(" ".join, TESTED.findall(tests)))))
    assert used - exported == set()
    assert {(file, name) for file, name in exported - used if name not in tested} == set()
