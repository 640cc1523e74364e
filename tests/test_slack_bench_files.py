"""A result file in Slack: how it is loaded, what is refused, and the verdict that it gets, marked as self-reported.

A healthy H200 reaches 789.1 TFLOPS in bf16; 789.1 / 789.1 = 100 %.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from bench.events import run_on
from slack import canned, limits, peer, recorded, world
from slack.canned import Inside
from slack.peer import ALICE, BOB, GENERAL, TEAM, until
from slack.strict_proxy import Fault, Rules, as_json
from slack.world import World
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.bench.reported import judged
from bot.jobs import Jobs
from bot.slack import ids
from bot.slack.bench import views
from bot.slack.bench.fetch import NoFileError, address_at_slack, fetch, is_text
from bot.slack.bench.job import BenchJobs
from bot.slack.bench.office import Bench
from bot.slack.bench.wish import Wish, file_id, read
from bot.slack.bench.words import SENTENCES, say
from bot.store import LOCAL, inbox
from bot.store.benches import readings
from rules.load import read_folder

ROOT = Path(__file__).parent.parent
KNOWLEDGE = ROOT / "knowledge"
TABLE = read_folder(KNOWLEDGE, check_clauses=False, accelerators=True)[0].accelerators
H200 = TABLE["nvidia-h200-sxm"]
FILE = "F0RESULT1"
TOKEN = "xoxb-a-token"


def as_file(events: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in events)


HEALTHY = as_file(run_on(H200, 789.1))


# ---------------------------------------------------------------- where the token may go


@pytest.mark.parametrize(
    ("url", "api", "expected"),
    [
        ("https://files.slack.com/files-pri/T1-F1/a.jsonl", "https://slack.com/api/", "same"),
        ("https://files.slack.com/files-pri/T1-F1/a.jsonl?t=1", "https://www.slack.com/api/", "same"),
        ("https://files.slack-gov.com/files-pri/T1-F1/a", "https://slack-gov.com/api/", "same"),
        ("http://127.0.0.1:3390/files-pri/T1-F1/a", "http://127.0.0.1:3390/api/", "same"),
        ("https://files.slack.com/a b/结果.jsonl", "https://slack.com/api/",
         "https://files.slack.com/a%20b/%E7%BB%93%E6%9E%9C.jsonl"),
        ("https://slack.com.example/files-pri/a", "https://slack.com/api/", None),
        ("https://evil-slack.com/a", "https://slack.com/api/", None),
        ("https://other.slack.com/a", "https://slack.com/api/", None),
        ("https://slack.com@evil.example/a", "https://slack.com/api/", None),
        ("https://user@files.slack.com/a", "https://slack.com/api/", None),
        ("https://evil.example\\@files.slack.com/a", "https://slack.com/api/", None),
        ("https://files.slack.com\\.evil.example/a", "https://slack.com/api/", None),
        ("http://files.slack.com/a", "https://slack.com/api/", None),
        ("https://files.slack.com:8443/a", "https://slack.com/api/", None),
        ("http://127.0.0.1:3391/a", "http://127.0.0.1:3390/api/", None),
        ("https://files.slack.com:port/a", "https://slack.com/api/", None),
        ("file:///etc/passwd", "file:///api/", None), ("//files.slack.com/a", "https://slack.com/api/", None),
        ("", "https://slack.com/api/", None), ("https://[files.slack.com/a", "https://slack.com/api/", None),
        ("https://drive.example/reading.jsonl", "https://slack.com/api/", None),
    ],
)  # fmt: skip
def test_a_file_is_loaded_only_from_the_host_of_the_web_api(url: str, api: str, expected: str | None) -> None:
    assert address_at_slack(url, api) == (url if expected == "same" else expected)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ({"name": "reading.jsonl", "mimetype": "application/octet-stream"}, True),
        ({"name": "x", "mimetype": "text/plain"}, True), ({"name": "x", "mimetype": "application/json"}, True),
        ({"name": "photo.png", "mimetype": "image/png"}, False), ({"name": "x.jsonl.exe"}, False), ({}, False),
    ],
)  # fmt: skip
def test_only_texts_are_loaded(file: dict[str, Any], text: bool) -> None:
    assert is_text(file) is text


# ---------------------------------------------------------------- hosts that give files, and one that gets nothing


@dataclass
class Host:
    """Answers each path as the test says; ``asked`` is who came, with which token."""

    answer: Callable[[BaseHTTPRequestHandler], None]
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    url: str = ""


@contextlib.contextmanager
def listening(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[Host]:
    made = Host(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append((self.path, self.headers.get("authorization")))
            with contextlib.suppress(OSError):
                made.answer(self)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    made.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()


def gives(
    body: bytes, status: int = 200, *, length: int | None = None, **headers: str
) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("content-length", str(len(body) if length is None else length))
        request.end_headers()
        request.wfile.write(body)

    return answer


class Client:
    """As much of a client of the Web API as loading needs."""

    def __init__(self, base: str, error: str | None = None, **facts: Any) -> None:
        self.base_url, self.token, self._error = f"{base}/api/", TOKEN, error
        self._facts = {
            "name": "reading.jsonl", "mimetype": "text/plain", "size": 10, "mode": "hosted",
            "url_private": f"{base}/files-pri/T1-F1/reading.jsonl", **facts,
        }  # fmt: skip

    def files_info(self, *, file: str) -> dict[str, Any]:
        assert file == FILE
        if self._error is not None:
            raise SlackApiError("no", {"ok": False, "error": self._error})  # type: ignore[no-untyped-call]
        return {"file": self._facts}


def load(client: Any, **how: Any) -> bytes:
    return fetch(client, FILE, **how)


def why(client: Any, **how: Any) -> str:
    """The key of the sentence that says why there is no file."""
    with pytest.raises(NoFileError) as raised:
        load(client, **how)
    assert str(raised.value.key) in SENTENCES
    for lang in ("en", "zh"):
        assert "?" not in say(raised.value.key, lang, **raised.value.slots)  # every slot is filled
    return str(raised.value.key)


def test_a_file_is_loaded_with_the_token() -> None:
    with listening(gives("结果\n".encode())) as host:
        assert load(Client(host.url)) == "结果\n".encode()
        assert host.asked == [("/files-pri/T1-F1/reading.jsonl", f"Bearer {TOKEN}")]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    """Whoever it leads to never hears of the token, not even on the same host."""
    with (
        listening(gives(b"stolen")) as stranger,
        listening(gives(b"", status, Location=f"{stranger.url}/x")) as host,
    ):
        assert why(Client(host.url)) == "file.scope"
        assert stranger.asked == []
        assert len(host.asked) == 1


def test_a_file_that_lies_elsewhere_is_not_asked_for() -> None:
    with listening(gives(b"stolen")) as stranger, listening(gives(b"fine")) as host:
        assert why(Client(host.url, url_private=f"{stranger.url}/x")) == "file.elsewhere"
        assert why(Client(host.url, is_external=True)) == "file.elsewhere"
        assert stranger.asked == host.asked == []


@pytest.mark.parametrize("told", [{"size": 1001}, {"size": 10}, {"size": None}])
def test_a_file_that_is_too_large_is_not_read_to_its_end(told: dict[str, Any]) -> None:
    """Whatever Slack tells of its size: 1,001 bytes are one more than these 1,000."""
    with listening(gives(b"x" * 1001)) as host:
        assert why(Client(host.url, **told), most=1000) == "file.large"
    with listening(gives(b"x" * 1000)) as host:
        assert load(Client(host.url), most=1000) == b"x" * 1000


def test_a_stream_without_an_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that sends for ever is left once the file is too large, and one that drips once the time is over."""

    def pour(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        while True:
            request.wfile.write(b"x" * 65_536)

    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        for _ in range(100):
            request.wfile.write(b"x")
            time.sleep(0.05)

    with listening(pour) as host:
        assert why(Client(host.url)) == "file.large"
    began = time.monotonic()
    with listening(drip) as host:
        assert why(Client(host.url), seconds=0.4) == "file.away"
    assert time.monotonic() - began < 3


def test_a_silent_host_is_left() -> None:
    with listening(lambda _request: time.sleep(2)) as host:
        began = time.monotonic()
        assert why(Client(host.url), seconds=0.2) == "file.away"
        assert time.monotonic() - began < 1.5


def test_a_file_that_arrives_in_part_is_no_file() -> None:
    """Judged, it would look like a run that was cut off."""
    with listening(gives(HEALTHY[:100], length=len(HEALTHY))) as host:
        assert why(Client(host.url)) == "file.away"


@pytest.mark.parametrize("data", ["读".encode("gbk"), '{"ev"'.encode("utf-16"), b"\xff"])
def test_only_utf_8_is_read(data: bytes) -> None:
    with listening(gives(data)) as host:
        assert why(Client(host.url)) == "file.encoding"


def test_slacks_page_to_sign_in_is_no_file() -> None:
    with listening(gives(b"<html>", **{"content-type": "text/html; charset=utf-8"})) as host:
        assert why(Client(host.url)) == "file.scope"


@pytest.mark.parametrize(
    ("status", "key"), [(401, "file.scope"), (403, "file.scope"), (404, "file.away"), (500, "file.away")]
)
def test_a_refusal_says_what_to_do(status: int, key: str) -> None:
    with listening(gives(b"no", status)) as host:
        assert why(Client(host.url)) == key


@pytest.mark.parametrize(
    ("error", "key"),
    [("missing_scope", "file.scope"), ("file_not_found", "file.gone"), ("ratelimited", "file.away")],
)
def test_what_slack_says_of_the_file_is_told(error: str, key: str) -> None:
    assert why(Client("http://127.0.0.1:1", error)) == key


@pytest.mark.parametrize(
    ("facts", "key"),
    [
        ({"mode": "tombstone"}, "file.gone"), ({"name": "a.png", "mimetype": "image/png"}, "file.kind"),
        ({"url_private": None}, "file.elsewhere"),
    ],
)  # fmt: skip
def test_what_is_no_result_is_not_loaded(facts: dict[str, Any], key: str) -> None:
    with listening(gives(b"x")) as host:
        assert why(Client(host.url, **facts)) == key
        assert host.asked == []


def test_a_slack_that_is_not_there() -> None:
    client = WebClient(token=TOKEN, base_url="http://127.0.0.1:1/api/", timeout=1, retry_handlers=[])
    assert why(client) == "file.away"


# ---------------------------------------------------------------- the words, the form, the message


@pytest.mark.parametrize("text", ["script", "SCRIPT", "脚本", "script please"])
def test_the_word_script(text: str) -> None:
    assert read(text) == Wish("script")


@pytest.mark.parametrize("value", ["../../etc", "F1;x", "f0result1", "U01ALICE", "", None, "F" * 60, 7, ["F123"]])
def test_only_what_is_shaped_like_an_id_of_a_file_gets_through(value: Any) -> None:
    assert file_id(value) is None
    assert Wish.from_json({"do": "file", "file": value}).file is None


def blocks_of(view: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {block["block_id"]: block for block in view["blocks"]}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_form_takes_a_host_or_one_file(lang: str) -> None:
    view = views.form(["rig-1"], {}, lang, models=["A100", "H200"])
    assert limits.view_problems(view) == []
    found = blocks_of(view)
    assert list(found) == ["host", "dtype", "quick", "file", "ordered"]
    assert found["file"]["optional"] is True
    element = found["file"]["element"]
    assert (element["type"], element["max_files"]) == ("file_input", 1)
    assert {"jsonl", "json", "txt"} <= set(element["filetypes"])
    assert "filetypes" not in blocks_of(views.form(["rig-1"], {}, lang, file="any"))["file"]["element"]
    assert list(blocks_of(views.form(["rig-1"], {}, lang, file="none"))) == ["host", "dtype", "quick"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_without_a_host_the_form_takes_a_file_alone_and_says_why(lang: str) -> None:
    view = views.form([], {}, lang, models=sorted({one.model for one in TABLE.values()}), note=say("no_hosts", lang))
    assert limits.view_problems(view) == []
    found = blocks_of(view)
    assert list(found) == ["note", "file", "ordered"]
    assert found["file"].get("optional", False) is False
    assert "gpu-bot hosts add" in json.dumps(found["note"])


def test_a_file_input_is_for_modals_only() -> None:
    blocks = views.form([], {}, "en")["blocks"]
    assert any("file input" in one for one in limits.problems(blocks, "message"))


@pytest.mark.parametrize("gpus", [1, 8])
@pytest.mark.parametrize(("lang", "mark"), [("en", "self-reported"), ("zh", "自报")])
def test_the_verdict_is_marked_and_has_nothing_to_press(lang: str, mark: str, gpus: int) -> None:
    record = judged(run_on(H200, 789.1, gpus=gpus), TABLE, ordered_as="H200")
    message = views.reported(record, lang)
    for blocks in (message.blocks, message.plainer):
        assert limits.problems(blocks) == []
        assert mark in json.dumps(blocks[0], ensure_ascii=False)
        assert not any(block["type"] == "actions" for block in blocks)
        assert say("file.note", lang)[:12] in json.dumps(blocks[-1], ensure_ascii=False)
    first = message.text.splitlines()[0]
    assert mark in first
    assert ("HEALTHY: 789.1" if lang == "en" else "健康：NVIDIA H200 实测 bf16 789.1") in message.text
    assert "H200" in message.text.split("method")[0]
    assert any(block["type"] == "table" for block in message.blocks)


def test_what_a_file_says_cannot_call_anybody() -> None:
    events = run_on(H200, 789.1, facts={"name": "<!channel> *H200* <https://evil.example|x>", "torch": "<@U01ALICE>"})
    message = views.reported(judged(events, TABLE), "en")
    whole = message.text + json.dumps(message.blocks, ensure_ascii=False)
    assert "&lt;!channel&gt;" in message.text
    for live in ("<!channel", "<@U01", "<https"):
        assert live not in whole


# ---------------------------------------------------------------- inside one process


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Inside]:
    """No host is registered, and only Bob may run benchmarks; the knowledge is the real one."""
    with working(tmp_path, GPU_BOT_BENCH_USERS=BOB) as made:
        yield made


def working(folder: Path, **more: str) -> Any:
    def bench(given: Any, database: Any, knowledge: Any, poster: Any, people: Any) -> Bench:
        jobs = BenchJobs(given, database, knowledge, poster, people, Jobs(database), TEAM, lambda: pytest.fail("a run"))
        return Bench(jobs, poster, people)

    return canned.inside(folder, bench=bench, GPU_BOT_KNOWLEDGE=str(KNOWLEDGE), **more)


def command(here: Inside, text: str, user: str = ALICE) -> None:
    here.deliver(recorded.command("/gpu-bench", text, user_id=user, response_url=here.slack.hook))


def told(here: Inside, n: int = 1) -> dict[str, Any]:
    assert until(lambda: len(here.slack.done("hook")) >= n), "nobody was told anything"
    return dict(here.slack.done("hook")[n - 1].arguments)


def opened(here: Inside) -> dict[str, Any]:
    assert until(lambda: here.slack.done("views.open"))
    return dict(as_json(here.slack.done("views.open")[-1].arguments["view"]))


def submit(here: Inside, view: dict[str, Any], file: str, user: str = ALICE, ordered: str | None = None) -> None:
    values: dict[str, Any] = {"file": {"file": {"type": "file_input", "files": [{"id": file, "name": "r.jsonl"}]}}}
    if ordered is not None:
        values["ordered"] = {"ordered": {"type": "static_select", "selected_option": {"value": ordered}}}
    values["host"] = {"host": {"type": "static_select", "selected_option": {"value": "rig-1"}}}
    here.deliver(recorded.submission(ids.BENCH_FORM, json.loads(view["private_metadata"]), values, user))


def test_whoever_may_not_run_one_drops_a_file_and_is_told_the_verdict(here: Inside) -> None:
    """To them alone, marked, ordered as a card of which it is none; nothing is kept, posted or run."""
    here.slack.shelf[FILE] = HEALTHY
    command(here, "")
    view = opened(here)
    assert "You may not run benchmarks" in json.dumps(view)
    submit(here, view, FILE)
    said = told(here)
    assert said["response_type"] == "ephemeral"
    assert said["text"].startswith("Result file, self-reported\nHEALTHY: 789.1 TFLOPS bf16 on NVIDIA H200\n100 % of")
    submit(here, view, FILE, ordered="H100")
    again = told(here, 2)["text"]
    assert "NOT WHAT WAS SOLD" in again
    assert "Compared with the order: H100" in again
    submit(here, view, FILE, ordered=views.NOT_SAID)
    assert "HEALTHY" in told(here, 3)["text"]
    assert readings(here.bot.database, LOCAL) == []
    assert here.slack.done("chat.postMessage") == []
    command(here, "history")
    assert told(here, 4)["text"] == "No reading is stored for this."


def test_it_speaks_the_language_of_whoever_dropped_it(here: Inside) -> None:
    here.slack.rules.locales[ALICE] = "zh-CN"
    here.slack.shelf |= {FILE: HEALTHY, "F0OTHER": b"hello"}
    command(here, "")
    view = opened(here)
    submit(here, view, FILE)
    assert told(here)["text"].startswith("结果文件（自报）\n健康：")
    submit(here, view, "F0OTHER")
    assert told(here, 2)["text"].startswith("这个文件不是基准测试的结果")
    command(here, "脚本")
    assert "gpu-bot bench script | ssh" in told(here, 3)["text"].replace("&gt;", ">")


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("F0OTHER", "That file is no result of the benchmark"), ("F0LARGE", "larger than 1 MB"),
        ("F0UTF16", "not UTF-8"), ("F0GONE", "That file is gone"), ("../../etc", "That file is gone"),
    ],
)  # fmt: skip
def test_any_other_file_gets_one_sentence(here: Inside, file: str, said: str) -> None:
    here.slack.shelf |= {"F0OTHER": b"{}\n", "F0LARGE": b"x" * ((1 << 20) + 1), "F0UTF16": "x".encode("utf-16")}
    command(here, "")
    submit(here, opened(here), file)
    sentence = told(here)["text"]
    assert said in sentence
    assert "\n" not in sentence
    assert here.slack.done("chat.postMessage") == []


def test_an_app_without_the_scope_shows_no_field_and_says_what_it_needs(here: Inside) -> None:
    """Slack refuses a form with a field for files then; a file of before is answered with what the admin can do."""
    here.slack.rules.scopes = here.slack.rules.scopes - {"files:read"}
    command(here, "")
    assert "You may not run benchmarks" in told(here)["text"]
    assert here.slack.done("views.open") == []
    about = {
        "private_metadata": json.dumps({"place": {"team": TEAM, "channel": GENERAL, "response_url": here.slack.hook}})
    }
    submit(here, about, FILE)
    assert "files:read" in told(here, 2)["text"]


def test_endings_that_slack_does_not_know_are_left_out(here: Inside) -> None:
    here.slack.faults.append(Fault("views.open", error="invalid_arguments"))
    command(here, "")
    assert "filetypes" not in blocks_of(opened(here))["file"]["element"]


def test_the_script_is_told_to_anyone(here: Inside) -> None:
    command(here, "script")
    said = told(here)["text"]
    assert "`gpu-bot bench script | ssh USER@BOX python3 - --quick &gt; reading.jsonl`" in said
    assert "self-reported" in said


# ---------------------------------------------------------------- attached to a message


def shared(event_id: str, text: str, ts: str, files: list[str], **more: Any) -> dict[str, Any]:
    """A direct message with files, as Slack delivers it."""
    about = [{"id": one, "name": "reading.jsonl"} for one in files]
    where = {"channel": "D01DIRECT", "channel_type": "im", "subtype": "file_share", "files": about, **more}
    return recorded.message(event_id, text, ts, **where)


def posts(here: Inside, n: int = 1) -> list[dict[str, Any]]:
    assert until(lambda: len(here.slack.done("chat.postMessage")) >= n), "nothing was posted"
    return [one.arguments for one in here.slack.done("chat.postMessage")]


def test_a_mention_with_a_result_is_answered_in_its_thread(here: Inside) -> None:
    """Slack tells of it twice, as a mention and as a message with a file: one answer."""
    here.slack.shelf[FILE] = HEALTHY
    files = [{"id": FILE, "name": "reading.jsonl"}]
    here.deliver(recorded.mention("E1", "is this what we pay for?", "2.0", files=files))
    text = f"<@{canned.BOT_USER}> is this what we pay for?"
    here.deliver(recorded.message("E2", text, "2.0", subtype="file_share", files=files))
    [sent] = posts(here)
    assert (sent["channel"], sent["thread_ts"]) == (GENERAL, "2.0")
    assert sent["text"].startswith("Result file, self-reported\nHEALTHY: 789.1")
    assert until(lambda: inbox.waiting(here.bot.database) == 0)
    assert len(posts(here)) == 1
    assert readings(here.bot.database, LOCAL) == []


def test_a_message_with_a_file_that_slack_tells_once_is_heard(here: Inside) -> None:
    """A message with a file may come without its twin that says it is a mention."""
    here.slack.shelf[FILE] = HEALTHY
    text = f"<@{canned.BOT_USER}> 看看这个"
    here.deliver(recorded.message("E1", text, "2.0", subtype="file_share", files=[{"id": FILE}]))
    assert posts(here)[0]["text"].startswith("结果文件（自报）\n健康：")


def test_a_direct_message_with_a_result_is_answered(here: Inside) -> None:
    here.slack.shelf[FILE] = HEALTHY
    here.deliver(shared("E1", "", "2.0", [FILE]))
    assert posts(here)[0]["text"].startswith("Result file, self-reported")


@pytest.mark.parametrize(
    "data",
    [
        b"gpu,price\nA100,1.10\n", b"\xff\xfe", b"x" * ((1 << 20) + 1), b"# my notes\n" + HEALTHY,
        b'{"ev": "start", "what": "a race"}\n',
    ],
)  # fmt: skip
def test_a_question_with_another_file_is_answered_as_a_question(here: Inside, data: bytes) -> None:
    """Only a file whose first line is that of the script changes what is answered."""
    here.slack.shelf[FILE] = data
    here.deliver(shared("E1", "cheapest for 72h on 4xA100", "2.0", [FILE]))
    assert "A100" in posts(here)[0]["text"]
    assert "elf-reported" not in posts(here)[0]["text"]


def test_a_question_with_several_files_is_answered_as_a_question(here: Inside) -> None:
    here.slack.shelf |= {FILE: HEALTHY, "F0TWO": HEALTHY}
    here.deliver(shared("E1", "cheapest for 72h on 4xA100", "2.0", [FILE, "F0TWO"]))
    assert "A100" in posts(here)[0]["text"]
    assert here.slack.done("files.info") == []


def test_a_file_alone_that_is_no_result_is_told(here: Inside) -> None:
    here.slack.shelf[FILE] = b"hello"
    here.deliver(shared("E1", "", "2.0", [FILE]))
    assert posts(here)[0]["text"].startswith("That file is no result of the benchmark")


def test_a_file_in_a_channel_that_mentions_nobody_is_nobodys_business(here: Inside) -> None:
    """Not even in a thread that began with the bot: its file is not looked at."""
    files = [{"id": FILE, "name": "reading.jsonl"}]
    for n, more in enumerate(({}, {"thread_ts": "1.0"})):
        here.deliver(recorded.message(f"E{n}", "look", f"{n}.5", subtype="file_share", files=files, **more))
    assert inbox.waiting(here.bot.database) == 0
    assert here.slack.done("files.info") == []


# ---------------------------------------------------------------- end to end


@pytest.fixture
def out_there(tmp_path: Path) -> Iterator[World]:
    """`gpu-bot serve` on a Slack nobody here wrote; no host, and nobody may run a benchmark."""
    with world.running(tmp_path, rules=Rules(rate=20, burst=40)) as made:
        made.bot(GPU_BOT_KNOWLEDGE=str(KNOWLEDGE))
        yield made


@pytest.mark.needs_slack_peer
def test_a_result_file_is_judged_end_to_end(out_there: World) -> None:
    """Dropped on the form, attached to a mention, sent directly; an app that lost its scope says so."""
    here = out_there
    here.peer.command("/gpu-bench", "")
    assert until(lambda: here.proxy.done("views.open")), here.bots[0].log[-2000:]
    file = here.peer.upload("reading.jsonl", HEALTHY, channel=peer.OUTSIDE)["files"][0]
    with here.peer.screen() as screen:
        screen.submit(ALICE, {"file": {"file": {"type": "file_input", "files": [file]}}})
    marked = "Result file, self-reported\nHEALTHY: 789.1"
    assert until(lambda: [m for m in here.peer.messages() if m.get("text", "").startswith(marked)]), (
        here.peer.messages(), here.bots[0].log[-2000:],
    )  # fmt: skip
    sent = here.peer.upload("../../reading.jsonl", HEALTHY, f"<@{peer.BOT_USER}> is it what we ordered?")
    assert here.peer.wait_reply(sent["ts"])["text"].startswith(marked)
    direct = here.peer.dm()
    here.peer.upload("reading.jsonl", HEALTHY, channel=direct)
    assert until(lambda: any(m["text"].startswith(marked) for m in here.peer.messages(direct) if m.get("bot_id")))
    assert len(here.proxy.done("file")) == 3
    here.proxy.rules.scopes = here.proxy.rules.scopes - {"files:read"}
    here.peer.upload("reading.jsonl", HEALTHY, channel=direct)
    assert until(lambda: any("files:read" in m["text"] for m in here.peer.messages(direct) if m.get("bot_id")))
    assert len(here.peer.replies(sent["ts"])) == 1
