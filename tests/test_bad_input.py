"""Whatever is typed, piped or laid into a folder: one sentence, the right exit status, never a traceback.

`tests/test_load.py` holds every sentence about a knowledge folder; here the commands meet such folders.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import cli

ROOT = Path(__file__).parents[1]
SMALL = ROOT / "tests" / "worlds" / "small"
WORLD = ["--knowledge", str(SMALL), "--as-of", "2026-11-30"]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command as the program does: status, standard output, standard error; none holds a traceback."""
    monkeypatch.chdir(tmp_path)

    def call(*argv: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = cli.run(argv)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert "something went wrong" not in err
        return status, out, err

    return call


def shell(command: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """A command line in which `gpu-bot` is the program, as a person types it; the status is the program's."""
    program = f'gpu-bot() {{ {shlex.quote(sys.executable)} -m bot "$@"; }}\n'
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environ}
    script = f"set -o pipefail\n{program}{command}"
    done = subprocess.run(["bash", "-c", script], cwd=cwd, env=env, capture_output=True, timeout=60, check=False)
    assert b"Traceback" not in done.stdout + done.stderr
    return done


# ---------------------------------------------------------------- what is typed

NOTHING_TO_ANSWER = ("", "   ", "😀🚀", "\x01\x02\x7f", "a" * 10_000, "(" * 10_000, "\u0301" * 5_000, "[" * 5_000)


@pytest.mark.parametrize("text", NOTHING_TO_ANSWER, ids=lambda text: ascii(text[:6]))
def test_what_says_nothing_is_not_supported(run: Run, text: str) -> None:
    """Status 2, and what it does answer in one line; without any question, how one is asked."""
    status, out, err = run("ask", text, *WORLD)
    assert status == 2
    if text.strip():
        assert err == ""
        assert out.startswith("I compare prices of rented GPUs")
        assert out.splitlines()[1].startswith("For example: “cheapest 4×A100 for 72 h”")
    else:
        assert out == ""
        assert err.startswith("gpu-bot: there is no question; write it after the command, as gpu-bot ask cheapest")
    assert json.loads(run("ask", "--json", text, *WORLD)[1])["status"] == "unsupported"


WRAPPED = (
    "\u202echeapest\u202c for 72h on 4×A100\u200f",
    "cheapest\x01 for\x02 72h on \x1b4×A100\x7f",
    "cheapest\nfor 72h\non 4×A100\n",
    "cheapest for 72h on 4×A100 " + "😀" * 500,
    "cheapest for 72h on 4×A100 " * 400,  # 10,800 characters
    "cheapest for 72h on 4×A100 " * 4_000,  # 108,000 characters
)


@pytest.mark.parametrize("text", WRAPPED, ids=range(len(WRAPPED)))
def test_signs_around_a_question_do_not_change_its_answer(run: Run, text: str) -> None:
    """1.50 × 288 = 432.00, + 4 % = 449.28, and it takes no longer than a moment."""
    began = time.monotonic()
    status, out, _ = run("ask", "--json", text, *WORLD)
    assert time.monotonic() - began < 5
    answer = json.loads(out)
    assert (status, answer["quotes"][0]["total_usd"]) == (0, 449.28)


HUGE = "1" + "0" * 30


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        (f"cheapest 4×A100 for {HUGE} hours", "hours"),
        (f"4张A100跑{HUGE}小时哪家最便宜", "hours"),
        (f"cheapest {HUGE}×A100 for 72h", "gpus"),
        (f"cheapest 4×A100 for 72h, budget ${HUGE}", "budget"),
        (f"cheapest 4×A100 for 72h, budget ${'9' * 400}", "budget"),
        ("cheapest 4×A100 for " + "9" * 9_000 + " hours", "hours"),
    ],
    ids=range(6),
)
def test_a_number_that_nobody_means_is_left_unread_and_said(run: Run, text: str, slot: str) -> None:
    """No slot takes it, the answer goes on without it, and says so on its second line."""
    status, out, err = run("ask", "--json", text, *WORLD)
    answer = json.loads(out)
    assert (status, err, answer["status"]) == (0, "", "answered")
    assert "model_params_b" not in answer["question"]
    assert slot == "gpus" or slot not in answer["question"]
    assert all("count" not in gpu or gpu["count"] == 4 for gpu in answer["question"]["gpus"])
    assert any(set(word) & set("109") and len(word) >= 30 for word in answer["unread"])
    assert any("Not taken into account" in line or "未" in line for line in answer["also"])


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("cheapest A100 for 0 hours", "hours"),
        ("A100跑0小时多少钱", "hours"),
        ("cheapest 0×A100 for 72h", "count"),
        ("price of 0 nodes of 4xA100 for 10h", "nodes"),
    ],
)
def test_nothing_is_rented_by_the_zero(run: Run, text: str, lacks: str) -> None:
    """Zero hours or machines state no amount: there is no total of 0.00 to be read as a price."""
    status, out, _ = run("ask", "--json", text, *WORLD)
    answer = json.loads(out)
    assert status == 0
    assert lacks not in answer["question"]
    assert "count" not in answer["question"]["gpus"][0] or lacks != "count"
    assert all(quote.get("total_usd") != 0 for quote in answer["quotes"])
    assert all(quote["usd_per_hour"] > 0 for quote in answer["quotes"])


def test_minus_before_a_number_is_a_dash(run: Run) -> None:
    """A list item begins with one; nobody asks for minus four GPUs."""
    status, out, _ = run("parse", "--json", "--batch", *WORLD[:2], stdin="- 4×A100, -72h, cheapest?\n".encode())
    assert status == 0
    assert json.loads(out)["gpus"] == [{"model": "A100", "count": 4}]


@pytest.mark.parametrize(
    "text", ["nonsense", "2026-13-01", "2026-02-30", "20261130", "2026-11-30T00:00", "", "-1", "２０２６-11-30"]
)
def test_a_day_that_is_none_gets_a_sentence(run: Run, text: str) -> None:
    """The word, and what would be right."""
    status, out, err = run("ask", "cheapest A100", "--knowledge", str(SMALL), "--as-of", text)
    assert (status, out) == (2, "")
    assert err == f"gpu-bot: “{text}” is not a date; write YYYY-MM-DD, as 2026-11-30\n"


def test_the_first_and_the_last_day_are_days(run: Run) -> None:
    """Before every price nothing matches; long after them all, the last known ones are shown as such."""
    first = run("ask", "cheapest A100", "--knowledge", str(SMALL), "--as-of", "0001-01-01")
    assert first[0] == 3
    last = run("ask", "cheapest A100", "--knowledge", str(SMALL), "--as-of", "9999-12-31")
    assert last[0] == 0
    assert "last known" in last[1]


@pytest.mark.parametrize("option", ["--knowledge", "--overlay"])
def test_a_folder_that_is_none_gets_a_sentence(run: Run, tmp_path: Path, option: str) -> None:
    """Neither a missing folder nor a file is silently left out."""
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    for path in (tmp_path / "missing", file):
        status, out, err = run("ask", "cheapest A100", option, str(path))
        assert (status, out, err) == (2, "", f"gpu-bot: {path} is not a folder; name one that exists\n")


def test_a_currency_that_is_none_gets_a_sentence(run: Run) -> None:
    """Three letters alone make no currency."""
    for text in ("ZZZ", "dollars", "€", ""):
        status, out, err = run("ask", "cheapest A100", "--currency", text, *WORLD)
        assert (status, out) == (2, "")
        assert err == f"gpu-bot: --currency {text} is not a currency; write three letters, as EUR\n"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--rate", "-1"), ("--rate", "nan"), ("--rate", "1e400"), ("--rate", "9" * 60), ("--gpus", "0"),
        ("--gpus", "-4"), ("--gpus", "2.5"), ("--hours", "-72"), ("--hours", HUGE), ("--hours", "Infinity"),
        ("--transfer-gb", "-5"), ("--storage-gb", "1,000"), ("--fee", "-1"), ("--fee-percent", "x"),
        ("--gpus-per-machine", "0"), ("--per", "day"),
    ],
)  # fmt: skip
def test_figures_that_are_none_add_up_to_nothing(run: Run, option: str, value: str) -> None:
    """The option is named, nothing is printed as a total."""
    figures = {"--rate": "3.2", "--gpus": "4", "--hours": "72", option: value}
    status, out, err = run("cost", *(word for pair in figures.items() for word in pair))
    assert (status, out) == (2, "")
    assert err.startswith(f"gpu-bot: {option} {value} is not a ")
    assert err.count("\n") == 1


# ---------------------------------------------------------------- what is piped


def test_a_batch_answers_every_line_whatever_it_holds(run: Run) -> None:
    """Bytes that are no text, zero bytes, half characters, brackets without end: an object each, in order, status 0."""
    lines = [
        b"\xff\xfe\x00",
        b"\x00\x00",
        b"",
        b"[" * 50_000,
        b'["\\ud800"]',
        b"[1]",
        b"x" * 200_000,
        b"cheapest 4xA100 for 72h\r",
    ]
    status, out, err = run("parse", "--json", "--batch", *WORLD[:2], stdin=b"\n".join(lines))
    assert (status, err) == (0, "")
    objects = [json.loads(line) for line in out.splitlines()]
    assert len(objects) == len(lines)
    assert objects[-1] == {"intent": "cheapest", "lang": "en", "gpus": [{"model": "A100", "count": 4}], "hours": 72}


def test_a_byte_order_mark_before_the_first_line_is_no_word(run: Run) -> None:
    """Windows editors write one."""
    status, out, _ = run("parse", "--json", "--batch", *WORLD[:2], stdin=b"\xef\xbb\xbfcheapest L4\n")
    assert (status, json.loads(out)) == (0, {"intent": "cheapest", "lang": "en", "gpus": [{"model": "L4"}]})


def test_a_batch_of_nothing_prints_nothing(run: Run) -> None:
    assert run("ask", "--batch", *WORLD, stdin=b"") == (0, "", "")


def test_closed_streams_are_no_failure(tmp_path: Path) -> None:
    """Without standard output the answer is dropped; without standard input a batch says so."""
    world = f"--knowledge '{SMALL}' --as-of 2026-11-30"
    assert shell(f"gpu-bot ask 'cheapest A100' {world} >&-", tmp_path).returncode == 0
    assert shell(f"gpu-bot ask 'cheapest A100' {world} >&- 2>&-", tmp_path).returncode == 0
    assert shell("gpu-bot ask x --as-of never 2>&-", tmp_path).returncode == 2
    closed = shell(f"gpu-bot ask --batch {world} <&-", tmp_path)
    assert (closed.returncode, closed.stderr) == (
        2, b"gpu-bot: standard input is closed; pipe the questions in, one a line\n",
    )  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_said_and_is_not_our_failure(tmp_path: Path) -> None:
    done = shell(f"gpu-bot ask 'cheapest A100' --knowledge '{SMALL}' > /dev/full", tmp_path)
    assert (done.returncode, done.stderr) == (4, b"gpu-bot: the answer could not be written: No space left on device\n")


def test_a_working_folder_that_is_gone_does_not_matter(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = shell(f"cd '{gone}'; rmdir '{gone}'; gpu-bot ask 'cheapest A100' --knowledge '{SMALL}'", tmp_path)
    assert done.returncode == 0
    assert b"A100" in done.stdout


# ---------------------------------------------------------------- what lies in a knowledge folder

GOOD = (SMALL / "providers" / "qingtan.yaml").read_bytes()
LAUGHS = b'a: &a ["lol", "lol"]\n' + b"".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n".encode() for n in range(24)
)
FILES: dict[str, tuple[bytes, str]] = {  # what the file holds, what is said of it
    "anchor": (GOOD.replace(b"name: {", b"name: &n {"), "3: the anchor `&n` is not read"),
    "alias": (GOOD.replace(b"kind: specialist", b"kind: *n"), "5: the alias `*n` is not read"),
    "tag": (GOOD.replace(b"recheck_days: ", b"recheck_days: !!python/name:os.system "), "is not read; write the value"),
    "laughs": (LAUGHS, "1: the anchor `&a` is not read"),
    "deep": (b"[" * 100_000, "1: this cannot be read as YAML"),
    "large": (b"# a line that says nothing\n" * 4_000_000, "the file is larger than 8 MB"),  # 108 MB
    "latin": (GOOD + "# grün\n".encode("latin-1"), "this is not UTF-8 text; save the file as UTF-8"),
    "utf16": (GOOD.decode().encode("utf-16"), "1: this is not UTF-8 text"),
    "tab": (GOOD.replace(b"    sku", b"\tsku"), "this cannot be read as YAML (found a tab character"),
    "nul": (GOOD + b"\x00", "a control character stands here; delete it"),
    "empty": (b"", "the file is empty"),
    "comment": (b"# nothing yet\n", "the file is empty"),
    "two": (GOOD + b"---\n" + GOOD, "a second document begins here"),
    "long": (GOOD.replace(b"says: ", b"says: " + b"9" * 5_000, 1), "9…` is no price phrase; write `1.49 USD/gb`"),
}


def world_with(tmp_path: Path, content: bytes | None = None) -> Path:
    """A copy of the world, one of its files replaced."""
    world = tmp_path / "world"
    shutil.copytree(SMALL, world)
    if content is not None:
        (world / "providers" / "qingtan.yaml").write_bytes(content)
    return world


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_used_is_named_by_every_command(run: Run, tmp_path: Path, name: str) -> None:
    """`check` fails with 1; `ask` answers nothing from half a folder, with 2."""
    content, sentence = FILES[name]
    world = world_with(tmp_path, content)
    status, out, _ = run("check", str(world), "--as-of", "2026-11-30")
    assert status == 1
    said = [line for line in out.splitlines() if line.startswith("error providers/qingtan.yaml")]
    assert len(said) >= 1
    assert sentence in said[0]
    assert len(said[0]) < 400
    status, out, err = run("ask", "cheapest A100", "--knowledge", str(world))
    assert (status, out) == (2, "")
    assert sentence in err


@pytest.mark.parametrize(
    "content",
    [b"\xef\xbb\xbf" + GOOD, GOOD.replace(b"\n", b"\r\n"), GOOD.replace(b"\n", b"\r")],
    ids=["bom", "crlf", "cr"],
)
def test_what_editors_leave_in_a_file_is_no_mistake(run: Run, tmp_path: Path, content: bytes) -> None:
    """A byte order mark and the line ends of other systems: 12.60 × 288 = 3628.80 CNY, ÷ 7.2 = 504.00."""
    world = world_with(tmp_path, content)
    ask = ("ask", "--json", "cheapest for 72h on 4×A100 on Qingtan", "--knowledge", str(world), "--as-of", "2026-11-30")
    status, out, _ = run(*ask)
    assert (status, json.loads(out)["quotes"][0]["total_usd"]) == (0, 504)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


THINGS: dict[str, tuple[Callable[[Path], None], str]] = {
    "folder": (Path.mkdir, "this folder is not read"),
    "pipe": (_pipe, "this is not a regular file; put a text file here"),
    "socket": (_socket, "this is not a regular file; put a text file here"),
    "link out": (lambda path: path.symlink_to("/etc/passwd"), "this link leads out of the folder"),
    "link to a device": (lambda path: path.symlink_to("/dev/zero"), "this link leads out of the folder"),
    "link to itself": (lambda path: path.symlink_to(path.name), "this link leads back to itself"),
    "link to nothing": (
        lambda path: path.symlink_to("none.yaml"),
        "the file cannot be read (No such file or directory)",
    ),
}


@pytest.mark.parametrize("name", THINGS)
def test_what_is_no_file_is_named_and_never_waited_for(run: Run, tmp_path: Path, name: str) -> None:
    world = world_with(tmp_path)
    make, sentence = THINGS[name]
    make(world / "providers" / "x.yaml")
    began = time.monotonic()
    status, out, _ = run("check", str(world), "--as-of", "2026-11-30")
    assert time.monotonic() - began < 10
    assert status == 1
    assert f"error providers/x.yaml: {sentence}" in out
    assert run("ask", "cheapest A100", "--knowledge", str(world))[0] == 2


def test_a_file_that_may_not_be_read_is_named(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the tests run as a user who may read everything."""
    world = world_with(tmp_path)
    read_bytes = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "qingtan.yaml":
            raise PermissionError(13, "Permission denied")
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    status, out, err = run("ask", "cheapest A100", "--knowledge", str(world))
    assert (status, out) == (2, "")
    assert err.startswith("providers/qingtan.yaml: the file cannot be read (Permission denied)")


@pytest.mark.parametrize("name", ["n\udcff.yaml", "a\nb.yaml", "a\u202eb.yaml"], ids=ascii)
def test_a_name_that_cannot_be_shown_is_said_and_not_read(run: Run, tmp_path: Path, name: str) -> None:
    world = world_with(tmp_path)
    (world / "providers" / name).write_bytes(GOOD)
    status, out, _ = run("check", str(world), "--as-of", "2026-11-30")
    assert status == 1
    assert f"error providers: the name {name!a} holds signs that cannot be shown; rename it" in out
    assert run("ask", "cheapest A100", "--json", "--knowledge", str(world))[0] == 2


def test_two_files_of_one_provider_are_named(run: Run, tmp_path: Path) -> None:
    world = world_with(tmp_path)
    (world / "providers" / "twin.yaml").write_bytes(GOOD)
    status, out, _ = run("check", str(world), "--as-of", "2026-11-30")
    assert status == 1
    assert (
        "providers/twin.yaml:2: provider id qingtan stands in two files; providers/qingtan.yaml has it already" in out
    )


TYPOS = {  # a key of each kind of entry, misspelt
    "providers/qingtan.yaml": [
        ("recheck_days", "recheck_day"),
        ("billing:", "biling:"),
        ("sku:", "skus:"),
        ("says:", "say:"),
    ],
    "currencies.yaml": [("pair:", "pairs:")],
    "regions.yaml": [("country:", "contry:")],
    "guidance/small.yaml": [("because:", "becuase:"), ("fires_on:", "fire_on:")],
}


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [(file, *pair) for file, pairs in TYPOS.items() for pair in pairs],
    ids=str,
)
def test_a_misspelt_key_is_named_with_its_place_and_the_right_one(
    run: Run, tmp_path: Path, file: str, right: str, wrong: str
) -> None:
    world = world_with(tmp_path)
    path = world / file
    before = path.read_text("utf-8")
    assert right in before
    start, _, rest = before.rpartition(right)  # the last one, since the first may stand in a comment
    path.write_text(start + wrong + rest, "utf-8")
    status, out, _ = run("check", str(world), "--as-of", "2026-11-30")
    said = [line for line in out.splitlines() if line.startswith(f"error {file}:")]
    assert status == 1
    assert any(f"`{wrong.rstrip(':')}`" in line and f"did you mean {right.rstrip(':')}?" in line for line in said), out


# ---------------------------------------------------------------- what is written


def test_a_file_that_must_not_change_is_left_as_it_was(run: Run, tmp_path: Path) -> None:
    """Read-only for everybody, also when the one who runs the command could write it."""
    world = world_with(tmp_path)
    path = world / "providers" / "qingtan.yaml"
    path.chmod(0o444)
    source = next(
        line.split(":")[0].strip() for line in path.read_text("utf-8").split("sources:")[1].splitlines() if ":" in line
    )
    status, out, err = run("kb", "checked", "qingtan", source, "--date", "2026-11-29", "--knowledge", str(world))
    assert (status, out) == (2, "")
    assert err == f"gpu-bot: {path} was left as it was: Permission denied\n"
    assert path.read_bytes() == GOOD
    assert sorted(one.name for one in path.parent.iterdir()) == sorted(
        one.name for one in (SMALL / "providers").iterdir()
    )


def test_a_day_or_a_name_that_is_none_changes_nothing(run: Run, tmp_path: Path) -> None:
    world = world_with(tmp_path)
    for words in (("qingtan", "nobody"), ("nobody", "x"), ("qingtan", "price-page", "--date", "2999-01-01")):
        status, out, err = run("kb", "checked", *words, "--knowledge", str(world))
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
    assert (world / "providers" / "qingtan.yaml").read_bytes() == GOOD
