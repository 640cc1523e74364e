"""A reading that somebody else made: which files are one, and that no file, however written, breaks the verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench.events import run_on
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.bench.connect import parse_line
from bot.bench.reported import begins_as_reading, events_of, judged
from bot.render import bench as report
from rules.load import read_folder

ROOT = Path(__file__).parent.parent
TABLE = read_folder(ROOT / "knowledge", check_clauses=False, accelerators=True)[0].accelerators
H200 = TABLE["nvidia-h200-sxm"]
START = b'{"ev": "start", "protocol_version": 1, "mode": "quick", "seed": 7}'


def as_file(events: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in events)


def test_a_file_is_judged_by_the_same_gates_and_marked() -> None:
    """789.0 of the 789.1 TFLOPS that healthy cards reach; the same file is no H100."""
    events = events_of(b"Welcome to box 7\n" + as_file(run_on(H200, 789.0)))
    made = judged(events, TABLE)
    assert (made["verdict"], made["self_reported"], made["host"], made["state"]) == ("healthy", True, None, "ok")
    assert judged(events, TABLE, ordered_as="H100")["verdict"] == "not_as_sold"


def test_a_file_without_the_first_line_of_a_run_holds_no_events() -> None:
    assert events_of(as_file(run_on(H200, 789.0)[1:])) == []
    assert events_of(b"") == []


def test_gpus_that_no_host_has_are_passed_over() -> None:
    """A file of a megabyte cannot ask for a table of ten thousand rows and columns."""
    links = [{"ev": "link", "from": n, "to": n + 1, "gbps": 5} for n in range(10_000)]
    more = [
        {"ev": "reading", "kind": "steady", "gpu": n, "dtype": "bf16", "tflops_median": 1} for n in range(-5, 5_000)
    ]
    made = judged(events_of(as_file(run_on(H200, 789.0, more=[*links, *more]))), TABLE)
    assert len(made["gpus"]) == 64
    assert len(made["links"]) == 63  # from 0 to 1 up to from 62 to 63
    assert len(list(report.report_lines(made, "en"))) < 400


def test_what_the_script_prints_begins_as_a_reading() -> None:
    """Its real output, here without torch; also with the mark that some editors put before a text."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "bot" / "bench" / "payload.py"), "--quick"], stdout=subprocess.PIPE,
        timeout=30, check=False,
    )  # fmt: skip
    assert begins_as_reading(done.stdout)
    assert begins_as_reading(b"\xef\xbb\xbf" + done.stdout)
    assert begins_as_reading(b"\r\n" + START + b"\r\n")


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n \n", b"cheapest for 72h on 4xA100", b'{"ev": "start"}', b'{"ev": "start", "protocol_version": 1}',
        b'{"ev": "start", "protocol_version": "1", "mode": "full"}', b'[{"ev": "start"}]', b"\xff\xfe{\x00",
        b"# notes\n" + START, b'{"event": "start", "protocol_version": 1, "mode": "full"}', b"[" * 100_000,
    ],
)  # fmt: skip
def test_other_files_do_not(data: bytes) -> None:
    assert not begins_as_reading(data)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("789.1", 789.1), ("0.0", 0.0), ("-3", -3), ("2e-7", 2e-7), ("1e308", None), ("1e-300", None), ("9" * 19, None),
        ("9" * 5000, None), ("NaN", None), ("1e999", None),
    ],
)  # fmt: skip
def test_a_number_that_no_measurement_has_is_none(text: str, read: float | None) -> None:
    event = parse_line('{"ev": "reading", "tflops_median": ' + text + "}")
    assert event is not None
    assert event["tflops_median"] == read


BETWEEN = [
    {"ev": "link", "from": 0, "to": 1, "gbps": 390.0, "peer": True, "wrong_words": 0},
    {"ev": "link", "from": 1, "to": 0, "gbps": 391.0, "peer": False, "wrong_words": 0},
    {"ev": "all_reduce", "gpus": [0, 1], "method": "nccl", "bus_gbps": 300.0, "size_mib": 256, "wrong_words": 0},
    {"ev": "skipped", "step": "links", "why": "time"},
]
_NAMES = sorted({name for event in [*run_on(H200, 789.0), *BETWEEN] for name in event} | {"why", "error", "shape"})
_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.just([]), st.just({"0": {}}),
    st.lists(st.integers(), max_size=3), st.sampled_from([1e308, 1e-308, 10**400, "<!channel>", "1e999", "N/A"]),
)  # fmt: skip
_EVENTS = st.sampled_from(
    "identity driver check reading copy memory xids busy held died error end link all_reduce skipped".split()
)
_CHANGES = st.lists(st.tuples(st.integers(0, 40), st.sampled_from(_NAMES), _VALUES), max_size=5)
_MORE = st.lists(
    st.builds(
        lambda event, gpu, more: {**more, "ev": event, "gpu": gpu},
        _EVENTS,
        st.sampled_from([0, 1, 9, "0", None]),
        st.dictionaries(st.sampled_from(_NAMES), _VALUES, max_size=6),
    ),
    max_size=2,
)


WRONG: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, 1e-308, 10**17, 10**400, "", "x", "<!channel>", [], [None], {}, {"0": {}},
)  # fmt: skip


def verdict_on(events: list[dict[str, Any]], ordered_as: str | None = None) -> None:
    """Judge and say it all, whatever comes of it."""
    made = judged(events_of(as_file(events)), TABLE, ordered_as=ordered_as)
    assert made["self_reported"] is True
    json.dumps(made)
    for lang in ("en", "zh"):
        assert list(report.report_lines(made, lang))


def test_no_single_lie_breaks_the_verdict() -> None:
    """Whoever may ask may give a file, so each value of each event is replaced by each kind of nonsense."""
    for n, event in enumerate(base := run_on(H200, 789.0, gpus=2, more=BETWEEN)):
        for name in event:
            for value in WRONG:
                verdict_on([*base[:n], {**event, name: value}, *base[n + 1 :]], "H200")


@pytest.mark.parametrize("rate", [*WRONG, 0.0, -0.0])
def test_nor_does_one_about_every_link(rate: Any) -> None:
    """Three GPUs, for a link is only compared with five others; a rate of nothing is compared with none."""
    pairs = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    verdict_on(run_on(H200, 789.0, gpus=3, more=[{"ev": "link", "from": a, "to": b, "gbps": rate} for a, b in pairs]))


@settings(max_examples=100, deadline=None)
@given(_CHANGES, _MORE, st.sampled_from([None, "H200", "A100"]))
def test_nor_do_several(
    changes: list[tuple[int, str, Any]], more: list[dict[str, Any]], ordered_as: str | None
) -> None:
    events = run_on(H200, 789.0, gpus=2, more=[*BETWEEN, *more])
    for at, name, value in changes:
        events[at % len(events)][name] = value
    verdict_on(events, ordered_as)
