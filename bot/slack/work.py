"""The work of an item: read, answer, keep, post. Nothing here knows how Slack delivered it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from slack_sdk.errors import SlackApiError

from bot import metrics
from bot.catalog import Reloader
from bot.question import ThreadState
from bot.settings import Settings
from bot.slack import answering, conversation, mailing, subscribing, watching
from bot.slack.answering import Asked, Given
from bot.slack.bench import office, wish
from bot.slack.desk import Later
from bot.slack.people import People
from bot.slack.posting import CannotPostError, Place, Poster, error_name
from bot.slack.text import clip, escape, mrkdwn, tell
from bot.slack.views import answer as answer_view
from bot.slack.views import home, kit, offers
from bot.slack.views.kit import Message
from bot.store import LOCAL, Database, StoreAwayError, measured
from bot.store.answers import Feedback, KeptAnswer, put_feedback
from bot.store.conversations import Thread, put_thread, thread
from bot.store.digests import Subscription
from bot.store.inbox import Item
from rules.model import Catalog, Parsed, Question

if TYPE_CHECKING:
    from bot.ask import Merge
    from bot.feeds.reader import FeedIndex
    from bot.jobs import Jobs
    from bot.slack.bench.office import Bench

log = logging.getLogger(__name__)

DIRECT = ""  # stands for the thread of a conversation with one person, beside the threads in it
_FRAGMENT_MINUTES = 30  # how long words that say nothing alone go on with the last question of such a conversation
SHORT_CSV = 3_400


@dataclass(frozen=True, slots=True)
class Bot:
    """What the work needs: where to look, where to write, and the clock."""

    settings: Settings
    database: Database
    knowledge: Reloader
    poster: Poster
    people: People
    user: str  # the bot's own user id
    team: str
    jobs: Jobs | None = None  # who keeps the clock of digests; without it they are only written down
    feeds: FeedIndex | None = None
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    bench: Bench | None = None  # who measures hosts; without it nothing is measured

    @property
    def catalog(self) -> Catalog:
        return self.knowledge.catalog

    @property
    def merge(self) -> Merge | None:
        """What adds the price feeds to a catalogue."""
        return None if self.feeds is None else self.feeds.merged

    def readings(self) -> list[Mapping[str, Any]]:
        """What the team measured up to today, as answers use it."""
        return measured.of_database(self.database, self.now().date())

    def look_at_feeds(self) -> bool:
        """Answer from what was saved a moment ago; True when that is news, which watched prices are then held to."""
        if self.feeds is None or not self.feeds.refresh():
            return False
        watching.look_after(self, f"feeds {self.feeds.digest}")
        return True

    # ------------------------------------------------------------ the entrance

    def answer(self, item: Item) -> Later | None:
        """Do the work of an item; what it raises goes to ``fail``."""
        return _WORK[item.kind](self, item, Place.from_json(item.body["place"]))

    def fail(self, item: Item, error: BaseException) -> Later | None:
        """Tell the asker, and only the asker, in one sentence: where the bot may not write, or an id that the log
        knows."""
        place = Place.from_json(item.body["place"])
        if isinstance(error, CannotPostError):
            return self._tell_closed(item, place)
        id_ = secrets.token_hex(4)
        log.error("an item failed", extra={"log_id": id_, "kind": item.kind}, exc_info=error)
        key = "error.away" if isinstance(error, StoreAwayError) else "error.log"
        return self.poster.respond(place, Message(escape(tell(key, self.lang_of(item, place), id=id_))))

    def lang_of(self, item: Item, place: Place) -> str:
        """The language of what was typed where it shows one, otherwise of the person."""
        text = str(item.body.get("text", ""))
        return "zh" if any("\u4e00" <= char <= "\u9fff" for char in text) else self.people.lang(place.user)

    def _tell_closed(self, item: Item, place: Place) -> Later | None:
        """The channel is closed to the bot: say so to the asker alone, by a direct message."""
        lang = self.people.lang(place.user)
        if item.kind == "share":
            named = f"<#{escape(str(item.body['to']))}>"
            return self.poster.respond(place, Message(tell("share.failed", lang, channel=named)))
        sentence = tell("error.not_in_channel", lang, channel=f"<#{escape(place.channel)}>")
        if place.response_url is not None:
            return self.poster.respond(place, Message(sentence))
        opened = self.poster.client.conversations_open(users=place.user)
        direct = str((opened.get("channel") or {})["id"])
        return self.poster.whisper(replace(place, channel=direct, thread_ts=None), Message(sentence))

    # ------------------------------------------------------------ questions

    def question(self, item: Item, place: Place) -> Later | None:
        """A message, a command or a shortcut: read it in its thread and answer."""
        text = conversation.clean(str(item.body["text"]), self.user)
        overheard = bool(item.body.get("overheard"))
        found = self._attached(item, place, text)
        if found is not None:
            return self.say(item, place, found, self.lang_of(item, place))
        state = self._state(place, text, fresh=bool(item.body.get("fresh")))
        if overheard and (state is None or state.asker != place.user):
            return None
        if len(text) > conversation.MOST_CHARS:
            return None if overheard else self._too_long(item, place, len(text))
        if not text:
            lang = self.people.lang(place.user)
            return self.say(item, place, Message(escape(tell("error.empty", lang, one=tell("prompt.1", lang)))), lang)
        if not overheard and watching.is_order(text):
            return subscribing.watch(self, item, self._answer_place(item, place))
        read = conversation.overhear if overheard else conversation.hear
        heard = read(text, None if state is None else state.state, self.catalog)
        if not heard.speak or (place.is_direct and state is not None and conversation.is_courtesy(heard, text)):
            return None
        lang = conversation.language(text, heard.parsed, self.catalog) or self.people.lang(place.user)
        if heard.parsed.question.intent == "digest" and heard.parsed.question.action is not None:
            return subscribing.asked(self, item, self._answer_place(item, place), heard.parsed.question, text, lang)
        if heard.parsed.question.intent == "benchmark" and self.bench is not None:
            return self._benchmark(item, place, heard, lang, text)
        return self._give(item, place, heard.parsed, heard.state, lang, text)

    def _benchmark(self, item: Item, place: Place, heard: conversation.Heard, lang: str, text: str) -> Later | None:
        """A sentence about a benchmark: the same as the command, in the thread where it was said."""
        assert self.bench is not None
        question, target = heard.parsed.question, self._answer_place(item, place)
        asked = wish.said(text, action=question.action, host=question.host, dtype=question.dtype)

        def then(ts: str) -> None:
            if heard.state is not None:
                self._remember(target, target.thread_ts or ts, heard.state, lang, "", ts)

        alone = place.response_url is not None  # the shortcut, or /gpu: there is no thread to go on in
        spoken = replace(target, response_url=None, ephemeral=False)
        return self.bench.do(asked, office.Asked(item, place, spoken, lang, None if alone else then))

    def _attached(self, item: Item, place: Place, text: str) -> Message | None:
        """What is said of a message because of its file: the verdict, where it is a result of the benchmark."""
        file = item.body.get("file")
        if file is None or self.bench is None:
            return None
        return self.bench.attached(str(file), self.lang_of(item, place), alone=not text)

    def measure(self, item: Item, place: Place) -> Later | None:
        """What was asked with /gpu-bench."""
        assert self.bench is not None
        return self.bench.work(item, place)

    def cancel_bench(self, item: Item, place: Place) -> Later | None:
        """The button under a benchmark that waits or runs."""
        assert self.bench is not None
        return self.bench.cancel_post(item, place)

    def _state(self, place: Place, text: str, *, fresh: bool) -> _Known | None:
        """What the thread has asked so far. Alone with the bot, words that say nothing by themselves go on with the
        last question."""
        if fresh:
            return None
        if place.thread_ts is not None:
            return _known(thread(self.database, place.team, place.channel, place.thread_ts))
        if not place.is_direct:
            return None
        last = thread(self.database, place.team, place.channel, DIRECT)
        if last is None or (self.now() - last.at).total_seconds() > _FRAGMENT_MINUTES * 60:
            return None
        alone = conversation.hear(text, None, self.catalog).parsed
        stands = alone.question.intent not in ("unsupported",) and not alone.question.clarify
        return None if stands or alone.unknown_models else _known(last)

    def _too_long(self, item: Item, place: Place, n: int) -> Later | None:
        lang = self.lang_of(item, place)
        return self.say(item, place, Message(tell("error.long", lang, n=n, most=conversation.MOST_CHARS)), lang)

    def say(self, item: Item, place: Place, message: Message, lang: str) -> Later | None:
        """A sentence in place of an answer."""
        if place.response_url is not None:
            return self.poster.respond(place, message)
        return self.poster.first(item.key, self._answer_place(item, place), message, lambda _: None, lang)

    def _answer_place(self, item: Item, place: Place) -> Place:
        """Answers in a channel go to the thread of the question; alone with the bot they follow it."""
        if place.thread_ts is not None or place.is_direct:
            return place
        return replace(place, thread_ts=str(item.body["ts"])) if item.body.get("ts") else place

    def _give(
        self, item: Item, place: Place, reading: Parsed | Question, state: ThreadState | None, lang: str, text: str = ""
    ) -> Later | None:
        given = answering.give(reading, self.catalog, self.now().date(), lang, self.merge, self.readings())
        target = self._answer_place(item, place)
        self._keep(given, replace(target, user=str(item.body.get("author") or target.user)), text)
        message = given.message(place.user, self.catalog)
        metrics.answers.labels(str(given.data["status"])).inc()
        if place.response_url is not None:
            return self.poster.respond(place, message)
        then = partial(self._posted, item, target, given, state, lang)
        return self.poster.first(item.key, target, message, then, lang)

    def _keep(self, given: Given, place: Place, text: str = "") -> None:
        """Keep an answer with who wrote the question, which for the shortcut is not who used it."""
        asked = Asked(place.team, place.user, place.channel, place.thread_ts)
        written = text if self.settings.log_questions else None
        answering.keep(self.database, given, asked, self.now(), written or None)

    def _posted(
        self, item: Item, place: Place, given: Given, state: ThreadState | None, lang: str, ts: str
    ) -> None:  # fmt: skip
        """Remember the thread once its answer stands there."""
        metrics.answer_seconds.observe(max((self.now() - item.at).total_seconds(), 0))
        if state is not None:
            self._remember(place, place.thread_ts or ts, state, lang, given.id, ts)
            if place.is_direct:
                self._remember(place, DIRECT, state, lang, given.id, ts)

    def _remember(
        self, place: Place, thread_ts: str, state: ThreadState, lang: str, answer: str, ts: str | None
    ) -> None:  # fmt: skip
        before = thread(self.database, place.team, place.channel, thread_ts)
        if before is not None and before.asker != place.user:
            return  # the thread stays with who began it
        put_thread(
            self.database,
            Thread(
                place.team, place.channel, thread_ts, place.user, lang, state.to_json(), self.now(), answer, ts
            ),
        )  # fmt: skip

    # ------------------------------------------------------------ controls under an answer

    def press(self, item: Item, place: Place) -> Later | None:
        """A control that changes the question: the asker's answer changes in place, others get their own."""
        found = self._kept(item)
        if found is None:
            return self.gone(place)
        kept, data = found
        lang = answering.language_of(data)
        try:
            changes = self._changes(str(item.body["key"]), kept, data)
            question = conversation.changed(data["question"], changes)
        except ValueError:
            return self.gone(place)
        return self._give_changed(item, place, question, lang)

    def _changes(self, key: str, kept: KeptAnswer, data: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            return answer_view.change(key, data["question"])
        except ValueError:
            given = answering.same_again(kept, data, self.catalog, self.merge, self.readings())
            actions = () if given is None else given.document.actions
            found = next((action for action in actions if action.key == key), None)
            if found is None:
                raise
            return found.change

    def edited(self, item: Item, place: Place) -> Later | None:
        """A submitted form: the same as a control, with several slots at once."""
        found = self._kept(item)
        if found is None:
            return self.gone(place)
        data = found[1]
        question = conversation.changed(data["question"], item.body["changes"])
        return self._give_changed(item, place, question, answering.language_of(data))

    def picked(self, item: Item, place: Place) -> Later | None:
        """One of the ready questions."""
        text = str(item.body["text"])
        heard = conversation.hear(text, None, self.catalog)
        lang = conversation.language(text, heard.parsed, self.catalog) or self.people.lang(place.user)
        return self._give_changed(item, place, heard.parsed, lang, heard.state)

    def _give_changed(
        self, item: Item, place: Place, reading: Parsed | Question, lang: str, state: ThreadState | None = None
    ) -> Later | None:
        asker = str(item.body["asker"])
        question = reading.question if isinstance(reading, Parsed) else reading
        given = answering.give(reading, self.catalog, self.now().date(), lang, self.merge, self.readings())
        self._keep(given, place)
        metrics.answers.labels(str(given.data["status"])).inc()
        state = state or ThreadState(question)
        if place.user == asker:
            if not place.ephemeral and place.message_ts is not None:
                self._remember(place, place.thread_ts or place.message_ts, state, lang, given.id, place.message_ts)
                if place.is_direct:
                    self._remember(place, DIRECT, state, lang, given.id, place.message_ts)
            return self.poster.update(place, given.message(asker, self.catalog))
        own = replace(place, thread_ts=place.thread_ts or place.message_ts, message_ts=None)
        note = tell("error.not_yours", lang)
        message = given.message(place.user, self.catalog, note)
        return self.poster.first(item.key, own, message, lambda _: None, lang)

    def _kept(self, item: Item) -> tuple[KeptAnswer, Mapping[str, Any]] | None:
        return answering.again(self.database, item.team_id, str(item.body["answer"]))

    def gone(self, place: Place) -> Later | None:
        """Say that an answer is kept no longer."""
        sentence = tell("answer.gone", self.people.lang(place.user))
        return self.poster.respond(place, Message(escape(sentence)))

    # ------------------------------------------------------------ the overflow menu

    def more(self, item: Item, place: Place) -> Later | None:
        """All offers, the CSV, saving the quoted price: a reply in the thread, or to the person alone."""
        found = self._kept(item)
        if found is None:
            return self.gone(place)
        kept, data = found
        lang = answering.language_of(data)
        choice = str(item.body["key"])
        if choice == "offers":
            names = {one.id: one.name.say(lang) for one in self.catalog.providers.values()}
            return self._reply(item, place, offers.offers(data, kept.id, names, lang), lang)
        if choice == "csv":
            return self._csv(item, place, kept.id, data, lang)
        return self._save(place, kept, data, lang)

    def _reply(self, item: Item, place: Place, message: Message, lang: str) -> Later | None:
        if place.ephemeral:
            return self.poster.respond(place, message)
        target = replace(place, thread_ts=place.thread_ts or place.message_ts, message_ts=None)
        return self.poster.first(item.key, target, message, lambda _: None, lang)

    def _csv(self, item: Item, place: Place, id_: str, data: Mapping[str, Any], lang: str) -> Later | None:
        text = offers.as_csv(data, id_)
        title = tell("csv.title", lang, id=id_)
        if not place.ephemeral:
            try:
                self.poster.client.files_upload_v2(
                    channel=place.channel, thread_ts=place.thread_ts or place.message_ts, content=text,
                    filename=tell("csv.name", lang, id=id_), title=title, initial_comment=escape(title),
                )  # fmt: skip
            except SlackApiError as error:
                log.info("the file could not be sent (%s); sending its text", error_name(error))
            else:
                return None
        inline = offers.csv_as_text(text, lang, SHORT_CSV)
        return self._reply(item, place, Message(inline), lang)

    def _save(self, place: Place, kept: KeptAnswer, data: Mapping[str, Any], lang: str) -> Later | None:
        if not answer_view.names_a_price(data):
            return self.poster.respond(place, Message(escape(tell("save.none", lang))))
        return self.poster.respond(place, Message(subscribing.save_quote(self, place, kept, data, lang)))

    def share(self, item: Item, place: Place) -> Later | None:
        """Post a kept answer where the person chose, with their name as plain text."""
        found = self._kept(item)
        if found is None:
            return self.gone(place)
        kept, data = found
        lang = answering.language_of(data)
        target = replace(place, channel=str(item.body["to"]), thread_ts=None, message_ts=None, response_url=None)
        message = self._shared(kept, data, place.user, lang)
        return self.poster.first(item.key, target, message, lambda _: None, lang)

    def _shared(self, kept: KeptAnswer, data: Mapping[str, Any], user: str, lang: str) -> Message:
        given = answering.same_again(kept, data, self.catalog, self.merge, self.readings())
        if given is not None:
            return given.message(user, self.catalog)
        lines = [str(data["headline"]), *(str(line) for line in data.get("also", []))]
        first = kit.section("\n".join([f"*{mrkdwn(lines[0])}*", *(mrkdwn(line) for line in lines[1:])]), "headline")
        small = kit.context(
            [*answer_view.sources(data.get("sources", ()), lang),
             tell("answer.id", lang, id=kept.id, date=str(data["as_of"]))],
            "small_print",
        )  # fmt: skip
        blocks = kit.dump([first, small])
        return Message(kit.top_text(lines), blocks, blocks)

    def feedback(self, item: Item, place: Place) -> Later | None:
        """Keep an opinion with its answer."""
        body = item.body
        reason = body.get("reason")
        put_feedback(
            self.database,
            Feedback(
                place.team, str(body["answer"]), place.user, bool(body["good"]), self.now(),
                None if reason is None else clip(str(reason), 1_000),
            ),
        )  # fmt: skip
        if reason is None:
            return None
        lang = self.people.lang(place.user)
        return self.poster.respond(place, Message(escape(tell("feedback.thanks", lang))))

    # ------------------------------------------------------------ words instead of answers

    def sentence(self, item: Item, place: Place) -> Later | None:
        """Help, or that something is not connected yet: to the person alone."""
        lang = self.lang_of(item, place)
        key = str(item.body["say"])
        slots = {
            name: tell(value[1:], lang) if value[:1] == "@" else value for name, value in item.body["slots"].items()
        }
        said = home.help_text(lang) if key == "help.gpu" else escape(tell(key, lang, **slots))
        return self.poster.respond(place, Message(said))

    def greet(self, item: Item, place: Place) -> Later | None:
        """Someone opened the app: draw the home tab, or offer questions to start with."""
        lang = self.people.lang(place.user)
        client = self.poster.client
        if item.body.get("tab") == "messages":
            try:
                client.assistant_threads_setSuggestedPrompts(channel_id=place.channel, prompts=home.prompts(lang))
            except SlackApiError as error:  # an app without the agent container has no prompts
                log.info("no suggested prompts: %s", error_name(error))
            return None
        view = home.home(*self._home_data(place.team, lang), self.version, lang)
        return self.poster.repeatable(lambda: client.views_publish(user_id=place.user, view=view))

    @property
    def version(self) -> str:
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("gpu-bot")
        except PackageNotFoundError:
            return "?"

    def _home_data(self, team: str, lang: str) -> tuple[home.Data, list[home.Digest], list[tuple[str, str]]]:
        from bot.store import benches, digests

        wishes = [
            home.Digest(one.channel, one.period, _time_of(one, lang), one.zone)
            for one in digests.subscriptions(self.database, team)
        ]
        hosts = [(one.name, one.state) for one in benches.hosts(self.database, LOCAL)]
        return data_of(self.catalog, self.now().date()), wishes, hosts


@dataclass(frozen=True, slots=True)
class _Known:
    """What a thread has asked so far, and who asked."""

    asker: str
    state: ThreadState | None


def _known(row: Thread | None) -> _Known | None:
    return None if row is None else _Known(row.asker, conversation.state_of(row.question))


def _time_of(wish: Subscription, lang: str) -> str:
    """Day and hour of a digest; that it is paused, and why, where it is."""
    day = "" if wish.weekday is None else tell(f"weekday.{wish.weekday}", lang) + " "
    paused = wish.paused_because
    said = "" if paused is None else f" ({tell('subscription.paused', lang, reason=mailing.reason(paused, lang))})"
    return f"{day}{wish.hour:02}:{wish.minute:02}{said}"


def data_of(catalog: Catalog, today: date) -> home.Data:
    """How much the catalogue knows, and how old it is, on a date."""
    from rules.prices import last_look, offer_price

    priced, stale, newest = 0, 0, None
    for offer in catalog.offers:
        used = offer_price(offer, catalog.providers[offer.provider], today, catalog.currencies).used
        if used is None or used.line.rate is None:
            continue
        priced += 1
        stale += used.stale
        looked = last_look(used.line)
        newest = looked if newest is None or looked > newest else newest
    return home.Data(len(catalog.providers), len(catalog.offers), priced, stale, newest)


_WORK: dict[str, Callable[[Bot, Item, Place], Later | None]] = {
    "question": Bot.question,
    "press": Bot.press,
    "edited": Bot.edited,
    "picked": Bot.picked,
    "more": Bot.more,
    "share": Bot.share,
    "feedback": Bot.feedback,
    "sentence": Bot.sentence,
    "greet": Bot.greet,
    "bench": Bot.measure,
    "bench_cancel": Bot.cancel_bench,
    "subscribe": subscribing.subscribe,
    "unsubscribe": subscribing.unsubscribe,
    "listed": subscribing.listed,
    "watch": subscribing.watch,
    "unwatch": subscribing.unwatch,
}
