"""An outside ledger of facts against the knowledge: what is answered for, where, and what is missing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bot import catalog
from bot.cli import run
from bot.kb import KnowledgeError, coverage
from rules.model import Catalog

HERE = Path(__file__).parent
LEDGER = HERE / "ledger.yaml"
OUTSIDE = os.environ.get("GPU_BOT_LEDGER", "")  # read before the settings of whoever runs the tests are taken away


@pytest.fixture(scope="module")
def known() -> Catalog:
    loaded, problems = catalog.load()
    assert not catalog.errors(problems)
    return loaded


def test_each_id_names_the_entries_that_answer_for_it_and_their_place(known: Catalog) -> None:
    """The formula is the topic `cost-formula`; a repeated id counts once."""
    report = coverage(known, LEDGER)
    assert report["missing"] == []
    assert report["ids"] == 5
    formula = next(row for row in report["mapped"] if row["id"] == "s1-cost-formula")
    assert {"entry": "cost-formula", "place": "guidance/topics/cost-formula.yaml:1"} in formula["where"]


def test_an_id_without_an_entry_is_missing_with_its_line(
    known: Catalog, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The status is 1, the id and the line of the ledger are said."""
    file = tmp_path / "facts.yaml"
    file.write_text("facts:\n  - {id: s1-cost-formula}\n  - id: nobody-knows\ncontradictions: []\n", "utf-8")
    assert [row["id"] for row in coverage(known, file)["missing"]] == ["nobody-knows"]
    assert run(["kb", "coverage", str(file)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-2:] == [f"missing: nobody-knows ({file}:3)", "1 of 2 ids are answered for, 1 missing"]


def test_the_command_succeeds_when_nothing_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """A program reads the same as a person."""
    assert run(["kb", "coverage", str(LEDGER), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["missing"] == []
    assert run(["kb", "coverage", str(LEDGER), "--lang", "zh"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "共 5 个标识，已对应 5 个，缺少 0 个"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("facts: [{title: no id}]\n", "1: this entry has no `id`"),
        ("facts: {id: x}\n", "lists no facts"),
        ("- id: x\n", "lists no facts"),
        ("facts: [\n", "cannot be read as YAML"),
        ("", "lists no facts"),
    ],
)
def test_a_file_of_another_shape_is_refused_with_a_sentence(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2 and what would be right, never a traceback."""
    file = tmp_path / "facts.yaml"
    file.write_text(content, "utf-8")
    assert run(["kb", "coverage", str(file)]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_there_is_refused(known: Catalog, tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError):
        coverage(known, tmp_path / "none.yaml")


@pytest.mark.needs_ledger
def test_nothing_of_the_outside_ledger_is_missing(known: Catalog) -> None:
    report = coverage(known, Path(OUTSIDE))
    assert report["missing"] == []
    assert report["ids"] > 0
