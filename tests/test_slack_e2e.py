"""The real `gpu-bot serve` against a Slack that nobody here wrote, behind a proxy with Slack's own refusals.

The knowledge is the invented world `small`. Four A100 for 72 h at Corrievane: 1.50 × 4 × 72 = 432.00, and 4 % on top
= 449.28; eight hours instead: 1.50 × 4 × 8 = 48.00, and 4 % = 49.92.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kept
import pytest
from slack import world
from slack.peer import ALICE, APP_TOKEN, BOB, BOT_TOKEN, BOT_USER, GENERAL, SECRET, until
from slack.world import World, settle

pytestmark = pytest.mark.needs_slack_peer

KNOWLEDGE = str(Path(__file__).parent / "worlds" / "small")
QUESTION = "cheapest for 72h on 4×A100"
TOTAL, TOTAL_8H = "$449.28", "$49.92"


@pytest.fixture(scope="module", params=["socket", "http"])
def here(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp(request.param)
    rules = world.Rules(rate=20, burst=40, locales={BOB: "zh-CN"})
    with world.running(folder, http=request.param == "http", rules=rules) as made:
        made.bot(GPU_BOT_KNOWLEDGE=KNOWLEDGE)
        yield made


def block(message: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(one for one in message["blocks"] if one["type"] == kind)


def controls(message: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Controls of a message by action id, each as it is pressed."""
    found = {}
    for one in message["blocks"]:
        for element in one.get("elements", []) if one["type"] in ("actions", "context_actions") else []:
            found[element["action_id"]] = {**element, "block_id": one["block_id"]}
    return found


def pressed(control: dict[str, Any], option: str | None = None) -> dict[str, Any]:
    """What Slack sends when a control is used; ``option`` is how the chosen option's value begins."""
    action = {"type": control["type"], "action_id": control["action_id"], "block_id": control["block_id"]}
    if option is None:
        return {**action, "value": control["value"]}
    chosen = next(one for one in control["options"] if one["value"].startswith(option))
    return {**action, "selected_option": chosen}


def message_at(here: World, ts: str, channel: str = GENERAL) -> dict[str, Any]:
    return next(one for one in here.peer.messages(channel) if one["ts"] == ts)


# ---------------------------------------------------------------- questions


def test_a_mention_is_answered_in_its_thread(here: World) -> None:
    """Headline, a table of at most five by five, the folded arithmetic, sources with age, controls, and the id."""
    reply = here.ask(QUESTION)
    assert TOTAL in reply["text"] + json.dumps(block(reply, "table"))
    table = block(reply, "table")
    assert len(table["rows"]) <= 5
    assert all(len(row) <= 5 for row in table["rows"])
    details = block(reply, "container")
    assert details["is_collapsible"]
    assert details["default_collapsed"]
    assert "1.50 USD/gpu-hour × 4 × 72 h" in json.dumps(details, ensure_ascii=False)
    small_print = json.dumps(block(reply, "context"), ensure_ascii=False)
    assert "Read as: 4 × A100" in small_print
    assert re.search(r"Answer [0-9a-f]{12}", small_print)
    assert {"edit", "more", "refine_region", "refine_hours", "feedback", "refine_spot"} <= set(controls(reply))


def test_chinese_is_answered_in_chinese(here: World) -> None:
    reply = here.ask("4张A100跑72小时哪家最便宜")
    assert "最便宜" in reply["text"]
    assert TOTAL in reply["text"] + json.dumps(block(reply, "table"))


def test_words_of_no_language_are_answered_in_the_language_of_the_reader(here: World) -> None:
    """Bob's Slack is Chinese; "4xA100 72h" could be either."""
    assert "小时" in here.ask("4xA100 72h", user=BOB)["text"]
    assert "小时" not in here.ask("4xA100 72h", user=ALICE)["text"]


def test_a_direct_message_is_answered(here: World) -> None:
    channel = here.peer.dm()
    here.peer.write(QUESTION, channel=channel)
    found = until(lambda: [one for one in here.peer.messages(channel) if one.get("bot_id")])
    assert found
    assert TOTAL in json.dumps(found[-1], ensure_ascii=False)


def test_in_a_thread_the_asker_goes_on_without_a_mention(here: World) -> None:
    ts = here.mention(QUESTION)
    here.peer.wait_reply(ts)
    here.peer.write("and for 8 hours?", thread_ts=ts)
    assert until(lambda: len(here.peer.replies(ts)) == 2)
    assert TOTAL_8H in json.dumps(here.peer.replies(ts)[-1], ensure_ascii=False)


@pytest.mark.parametrize(
    ("user", "text"),
    [
        (ALICE, "thanks!"),
        (ALICE, "谢谢"),
        (ALICE, f"<@{BOB}> what about the H100?"),
        (ALICE, "I will ask Carol about the budget for our H100 tomorrow morning"),
        (BOB, "and for 8 hours?"),
    ],
)
def test_in_a_thread_what_is_not_for_the_bot_gets_silence(here: World, user: str, text: str) -> None:
    ts = here.mention(QUESTION)
    here.peer.wait_reply(ts)
    here.peer.write(text, thread_ts=ts, user=user)
    settle(0.8)
    assert len(here.peer.replies(ts)) == 1


def test_outside_a_thread_it_speaks_only_when_mentioned(here: World) -> None:
    before = len([one for one in here.peer.messages() if one.get("bot_id")])
    here.peer.write("what does an H100 cost?")
    settle(0.8)
    assert len([one for one in here.peer.messages() if one.get("bot_id")]) == before


def test_an_unknown_gpu_offers_the_nearest_as_buttons(here: World) -> None:
    """A press on one of them gives the answer in place."""
    ts = here.mention("cheapest A1000 for 24h")
    reply = here.peer.wait_reply(ts)
    ready = [one for name, one in controls(reply).items() if name.startswith("ready_")]
    assert 1 <= len(ready) <= 3
    first = next(one for one in ready if "A100" in one["text"]["text"])
    here.peer.press(reply["ts"], pressed(first))
    assert until(lambda: "$" in message_at(here, reply["ts"])["text"])
    assert len(here.peer.replies(ts)) == 1


# ---------------------------------------------------------------- controls


def test_the_askers_press_changes_the_answer_in_place(here: World) -> None:
    ts = here.mention(QUESTION)
    reply = here.peer.wait_reply(ts)
    here.peer.press(reply["ts"], pressed(controls(reply)["refine_hours"], "hours_24"))
    # 1.50 × 4 × 24 = 144.00, and 4 % = 149.76
    assert until(lambda: "$149.76" in json.dumps(message_at(here, reply["ts"])))
    assert len(here.peer.replies(ts)) == 1
    here.peer.write("and for 8 hours?", thread_ts=ts)
    assert until(lambda: len(here.peer.replies(ts)) == 2)


def test_another_persons_press_gives_them_their_own_answer(here: World) -> None:
    ts = here.mention(QUESTION)
    reply = here.peer.wait_reply(ts)
    here.peer.press(reply["ts"], pressed(controls(reply)["refine_hours"], "hours_24"), user=BOB)
    assert until(lambda: len(here.peer.replies(ts)) == 2)
    assert "$149.76" in json.dumps(here.peer.replies(ts)[-1])
    assert TOTAL in json.dumps(message_at(here, reply["ts"]))


def test_the_form_changes_the_question(here: World) -> None:
    """The form opens filled in; what is wrong in it is said beside the field; a right one changes the answer."""
    ts = here.mention(QUESTION)
    reply = here.peer.wait_reply(ts)
    begun = time.time()
    here.peer.press(reply["ts"], pressed(controls(reply)["edit"]))
    opened = until(lambda: [call for call in here.proxy.done("views.open") if call.at >= begun])
    assert opened
    view = opened[-1].arguments["view"]
    view = json.loads(view) if isinstance(view, str) else view
    fields = {one["block_id"]: one["element"] for one in view["blocks"]}
    assert fields["gpus"]["initial_value"] == "4×A100"
    assert fields["hours"]["initial_value"] == "72"
    values = {
        "gpus": {"gpus": {"type": "plain_text_input", "value": "4×A100"}},
        "hours": {"hours": {"type": "number_input", "value": "-3"}},
        "plans": {"plans": {"type": "checkboxes", "selected_options": []}},
        "region": {"region": {"type": "static_select", "selected_option": {"value": "any"}}},
        "exclude": {"exclude": {"type": "plain_text_input", "value": None}},
        "limit": {"limit": {"type": "number_input", "value": None}},
    }
    with here.peer.screen() as screen:
        errors = screen.submit(ALICE, values)
        assert set(errors) == {"hours"}
        values["hours"]["hours"]["value"] = "8"
        assert screen.submit(ALICE, values) == {}
    assert until(lambda: TOTAL_8H in json.dumps(message_at(here, reply["ts"])))


def test_the_menu_gives_all_offers_and_a_csv(here: World) -> None:
    ts = here.mention(QUESTION)
    reply = here.peer.wait_reply(ts)
    here.peer.press(reply["ts"], pressed(controls(reply)["more"], "offers"))
    assert until(lambda: len(here.peer.replies(ts)) == 2)
    offers = block(here.peer.replies(ts)[-1], "data_table")
    assert len(offers["rows"]) == 5  # a heading and the four offers of the world
    begun = time.time()
    here.peer.press(reply["ts"], pressed(controls(reply)["more"], "csv"))
    assert until(lambda: [one for one in here.proxy.done("files.completeUploadExternal") if one.at >= begun])


def test_feedback_is_kept_with_the_answer(here: World) -> None:
    from bot.store import open_database

    reply = here.ask(QUESTION, user=BOB)
    control = controls(reply)["feedback"]
    action = {"type": "feedback_buttons", "action_id": "feedback", "block_id": control["block_id"]}
    here.peer.press(reply["ts"], {**action, "value": control["negative_button"]["value"]}, user=BOB)
    database = open_database(f"sqlite:///{here.folder / 'home' / 'gpu-bot.db'}")
    found = until(lambda: kept.opinions(database, "T01TEST"))
    database.close()
    assert found
    assert found[0].user_id == BOB
    assert not found[0].good
    assert found[0].answer_id in json.dumps(block(reply, "context"))


def test_a_kept_answer_is_replayed_byte_for_byte(here: World) -> None:
    reply = here.ask(QUESTION)
    id_ = re.search(r"Answer ([0-9a-f]{12})", json.dumps(block(reply, "context")))
    assert id_
    replayed = run(here, "replay", id_[1])
    asked = run(here, "ask", "--json", "--knowledge", KNOWLEDGE, QUESTION)
    assert replayed.returncode == 0
    assert replayed.stdout == asked.stdout


def run(here: World, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *words], env=here.bots[0].env, capture_output=True, timeout=60, check=False
    )  # fmt: skip


# ---------------------------------------------------------------- commands, home


def test_the_command_is_answered_to_its_user(here: World) -> None:
    here.peer.command("/gpu", QUESTION)
    assert until(lambda: [one for one in here.peer.messages() if TOTAL in json.dumps(one) and not one.get("thread_ts")])


@pytest.mark.parametrize(
    ("command", "text", "said"),
    [
        ("/gpu", "help", "72h on 4×A100"),
        ("/gpu-bench", "hosts", "No GPU host is registered yet"),
        ("/gpu-bench", "help", "/gpu-bench ml01 bf16 quick"),
        ("/gpu-bench", "rig-1 bf17", "bf17"),
        ("/gpu-prices", "list", "gets no digest"),
        ("/gpu-prices", "退钱", "没有“退钱”这个用法"),
    ],
)
def test_the_other_commands_say_what_they_can_do(here: World, command: str, text: str, said: str) -> None:
    here.peer.command(command, text)
    assert until(lambda: [one for one in here.peer.messages() if said in one["text"]])


def test_the_home_tab_says_what_it_knows(here: World) -> None:
    here.peer.open_home(BOB)
    found = until(lambda: here.proxy.done("views.publish", user_id=BOB))
    assert found
    assert "可以核对的 GPU 价格" in json.dumps(found[-1].arguments, ensure_ascii=False)


def test_health_and_metrics_are_served(here: World) -> None:
    port = here.bots[0].port
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as response:
        assert json.loads(response.read())["ok"] is True
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as response:
        assert b"gpu_bot_answers_total" in response.read()


# ---------------------------------------------------------------- what can be echoed, what is secret

MARKUP = "<!channel> <@U02BOB> <https://x.example|y> *b* _i_ ~s~ `c` & < >"


@pytest.mark.parametrize(
    "text",
    [
        f"cheapest {MARKUP} for 72h on 4xA100",
        f"cheapest Z{MARKUP}9000 for 24h",
        "cheapest ZX<!channel>9000 for 24h",
        f"{MARKUP}?",
    ],
)
def test_nothing_that_is_echoed_is_live(here: World, text: str) -> None:
    reply = here.ask(text)
    everything = json.dumps(reply, ensure_ascii=False)
    for live in ("<!channel", "<!here", "<@U02BOB", "<https://x.example"):
        assert live not in everything


def test_no_secret_reaches_the_log_or_the_channel(here: World) -> None:
    everything = here.bots[0].log + "".join(here.bots[0].lines) + json.dumps(here.peer.messages())
    for secret in (BOT_TOKEN, APP_TOKEN, SECRET):
        assert secret not in everything
    assert "72h on" not in here.bots[0].log  # nor what people typed


def test_40000_characters_get_one_sentence(here: World) -> None:
    reply = here.ask("H100 " * 8000)
    assert "40,000" in reply["text"] or "39,999" in reply["text"]
    assert len(reply["text"]) < 200


def test_the_mention_may_stand_anywhere(here: World) -> None:
    ts = here.peer.write(f"hey <@{BOT_USER}>, {QUESTION}")
    assert TOTAL in json.dumps(here.peer.wait_reply(ts))
