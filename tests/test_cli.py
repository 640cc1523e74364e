"""Commands: what they print, where complaints go, and every exit status."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot import cli
from bot.catalog import load

TESTS = Path(__file__).parent
SMALL = str(TESTS / "worlds" / "small")
WORLD = ["--knowledge", SMALL]
DATED = [*WORLD, "--as-of", "2026-11-30"]
FOUR_A100 = "cheapest for 72h on 4×A100"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command as the program does, away from any .env file: status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*argv: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = cli.run(argv)
        out, err = capsys.readouterr()
        return status, out, err

    return call


# ---------------------------------------------------------------- ask


def test_the_answer_stands_on_the_first_line(run: Run) -> None:
    """1.50 × 4 × 72 = 432.00; + 4 % = 449.28."""
    status, out, err = run("ask", FOUR_A100, *DATED)
    assert (status, err) == (0, "")
    assert out.splitlines()[0].startswith("Corrievane is cheapest: $449.28 for 72 h on 4 × A100")


def test_words_need_no_quotes(run: Run) -> None:
    """The question may be typed as separate words."""
    typed = run("ask", *FOUR_A100.split(), *DATED)
    assert typed[0] == 0
    assert typed == run("ask", FOUR_A100, *DATED)


def test_the_language_of_the_answer_is_the_questions_unless_asked_for(run: Run) -> None:
    """A Chinese question gets a Chinese answer; --lang decides otherwise."""
    assert run("ask", "4张A100跑72小时哪家最便宜", *DATED)[1].startswith("岭风最便宜")
    assert run("ask", "4张A100跑72小时哪家最便宜", "--lang", "en", *DATED)[1].startswith("Corrievane is cheapest")
    status, out, _ = run("ask", FOUR_A100, "--lang", "zh", *DATED)
    assert out.startswith("岭风最便宜：4 张 A100 80 GB PCIe 用 72 小时共 $449.28 (¥3,234.82)")  # × 7.2
    assert status == 0


def test_a_currency_is_shown_beside_usd(run: Run) -> None:
    """449.28 ÷ 1.08 = 416.00 EUR exactly."""
    status, out, _ = run("ask", FOUR_A100, "--currency", "eur", "--json", *DATED)
    assert json.loads(out)["quotes"][0]["total_shown"] == {"amount": 416, "currency": "EUR"}
    assert status == 0


@pytest.mark.parametrize(
    ("text", "status", "kind"),
    [
        (FOUR_A100, 0, "answered"),
        ("what can you do?", 0, "answered"),
        ("how much for a GPU?", 2, "clarify"),
        ("cheapest H100Z for 3 days", 2, "clarify"),
        ("thanks!", 2, "unsupported"),
        ("cheapest A100 in Japan for 3 hours", 3, "no_match"),
    ],
)
def test_the_exit_status_says_what_became_of_the_question(run: Run, text: str, status: int, kind: str) -> None:
    """A script need not read the text."""
    for lang in ("en", "zh"):
        got, out, _ = run("ask", text, "--json", "--lang", lang, *DATED)
        assert (got, json.loads(out)["status"]) == (status, kind)


def test_an_unknown_model_is_never_priced(run: Run) -> None:
    """The word is named, the nearest models are offered, no amount appears."""
    _, out, _ = run("ask", "cheapest H100Z for 3 days", "--json", *DATED)
    answer = json.loads(out)
    assert "H100Z" in answer["unread"]
    assert "cheapest H100 for 3 days" in answer["ask"]["answers"]
    assert answer["quotes"] == []
    assert "$" not in out


def test_the_same_question_gives_the_same_bytes(run: Run) -> None:
    """Answers can be compared and stored."""
    first = run("ask", FOUR_A100, "--json", *DATED)
    assert first[0] == 0
    assert first == run("ask", FOUR_A100, "--json", *DATED)


def test_explain_shows_the_arithmetic_and_all_shows_every_row(run: Run) -> None:
    """Details on demand."""
    short = run("ask", "cheapest A100 or H100 for 10 hours", *DATED)[1]
    assert "more row" in short
    assert "How it was computed" not in short
    whole = run("ask", "cheapest A100 or H100 for 10 hours", "--all", "--explain", *DATED)[1]
    assert "more row" not in whole
    assert "How it was computed" in whole


def test_a_batch_answers_every_line_in_order(run: Run) -> None:
    """One object a line; the status is 0 whatever the answers are."""
    lines = [FOUR_A100, "", "thanks!", '["8卡A100跑10小时哪家便宜", "换成4卡呢"]']
    status, out, err = run("ask", "--batch", *DATED, stdin="\n".join(lines).encode())
    answers = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert [one["status"] for one in answers][:3] == ["answered", "unsupported", "unsupported"]
    assert answers[3]["question"]["gpus"] == [{"model": "A100", "count": 4}]


# ---------------------------------------------------------------- parse


def test_a_message_becomes_one_object(run: Run) -> None:
    """Slots that the text states, nothing else."""
    status, out, _ = run("parse", "--json", "cheapest for 72h on 4×A100", *WORLD)
    assert status == 0
    assert json.loads(out) == {"intent": "cheapest", "lang": "en", "gpus": [{"model": "A100", "count": 4}], "hours": 72}


def test_a_batch_has_one_object_for_every_line(run: Run) -> None:
    """Empty lines, broken JSON, bytes that are no UTF-8, a last line without its end: each gets its object."""
    stdin = (
        b'\xef\xbb\xbfcheapest 4xA100\r\n\n["8xA100 for a week", "make it H100"]\n[not json\n[1, 2]\n[[[[\n\xff\xfe\nL4'
    )
    status, out, err = run("parse", "--json", "--batch", *WORLD, stdin=stdin)
    objects = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert len(objects) == 8
    assert objects[0]["gpus"] == [{"model": "A100", "count": 4}]
    assert objects[2]["gpus"] == [{"model": "H100", "count": 8}]
    assert objects[7]["gpus"] == [{"model": "L4"}]


def test_one_broken_line_does_not_cost_the_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is named, the rest is answered, the status tells."""
    from bot import ask

    real = ask.parse

    def parse(text: str, catalog: Any) -> Any:
        if text == "boom":
            raise RuntimeError
        return real(text, catalog)

    monkeypatch.setattr(ask, "parse", parse)
    status, out, err = run("parse", "--json", "--batch", *WORLD, stdin=b"boom\nL4\n")
    objects = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (1, "gpu-bot: line 1 could not be answered\n")
    assert "error" in objects[0]
    assert objects[1]["gpus"] == [{"model": "L4"}]


def test_explain_says_which_words_a_slot_came_from(run: Run) -> None:
    """The reading can be followed, in the words as they are read: × and x are one sign."""
    out = run("parse", "--explain", FOUR_A100, *WORLD)[1]
    assert "From the words:" in out
    assert "4 x A100" in out.split("From the words:")[1]


# ---------------------------------------------------------------- cost


def test_the_worked_example(run: Run) -> None:
    """3.20 × 4 × 72 = 921.60; 500 × 0.05 = 25.00; together 946.60."""
    figures = "cost --rate 3.2 --gpus 4 --hours 72 --transfer-gb 500 --transfer-rate 0.05".split()
    status, out, _ = run(*figures)
    assert status == 0
    assert [line.split()[1] for line in out.splitlines()] == ["$921.60", "$25.00", "$946.60"]
    report = json.loads(run(*figures, "--json")[1])
    assert [line["amount_usd"] for line in report["lines"]] == [921.6, 25]
    assert report["total"] == report["total_usd"] == 946.6


def test_whole_machines_storage_and_fees(run: Run) -> None:
    """2 × 8 GPUs × 1.5 × 73 h = 1752; 100 GB × 0.1 × 73/730 = 1; 4 % of 1753 = 70.12; + 10 = 1833.12."""
    status, out, _ = run(
        *"cost --rate 1.5 --gpus 9 --gpus-per-machine 8 --hours 73 --storage-gb 100 --storage-rate 0.1".split(),
        *"--fee-percent 4 --fee 10 --json".split(),
    )
    report = json.loads(out)
    assert status == 0
    assert [line["amount"] for line in report["lines"]] == [1752, 1, 70.12, 10]
    assert (report["machines"], report["idle_gpus"], report["total"]) == (2, 7, 1833.12)


def test_a_price_per_machine(run: Run) -> None:
    """9.92 a machine-hour, one machine of 8 for 4 GPUs, 72 h: 714.24."""
    out = run(*"cost --rate 9.92 --per machine-hour --gpus-per-machine 8 --gpus 4 --hours 72 --json".split())[1]
    assert json.loads(out)["total"] == 714.24


def test_currencies_are_mixed_only_with_a_dated_rate(run: Run) -> None:
    """500 × 0.36 CNY = 180 CNY ÷ 7.2 = 25.00 USD; a currency without a rate is refused."""
    figures = "cost --rate 3.2 --gpus 4 --hours 72 --transfer-gb 500 --transfer-rate 0.36 --transfer-currency".split()
    report = json.loads(run(*figures, "CNY", "--json", *DATED)[1])
    assert report["total"] == 946.6
    assert report["rates"][0]["pair"] == "USD/CNY"
    status, out, err = run(*figures, "XXX", *DATED)
    assert (status, out) == (2, "")
    assert err == (
        "gpu-bot: XXX and USD cannot be added: no exchange rate is in force on 2026-11-30; add one to currencies.yaml\n"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        "--rate -1 --gpus 2 --hours 3",
        "--rate 1e5 --gpus 2 --hours 3",
        "--rate 1 --gpus 2.5 --hours 3",
        "--rate 1 --gpus 0 --hours 3",
        "--rate 1 --gpus 2 --hours many",
        "--rate 1 --gpus 2 --hours 3 --transfer-gb 5",
        "--rate 1 --gpus 2 --hours 3 --per machine-hour",
        "--rate 1 --gpus 2 --hours 3 --per day",
        "--rate 1 --gpus 2 --hours 3 --currency EURO",
        "--rate 1 --gpus 2",
    ],
)
def test_figures_that_cannot_be_used_get_one_sentence(run: Run, wrong: str) -> None:
    """Status 2, nothing on standard output, no traceback."""
    status, out, err = run("cost", *wrong.split())
    assert (status, out) == (2, "")
    assert "Traceback" not in err
    assert err.strip()


# ---------------------------------------------------------------- check, cases, kb


def test_a_sound_folder_passes_and_strict_counts_warnings(run: Run) -> None:
    """Time passing makes prices stale, which must fail only where that was asked for."""
    status, out, _ = run("check", SMALL, "--as-of", "2026-11-30")
    assert status == 0
    assert "0 errors" in out.splitlines()[-1]
    assert any(line.split()[:3] == ["alderwick", "H100", "2/2"] for line in out.splitlines())
    assert run("check", SMALL, "--as-of", "2026-11-30", "--strict")[0] == 1


def test_a_broken_folder_is_named_with_file_and_line(run: Run, tmp_path: Path) -> None:
    """Every mistake has its place; asking from such a folder is refused."""
    (tmp_path / "world" / "providers").mkdir(parents=True)
    file = tmp_path / "world" / "providers" / "bad.yaml"
    file.write_text("id: bad\nname: {en: Bad, zh: 坏}\nkind: nonsense\n", encoding="utf-8")
    status, out, _ = run("check", str(tmp_path / "world"))
    assert status == 1
    assert "providers/bad.yaml:3" in out
    status, out, err = run("ask", "cheapest A100", "--knowledge", str(tmp_path / "world"))
    assert (status, out) == (2, "")
    assert "providers/bad.yaml:3" in err


def test_check_prints_errors_after_warnings() -> None:
    """A terminal shows the end: what must be mended stands right above the counts."""
    from bot.render.reports import check_lines
    from rules.model import Place, Problem

    problems = [Problem(level, Place("a.yaml", n), "odd", "mend it") for n, level in enumerate(["error", "warning"], 1)]
    lines = list(check_lines({"priced": [], "errors": 1, "warnings": 1}, problems, "en"))
    assert [line.split()[0] for line in lines[:2]] == ["warning", "error"]
    assert len(lines) == 3


def test_the_rules_own_examples_are_asked(run: Run, tmp_path: Path) -> None:
    """A rule that is silent on its own example is an error."""
    shutil.copytree(SMALL, tmp_path / "world")
    rule = (Path(SMALL) / "guidance" / "small.yaml").read_text(encoding="utf-8")
    wrong = rule.replace("fires_on: cheapest spot 8xA100 for 72h", "fires_on: cheapest spot 8xA100 for 5h")
    assert wrong != rule
    (tmp_path / "world" / "guidance" / "small.yaml").write_text(wrong, encoding="utf-8")
    status, out, _ = run("check", str(tmp_path / "world"), "--as-of", "2026-11-30")
    assert status == 1
    assert "small-spot-unsaved" in out


def test_check_prints_json(run: Run) -> None:
    """A program reads the same findings."""
    report = json.loads(run("check", SMALL, "--json", "--as-of", "2026-11-30")[1])
    assert report["errors"] == 0
    assert {"provider": "elmsgate", "gpu": "L4", "offers": 1, "priced": 0}.items() <= next(
        row for row in report["priced"] if (row["provider"], row["gpu"]) == ("elmsgate", "L4")
    ).items()


def test_cases_pass_and_fail_by_status(run: Run, tmp_path: Path) -> None:
    """All pass: 0; one that expects something else: 1, with what differs."""
    cases = tmp_path / "one.yaml"
    text = "- {name: n, ask: cheapest L4 for 1 hour, as_of: 2026-11-30, expect: {quotes: [{total_usd: 0.57}]}}\n"
    cases.write_text(text, encoding="utf-8")  # 0.55 + 4 % = 0.572
    assert run("cases", str(cases), *WORLD)[:2] == (0, "1 of 1 case passed (1 question)\n")
    cases.write_text(text.replace("0.57", "0.58"), encoding="utf-8")
    status, out, _ = run("cases", str(cases), *WORLD)
    assert status == 1
    assert f"FAILED {cases}:1: n" in out
    assert "quotes[1].total_usd: expected 0.58, got 0.57" in out


@pytest.mark.parametrize("kind", ["providers", "gpus", "scenarios", "rules", "sources"])
def test_every_kind_can_be_listed(run: Run, kind: str) -> None:
    """As a table in both languages, and as JSON."""
    status, out, _ = run("kb", "list", kind, *WORLD)
    assert (status, bool(out.strip())) == (0, True)
    assert run("kb", "list", kind, "--lang", "zh", *WORLD)[0] == 0
    assert isinstance(json.loads(run("kb", "list", kind, "--json", *WORLD)[1]), list)


def test_an_entry_is_shown_and_a_misspelt_one_gets_the_nearest(run: Run) -> None:
    """Providers, offers, GPUs, rules and sources share one command."""
    for name in ("alderwick", "alderwick-h100-x8", "H100", "small-spot-unsaved", "alderwick/price-page"):
        status, out, _ = run("kb", "show", name, *WORLD)
        assert (status, name.rpartition("/")[2] in out) == (0, True)
    status, _, err = run("kb", "show", "alderwik", *WORLD)
    assert (status, err) == (2, "gpu-bot: nothing is known as “alderwik”; did you mean alderwick?\n")


def test_what_is_due_is_listed_longest_overdue_first(run: Run) -> None:
    """Corrievane's oldest listing was seen on 10 May: 204 days, 10 allowed."""
    rows = json.loads(run("kb", "stale", "--json", *DATED)[1])
    assert [(row["provider"], row["source"], row["age_days"], row["recheck_days"]) for row in rows] == [
        ("corrievane", "listings", 204, 10)
    ]


# ---------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["ask"], "there is no question"),
        (["ask", "--batch", "text"], "--batch reads questions from standard input"),
        (["ask", "x", "--as-of", "2026-13-01"], "“2026-13-01” is not a date"),
        (["ask", "x", "--as-of", "20261130"], "“20261130” is not a date"),
        (["ask", "x", "--lang", "fr"], "“fr” is not a language spoken here"),
        (["ask", "x", "--knowledge", "/nowhere"], "/nowhere is not a folder"),
        (["ask", "x", "--currency", "EURO"], "--currency EURO is not a currency"),
        (["ask", "x", "--bogus"], "--bogus"),
        (["cases", "/nowhere.yaml"], "/nowhere.yaml: there is no such file"),
        (["kb", "list", "nonsense"], "“nonsense” cannot be listed"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_input_gets_a_sentence_and_status_2(run: Run, argv: list[str], sentence: str) -> None:
    """On standard error, without a traceback."""
    status, out, err = run(*argv)
    assert (status, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err


def test_complaints_are_chinese_when_chinese_is_asked_for(run: Run) -> None:
    """--lang holds for what goes wrong, too."""
    assert run("ask", "x", "--lang", "zh", "--as-of", "never")[2].startswith("gpu-bot: “never”不是日期")


def test_a_mistake_of_our_own_is_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """No traceback unless it is asked for."""
    from bot import ask

    def broken(text: str, catalog: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(ask, "parse", broken)
    status, out, err = run("ask", "x", *WORLD)
    assert (status, out) == (1, "")
    assert err == ("gpu-bot: something went wrong here (ZeroDivisionError); GPU_BOT_LOG_LEVEL=debug shows where\n")
    monkeypatch.setenv("GPU_BOT_LOG_LEVEL", "debug")
    assert "Traceback" in run("ask", "x", *WORLD)[2]


@pytest.mark.parametrize(
    ("argv", "library", "extra"),
    [
        (["serve"], "slack_bolt", "serve"),
        (["serve", "--check"], "sqlalchemy", "serve"),
        (["backup", "copy.db"], "sqlalchemy", "serve"),
        (["restore", "copy.db"], "sqlalchemy", "serve"),
        (["migrate"], "sqlalchemy", "serve"),
        (["replay", "3f9a0c12b7de"], "sqlalchemy", "serve"),
        (["prices", "import", "prices.csv", "--as", "skypilot", "--seen", "2026-11-28"], "sqlalchemy", "serve"),
        (["prices", "refresh"], "sqlalchemy", "serve"),
        (["hosts", "list"], "sqlalchemy", "bench"),
    ],
)
def test_a_missing_extra_is_named_with_the_command_that_brings_it(
    tmp_path: Path, argv: list[str], library: str, extra: str
) -> None:
    """The base installation answers questions; every other command says what it needs, in both languages."""
    (tmp_path / "prices.csv").write_text("InstanceType\n", encoding="utf-8")
    hidden = f"import sys; sys.modules[{library!r}] = None; from bot.cli import run; sys.exit(run(sys.argv[1:]))"
    for lang, sentence in (("en", f"this needs the extra “{extra}”: run "), ("zh", f"需要附加组件“{extra}”：")):
        done = subprocess.run(
            [sys.executable, "-c", hidden, *argv, "--lang", lang],
            cwd=tmp_path,
            env={**ENV, "GPU_BOT_HOME": str(tmp_path)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert done.stderr.startswith(f"gpu-bot: {sentence}"), done.stderr
        # The interpreter that runs, as a shell takes it: another one's pip would install beside the program.
        assert f"{shlex.quote(sys.executable)} -m pip install -e '.[{extra}]'" in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["ask", "--lng"], "没有选项 --lng，可用的有：--all、--lang"),
        (["ask", "--xyz"], "没有选项 --xyz"),
        (["nosuch"], "没有命令 nosuch"),
        (["kb", "nosuch"], "没有命令 nosuch"),
        (["cost"], "缺少选项 --rate"),
        (["cases"], "缺少参数 PATH..."),
        (["bench", "run", "a", "b"], "多余的参数：b"),
    ],
)
def test_a_command_line_that_cannot_be_read_is_said_in_the_language_asked(
    argv: list[str], sentence: str, run: Run
) -> None:
    """Status 2, how the command is used, and what is wrong, without a word of English beside what is typed."""
    command = [argv[0], "--lang", "zh", *argv[1:]] if argv[0] in ("ask", "cost") else [*argv, "--lang", "zh"]
    status, out, err = run(*command)
    assert (status, out) == (2, "")
    lines = err.splitlines()
    assert lines[0].startswith("用法：gpu-bot")
    assert lines[-1] == f"错误：{sentence}"


def test_an_option_without_its_value_is_said_in_chinese(run: Run) -> None:
    """Where the parser names no command, the sentence stands alone."""
    assert run("cost", "--lang", "zh", "--rate", "1", "--gpus") == (2, "", "错误：选项 --gpus 后面的值不对或缺失\n")


def test_the_version_is_told(run: Run) -> None:
    status, out, err = run("--version")
    assert (status, err) == (0, "")
    assert re.fullmatch(r"gpu-bot \d+\.\d+\.\d+\S*\n", out)


@pytest.mark.parametrize(
    "argv", [["kb", "show", "northwind"], ["kb", "checked", "qqqq", "x"], ["prices", "history", "FOO"]]
)
def test_nothing_is_guessed_where_nothing_is_alike(argv: list[str], run: Run) -> None:
    """A far-fetched guess is worse than the command that lists what there is."""
    status, _, err = run(*argv)
    assert status == 2
    assert "did you mean" not in err
    assert "gpu-bot kb list" in err


@pytest.mark.parametrize(
    ("text", "example"), [("hello", "cheapest 4×A100 for 72 h"), ("你好", "4张A100跑72小时哪家最便宜")]
)
def test_small_talk_gets_an_example(text: str, example: str, run: Run) -> None:
    """Whoever only greets learns how to ask."""
    status, out, _ = run("ask", text)
    assert status == 2
    assert example in out


def test_a_missing_module_of_our_own_is_a_mistake_of_our_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """No extra would bring it."""
    from bot import ask

    def broken(text: str, catalog: Any) -> Any:
        raise ModuleNotFoundError(name="bot.gone")

    monkeypatch.setattr(ask, "parse", broken)
    status, _, err = run("ask", "x", *WORLD)
    assert (status, "(ModuleNotFoundError)" in err) == (1, True)


def test_an_interruption_ends_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quietly, as a shell expects."""
    from bot import ask

    def interrupted(text: str, catalog: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(ask, "parse", interrupted)
    assert run("ask", "x", *WORLD) == (130, "", "")


def test_an_unknown_setting_is_reported_with_the_nearest(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelt name does not silently do nothing."""
    monkeypatch.setenv("GPU_BOT_OVERLAY", "x")
    status, _, err = run("ask", FOUR_A100, *DATED)
    assert (status, err) == (0, "gpu-bot: GPU_BOT_OVERLAY is not a setting; did you mean GPU_BOT_OVERLAYS?\n")


def test_readme_lists_every_command() -> None:
    """What the program can do is found without trying."""
    from typer.main import get_command

    table = (
        (TESTS.parent / "README.md").read_text(encoding="utf-8").partition("## Commands")[2].partition("| option |")[0]
    )
    group: Any = get_command(cli.app)
    names = [
        f"{name} {part}".strip()
        for name, command in group.commands.items()
        for part in (getattr(command, "commands", None) or [""])
    ]
    assert len(names) > 20
    assert [name for name in names if f"`{name}" not in table] == []


def test_settings_and_manifests_are_refused_in_the_language_asked_for(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--lang zh` holds for what cannot be used, too."""
    said = "gpu-bot: --manifest nowhere 不对，请写 socket，或应用的地址，例如 https://bot.example\n"
    assert run("serve", "--lang", "zh", "--manifest", "nowhere") == (2, "", said)
    assert run("replay", "--lang", "fr", "x")[::2] == (
        2,
        "gpu-bot: “fr” is not a language spoken here; write en or zh\n",
    )
    monkeypatch.setenv("GPU_BOT_PORT", "many")
    said = "gpu-bot: GPU_BOT_PORT 不是端口号，请写 0 到 65535 之间的数字\n"
    assert run("ask", "--lang", "zh", "x", *WORLD) == (2, "", said)


def test_every_command_has_help_with_an_example(run: Run) -> None:
    """Nobody needs the manual to start."""
    for argv in (
        ["ask"],
        ["parse"],
        ["cost"],
        ["check"],
        ["cases"],
        ["kb", "list"],
        ["kb", "show"],
        ["kb", "stale"],
        ["kb", "checked"],
    ):
        status, out, _ = run(*argv, "--help")
        assert (status, "Example:" in out) == (0, True), argv
        assert f"gpu-bot {' '.join(argv)} " in out.split("Example:")[1], argv


def test_the_examples_of_help_run_in_a_checkout(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What somebody copies from --help works: its files and ids exist. my-knowledge and facts.yaml are the reader's."""
    monkeypatch.chdir(TESTS.parent)
    commands = ("cost", "cases", "kb", "kb list", "kb show", "kb stale")
    for command in commands:
        assert cli.run([*command.split(), "--help"]) == 0
        examples = capsys.readouterr().out.split("Example:")[1].strip().splitlines()
        for line in examples:
            assert cli.run(shlex.split(line)[1:]) == 0, (line, capsys.readouterr().err)
            capsys.readouterr()
    assert cli.run(["kb", "checked", "--help"]) == 0
    catalog, _ = load(None, [])
    for line in capsys.readouterr().out.split("Example:")[1].strip().splitlines():
        provider, source = shlex.split(line)[3:5]
        assert source in catalog.providers[provider].sources, line


# ---------------------------------------------------------------- as a process

ENV = {"PATH": os.environ["PATH"], "PYTHONPATH": str(TESTS.parent), "LC_ALL": "C"}


def process(*argv: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *argv], env=ENV, capture_output=True, timeout=60, check=False, **options
    )


def test_output_is_utf8_whatever_the_locale(tmp_path: Path) -> None:
    """LC_ALL=C must not turn Chinese into question marks."""
    done = process("ask", "4张A100跑72小时哪家最便宜", *DATED, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith("岭风最便宜")


def test_arguments_that_are_no_utf8_are_survived(tmp_path: Path) -> None:
    """A wrong byte is a word that was not understood."""
    argv = [sys.executable, "-m", "bot", "parse", "--json", "--knowledge", SMALL]
    done = subprocess.run(
        [*map(str.encode, argv), b"cheapest \xff 4xA100"],
        env=ENV, capture_output=True, timeout=60, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0
    assert json.loads(done.stdout)["gpus"] == [{"model": "A100", "count": 4}]


def test_a_reader_that_goes_away_is_no_mistake(tmp_path: Path) -> None:
    """As with head: no traceback, no complaint."""
    words = [sys.executable, "-m", "bot", "parse", "--json", "--batch", "--knowledge", SMALL]
    command = f"{shlex.join(words)} | head -n 1"
    lines = b"cheapest 4xA100\n" * 3000
    done = subprocess.run(
        ["bash", "-c", command], env=ENV, input=lines, capture_output=True, timeout=60, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


def test_a_process_ends_with_the_status(tmp_path: Path) -> None:
    """The statuses reach the shell."""
    assert process("ask", "thanks!", *DATED, cwd=tmp_path).returncode == 2
    assert process("ask", "cheapest A100 in Japan for 3 hours", *DATED, cwd=tmp_path).returncode == 3
