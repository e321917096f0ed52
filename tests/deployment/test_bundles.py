"""Scripts and style sheets, joined with what they import."""

import re
import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.storage import FileSystemStorage

from config.bundles import BundledStorage, BundleError, join_script, join_style


def joined(join, **files):
    """Join ``a`` with others; their names have two underscores for a slash."""
    names = {name.replace("__", "/"): text for name, text in files.items()}
    return join("a", names.__getitem__)


def flat(text):
    return re.sub(r"\s+", " ", text).strip()


def test_a_module_is_joined_with_those_that_it_imports():
    text = joined(
        join_script,
        a='import { one as first } from "./b";\nimport * as c from "./c";\nfirst(c.two);\n',
        b="export function one() {}\n",
        c="export const two = 2;\n",
    )
    assert flat(text) == (
        "const module0 = (() => { function one() {} return { one }; })(); "
        "const module1 = (() => { const two = 2; return { two }; })(); "
        "const module2 = (() => { const { one: first } = module0; const c = module1; "
        "first(c.two); return { }; })();"
    )


def test_a_module_that_two_import_runs_once_and_first():
    text = joined(
        join_script,
        a='import "./b";\nimport "./folder/c";\n',
        b='import { d } from "./folder/d";\n',
        folder__c='import { d } from "./d";\n',
        folder__d="export const d = 4;\n",
    )
    assert text.count("const d = 4;") == 1
    assert text.startswith("const module0 = (() => {\nconst d = 4;")


def test_comments_on_lines_of_their_own_are_left_out():
    text = joined(
        join_script,
        a='/* A\n   subject. */\n\nimport { b } from "./b";\nb("/* kept */"); // kept\n',
        b="/** What it does. */\nexport function b() {\n  // why\n  return 1; /* kept */\n}\n",
    )
    assert flat(text) == (
        "const module0 = (() => { function b() { return 1; /* kept */ } return { b }; })(); "
        'const module1 = (() => { const { b } = module0; b("/* kept */"); // kept return { }; })();'
    )


@pytest.mark.parametrize("line", ["// no comment", "  /* none\n either */"])
def test_a_comment_in_a_template_literal_is_an_error(line):
    with pytest.raises(BundleError, match="a line in a template literal looks like a comment"):
        joined(join_script, a=f'import "./b";\n// A comment.\nconst c = `\n{line}\n`;\n', b="")


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let x = 1;",
        'import x from "./b";',
        'import { x } from "elsewhere";',
        'const x = await import("./b");',
    ],
)
def test_what_is_not_understood_is_an_error(line):
    with pytest.raises(BundleError, match="is not understood"):
        joined(join_script, a=f"{line}\n", b="")


def test_modules_in_a_circle_are_an_error():
    with pytest.raises(BundleError, match="a imports b imports a: a circle"):
        joined(join_script, a='import "./b";', b='import "./a";')


def test_a_sheet_is_joined_in_its_layers_with_addresses_that_still_lead_there():
    text = joined(
        join_style,
        a='@layer x, y;\n@import url("f/b") layer(x);\n@import url("c") layer(y) print;\n',
        f__b='p { background: url("../g/h.svg"); }\n',
        c="a { color: red; }\n",
    )
    assert flat(text) == (
        '@layer x, y; @layer x { p { background: url("g/h.svg"); } } '
        "@media print { @layer y { a { color: red; } } }"
    )


ROOTS = [Path(folder) for folder in settings.STATICFILES_DIRS]
SCRIPTS = [(root, path) for root in ROOTS for path in root.glob("*/*.js")]


@pytest.mark.parametrize(("root", "path"), SCRIPTS, ids=lambda path: path.name)
def test_every_script_of_the_site_and_its_games_can_be_joined(root, path):
    def read(name):
        # A game's script may import one of the site.
        files = (folder / name for folder in ROOTS)
        return next(file for file in files if file.exists()).read_text()

    text = join_script(path.relative_to(root).as_posix(), read)
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)


def test_collected_files_are_joined_under_names_with_their_hash(tmp_path, settings):
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    (source / "a.js").write_text('import { b } from "./b.js";\nb();\n')
    (source / "b.js").write_text("export const b = () => {};\n")
    (source / "a.css").write_text('@import url("b.css") layer(base);\n')
    (source / "b.css").write_text("a { color: red; }\n")
    settings.STATICFILES_DIRS = [source]
    shutil.copytree(source, target)
    own = FileSystemStorage(location=source)
    storage = BundledStorage(location=target, base_url="/static/")
    paths = {file.name: (own, file.name) for file in source.iterdir()}
    assert not [done for *_, done in storage.post_process(paths) if isinstance(done, Exception)]
    assert re.fullmatch(r"a\.[0-9a-f]{12}\.js", storage.stored_name("a.js"))
    assert "import" not in (target / storage.stored_name("a.js")).read_text()
    assert "color: red" in (target / storage.stored_name("a.css")).read_text()
