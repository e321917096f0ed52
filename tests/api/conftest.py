"""The plugin that ``test_schema.py`` needs, loaded with it alone.

``pyproject.toml`` switches it off: to import it takes as long as all else that pytest begins with.
"""

from pathlib import Path

import pytest


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> None:
    if module_path.name == "test_schema.py":
        parent.config.pluginmanager.import_plugin("schemathesis.pytest.plugin")
