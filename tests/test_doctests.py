"""Every example in a docstring is what happens."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def with_examples() -> list[str]:
    """The dotted names of the modules of bot/ and rules/ that show an example."""
    files = sorted([*ROOT.glob("bot/**/*.py"), *ROOT.glob("rules/**/*.py")])
    return [
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for file in files
        if ">>> " in file.read_text(encoding="utf-8")
    ]


@pytest.mark.parametrize("module", with_examples())
def test_the_examples_in_the_docstrings_hold(module: str) -> None:
    """Each example that the file writes is run, and gives what stands below it."""
    loaded = importlib.import_module(module)
    written = Path(str(loaded.__file__)).read_text(encoding="utf-8").count(">>> ")
    result = doctest.testmod(loaded)
    assert result.failed == 0
    assert result.attempted == written, "an example stands where no docstring is, so nobody runs it"
