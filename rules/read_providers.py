"""A provider's file to a Provider and its Offers; an overlay's file adds to what exists."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from rules.currency_codes import CURRENCIES, nearest_currency
from rules.facts import COMPLIANCE, LINKS, PROVIDER_KINDS
from rules.fields import Reader, Record, decimal_of, nearest
from rules.model import (
    FORMS,
    HOURS_PER_MONTH,
    PLANS,
    PRICE_UNITS,
    SOURCE_KINDS,
    Access,
    Billing,
    Note,
    Offer,
    PriceLine,
    Provider,
    Rate,
    Settlement,
    Source,
    SpotTerms,
    Text,
    Traits,
)
from rules.yamltext import Node

SOLD_AS = ("machine", "gpu")
STEP_HOURS: Mapping[str, Decimal] = {
    "second": Decimal(1) / 3600,
    "minute": Decimal(1) / 60,
    "hour": Decimal(1),
    "day": Decimal(24),
    "week": Decimal(168),
    "month": HOURS_PER_MONTH,
}
ACCESS_HOW = ("self_serve", "quota", "reservation", "sales", "unknown")
ACCESS_STOCK = ("seen", "none", "unknown")
FEE_UNITS = ("%", "month", "once", "gpu-hour", "machine-hour")
_HEADER = "name kind recheck_days"
_HEADER_MORE = "aliases billing sources transfer storage fees spot access traits notes ledger offers"
_SHAPE = "sku gpu gpus sold_as plan"
_SHAPE_MORE = "memory_gb form max_gpus max_machines regions billing spot traits"
_OFFER_MORE = "prices settled access notes ledger"
_LINE = "from says source seen"
Regions = tuple[str, ...] | None  # those a line may name; None: any


@dataclass(slots=True)
class Known:
    """Names that other files declared; None where no file declares them, so that nothing can be compared."""

    gpus: Collection[str] | None = None
    regions: Collection[str] | None = None


@dataclass(slots=True)
class Sheet:
    """What one provider's files said so far."""

    provider: Provider
    offers: dict[str, Offer] = field(default_factory=dict)


def read_provider(reader: Reader, root: Node, known: Known, sheets: Mapping[str, Sheet]) -> Sheet | None:
    """The sheet of the file's provider, or None when its header cannot be used.

    An overlay's file may leave out what the provider's sheet in ``sheets`` has already; offers with mistakes are
    left out of the sheet.
    """
    base = sheets.get(_id_of(root)) if reader.overlay else None
    required = "id" if base is not None else f"id {_HEADER}"
    optional = f"{_HEADER} {_HEADER_MORE}" if base is not None else _HEADER_MORE
    record = reader.record(root, "a provider", required, optional)
    if record is None:
        return None
    provider = _provider(record, known, base.provider if base else None)
    sheet = Sheet(provider, dict(base.offers) if base else {})
    sound = reader.errors == 0  # an offer's mistakes come later and cost that offer alone
    _Offers(record, known, sheet).read()
    return sheet if sound else None


def _id_of(root: Node) -> str:
    node = root.value.get("id") if type(root.value) is dict else None
    return node.value if node is not None and type(node.value) is str else ""


def _provider(record: Record, known: Known, base: Provider | None) -> Provider:
    name = record.id(lower=True)
    sources = _sources(record, base)
    lines = _Lines(record.reader, sources, known)
    transfer = record.record("transfer", "`transfer`", "", "out in")
    out = lines.read(transfer, "out", ("gb",), "free_gb_month") if transfer else ()
    into = lines.read(transfer, "in", ("gb",), "free_gb_month") if transfer else ()
    storage = lines.read(record, "storage", ("gb-month",), "whole_months")
    fees = lines.read(record, "fees", FEE_UNITS, "what")
    old = base or Provider(id=name, name=Text("", ""), kind="", recheck_days=1, place=record.place)
    return Provider(
        id=name,
        name=record.both("name") if "name" in record else old.name,
        kind=record.word("kind", PROVIDER_KINDS) if "kind" in record else old.kind,
        recheck_days=int(record.number("recheck_days", whole=True)) if "recheck_days" in record else old.recheck_days,
        place=old.place,
        aliases=tuple(dict.fromkeys(old.aliases + record.texts("aliases"))),
        billing=_billing(record) or old.billing,
        sources=sources,
        transfer_out=old.transfer_out + out,
        transfer_in=old.transfer_in + into,
        storage=old.storage + storage,
        fees=old.fees + fees,
        spot=_spot(record, sources) or old.spot,
        access=_access(record) or old.access,
        traits=_traits(record) or old.traits,
        notes=old.notes + read_notes(record, sources),
        ledger=old.ledger + record.ledger(name),
    )


def _sources(record: Record, base: Provider | None) -> dict[str, Source]:
    found = dict(base.sources) if base else {}
    node = record.node("sources")
    if node is None:
        return found
    if type(node.value) is not dict:
        record.error("sources", "`sources` is not a mapping", "write each as `key: {kind: …, title: …, url: …}`")
        return found
    for key, item in node.value.items():
        one = record.reader.record(item, f"source `{key}`", "kind title", "url")
        if one is None:
            continue
        source = Source(key, one.text("title"), one.word("kind", SOURCE_KINDS), one.url_or_none())
        if key in found and found[key] != source:
            record.reader.error(item.key_line, f"source `{key}` is another one already", "give this one its own key")
        found[key] = source
    return found


def _billing(record: Record) -> Billing | None:
    one = record.record("billing", "`billing`", "", "step minimum_hours")
    if one is None:
        return None
    step = one.word_or_none("step", STEP_HOURS) or None
    minimum = one.number_or_none("minimum_hours", zero=True)
    return Billing(step, STEP_HOURS[step] if step else None, Decimal(0) if minimum is None else minimum)


def _spot(record: Record, sources: Mapping[str, Source]) -> SpotTerms | None:
    one = record.record("spot", "`spot`", "interruptions_per_hour", "restart_hours source seen")
    if one is None:
        return None
    rate = one.number_or_none("interruptions_per_hour", zero=True)
    restart = one.number_or_none("restart_hours", zero=True)
    source = _source_of(one, sources) if "source" in one else None
    if rate is not None and (source is None or "seen" not in one):
        one.error(
            "interruptions_per_hour", "an interruption rate has no source", "add `source` and `seen`, or write null"
        )
    return SpotTerms(rate, restart, source, one.day_or_none("seen"), one.place)


def _access(record: Record) -> Access | None:
    one = record.record("access", "`access`", "", "how stock seen url")
    if one is None:
        return None
    return Access(
        how=one.word_or_none("how", ACCESS_HOW) or "unknown",
        stock=one.word_or_none("stock", ACCESS_STOCK) or "unknown",
        seen=one.day_or_none("seen"),
        url=one.url_or_none(),
    )


def _traits(record: Record) -> Traits | None:
    flags = ("managed", "kubernetes", "jupyter", "windows", "low_latency", "multi_node")
    one = record.record("traits", "`traits`", "", f"compliance interconnect sla support {' '.join(flags)}")
    if one is None:
        return None
    return Traits(
        compliance=_trait_words(one, "compliance", COMPLIANCE),
        interconnect=_trait_words(one, "interconnect", LINKS),
        sla=one.number_or_none("sla", zero=True),
        support=one.text_or_none("support"),
        **{flag: one.flag_or_none(flag) for flag in flags},
    )


def _trait_words(record: Record, key: str, usual: Collection[str]) -> tuple[str, ...] | None:
    # New certificates and networks appear; a word that only looks like a usual one would never meet a need.
    if record.node(key) is None:
        return None
    words = record.texts(key)
    for word in words:
        near = "" if word in usual else nearest(word, usual)
        if near:
            record.reader.warning(
                record.line_of(key), f"`{key}` has the unusual word `{word}`", "use the usual one", near
            )
    return words


def read_notes(record: Record, sources: Mapping[str, Source]) -> tuple[Note, ...]:
    """Notes ``{en, zh, source?, seen?}``; ``source`` is a key of ``sources`` or a source itself."""
    found = []
    for one in record.records("notes", "a note", "en zh", "source seen ledger"):
        node = one.node("source")
        if node is not None and type(node.value) is dict:
            inline = one.record("source", "a source", "kind title", "url")
            source = inline.source("note") if inline else None
        else:
            source = _source_of(one, sources) if node is not None else None
        text = Text(one.text("en"), one.text("zh"))
        found.append(Note(text, source, one.day_or_none("seen"), one.place, one.ledger("note")))
    return tuple(found)


def _source_of(record: Record, sources: Mapping[str, Source]) -> Source | None:
    key = record.word("source", sources, "declare it under the provider's `sources`")
    return sources.get(key)


# ---------------------------------------------------------------- price lines


@dataclass(frozen=True, slots=True)
class _Lines:
    """Reads price lines; knows the sources and regions a line may name."""

    reader: Reader
    sources: Mapping[str, Source]
    known: Known

    def read(
        self, record: Record, key: str, units: Collection[str], more: str = "", within: Regions = None
    ) -> tuple[PriceLine, ...]:
        """The lines under ``key``; ``more`` names the extra keys of this kind of line, ``within`` the legal regions."""
        found = []
        for one in record.records(key, "a price line", _LINE, f"checked regions ledger {more}"):
            line = self._line(one, units, within, closes="gpu-hour" in units and "%" not in units)
            if line is not None:
                found.append(line)
        return tuple(found)

    def _line(self, one: Record, units: Collection[str], within: Regions, closes: bool) -> PriceLine | None:
        says = one.text("says")
        rate = read_phrase(one, says, units, closes) if says else None
        source = _source_of(one, self.sources)
        start, seen, checked = one.day("from"), one.day("seen"), one.day_or_none("checked")
        if checked is not None and checked < seen:
            one.error("checked", f"`checked: {checked}` is before `seen: {seen}`", "write the day of the last look")
        one.ledger("price line")
        regions = read_regions(one, self.known, within)
        if source is None:
            return None
        return PriceLine(
            start=start,
            says=says,
            rate=rate,
            source=source,
            seen=seen,
            place=one.place,
            checked=checked,
            regions=regions,
            free_gb_month=one.number_or_none("free_gb_month", zero=True),
            whole_months=one.flag_or_none("whole_months") or False,
            what=one.both_or_none("what"),
            overlay=self.reader.overlay,
        )


def read_regions(record: Record, known: Known, within: Regions = None) -> tuple[str, ...]:
    """Region codes in lower case, each in the region table and, where ``within`` is given, in it."""
    found = []
    for written in record.texts("regions"):
        code = written.lower()
        if known.regions is not None and code not in known.regions:
            near = nearest(code, known.regions)
            record.error("regions", f"region `{written}` is not in regions.yaml", "add it there or name another", near)
        elif within is not None and code not in within:
            what = f"region `{written}` is not one of the offer's"
            fix = f"name {', '.join(within)} or add it to the offer" if within else "give the offer its `regions` first"
            record.error("regions", what, fix, nearest(code, within))
        found.append(code)
    return tuple(found)


def read_phrase(record: Record, says: str, units: Collection[str], closes: bool) -> Rate | None:
    """What a price line says, ``NUMBER CUR/unit`` or ``NUMBER %``; None for ``not sold`` and ``retired``."""
    if says == "not sold" or (says == "retired" and closes):
        return None
    words = says.split(" ")
    amount = decimal_of(words[0])
    if len(words) != 2 or amount is None or amount < 0:
        record.error(
            "says", f"`{says}` is no price phrase", _phrase_fix(units, closes), _phrase_near(says, units, closes)
        )
        return None
    if words[1] == "%" and "%" in units:
        return Rate(amount, None, "%")
    currency, slash, unit = words[1].partition("/")
    if not slash or unit not in units:
        near = nearest(unit if slash else currency, units)
        record.error("says", f"`{words[1]}` has no unit that is legal here", _phrase_fix(units, closes), near)
    elif currency not in CURRENCIES:
        near = nearest_currency(currency)
        record.error("says", f"`{currency}` is no currency code", "write its three capitals, as USD or CNY", near)
    else:
        return Rate(amount, currency, unit)
    return None


def _phrase_fix(units: Collection[str], closes: bool) -> str:
    forms = [f"`1.49 USD/{unit}`" if n == 0 else f"/{unit}" for n, unit in enumerate(u for u in units if u != "%")]
    percent = ["`3 %`"] if "%" in units else []
    return f"write {', '.join([*forms, *percent, '`not sold`', *(['`retired`'] if closes else [])])}"


def _phrase_near(says: str, units: Collection[str], closes: bool) -> str:
    if says.endswith("%") and "%" in units and decimal_of(says[:-1]) is not None:
        return f"{says[:-1]} %"
    return nearest(says, ["not sold", *(["retired"] if closes else [])])


# ---------------------------------------------------------------- offers


class _Offers:
    """The offers of one file, added to the provider's sheet."""

    def __init__(self, record: Record, known: Known, sheet: Sheet) -> None:
        self.record = record
        self.reader = record.reader
        self.known = known
        self.sheet = sheet
        self.lines = _Lines(record.reader, sheet.provider.sources, known)
        self.here: dict[str, int] = {}  # id -> line, in this file

    def read(self) -> None:
        node = self.record.node("offers")
        for item in self.reader.items(node, "an offer") if node is not None else ():
            before = self.reader.errors
            offer = self._offer(item)
            if offer is not None and self.reader.errors == before:
                self.sheet.offers[offer.id] = offer

    def _offer(self, item: Node) -> Offer | None:
        name = _id_of(item)
        base = self.sheet.offers.get(name) if self.reader.overlay and name not in self.here else None
        if base is not None:
            one = self.reader.record(item, f"offer {name}", "id", f"{_SHAPE} {_SHAPE_MORE} {_OFFER_MORE}")
        else:
            what = f"offer {name}" if name else "an offer"
            one = self.reader.record(item, what, f"id {_SHAPE}", f"{_SHAPE_MORE} {_OFFER_MORE}")
        if one is None:
            return None
        name = one.id()
        if name in self.here:
            one.error(
                "id", f"offer id {name} stands twice", f"line {self.here[name]} has it already; give each its own"
            )
        self.here[name] = one.line
        return self._add(one, base) if base is not None else self._whole(one, name)

    def _whole(self, one: Record, name: str) -> Offer:
        gpus = one.number("gpus")
        if gpus > 1 and gpus != gpus.to_integral_value():
            one.error(
                "gpus",
                f"`gpus: {gpus}` is neither whole nor a slice",
                "write a whole number, or less than 1 for a slice",
            )
        sold_as = one.word("sold_as", SOLD_AS)
        regions = read_regions(one, self.known)
        return Offer(
            id=name,
            provider=self.sheet.provider.id,
            sku=one.text("sku"),
            gpu=self._gpu(one),
            gpus=gpus,
            sold_as=sold_as,
            plan=one.word("plan", PLANS),
            place=one.place,
            memory_gb=one.number_or_none("memory_gb"),
            form=one.word_or_none("form", FORMS) or None,
            max_gpus=self._max_gpus(one, sold_as, gpus),
            regions=regions,
            prices=self._prices(one, regions),
            settled=self._settled(one),
            traits=_traits(one),
            billing=_billing(one),
            spot=_spot(one, self.sheet.provider.sources),
            access=_access(one),
            notes=read_notes(one, self.sheet.provider.sources),
            ledger=one.ledger(name),
            max_machines=self._max_machines(one),
        )

    def _add(self, one: Record, base: Offer) -> Offer:
        """An overlay's lines under an offer that exists; what it repeats must be what the offer says."""
        for key in (*_SHAPE.split(), *_SHAPE_MORE.split()):
            if key in one and not _repeats(one.fields[key], getattr(base, key)):
                one.error(
                    key, f"`{key}` of {base.id} is set by its own file", "leave it out, or give the offer a new id"
                )
        return replace(
            base,
            prices=base.prices + self._prices(one, base.regions),
            settled=base.settled + self._settled(one),
            access=_access(one) or base.access,
            notes=base.notes + read_notes(one, self.sheet.provider.sources),
            ledger=base.ledger + one.ledger(base.id),
        )

    def _gpu(self, one: Record) -> str:
        value = one.text("gpu")
        gpus = self.known.gpus
        if value and gpus is not None and value not in gpus:
            one.error(
                "gpu", f"`gpu: {value}` is no model of gpus.yaml", "write a model, not an alias", nearest(value, gpus)
            )
        return value

    def _max_gpus(self, one: Record, sold_as: str, gpus: Decimal) -> Decimal | None:
        most = one.number_or_none("max_gpus", whole=True)
        if sold_as == "gpu" and most is None:
            what = f"{one.what} is `sold_as: gpu` and has no `max_gpus`"
            one.error("sold_as", what, "add `max_gpus`, the most GPUs of one machine")
        elif sold_as == "machine" and most is not None:
            one.error(
                "max_gpus", "`max_gpus` is of no use with `sold_as: machine`", "delete it, or write `sold_as: gpu`"
            )
        elif most is not None and most < gpus:
            one.error("max_gpus", f"`max_gpus: {most}` is below `gpus: {gpus}`", "write the most GPUs of one machine")
        return most

    def _max_machines(self, one: Record) -> Decimal | None:
        most = one.number_or_none("max_machines", whole=True)
        if most is not None and most < 1:
            one.error("max_machines", f"`max_machines: {most}` leaves none to rent", "write 1 or more, or leave it out")
        return most

    def _prices(self, one: Record, within: tuple[str, ...]) -> tuple[PriceLine, ...]:
        return self.lines.read(one, "prices", PRICE_UNITS, within=within)

    def _settled(self, one: Record) -> tuple[Settlement, ...]:
        sources = self.sheet.provider.sources
        found = []
        for settled in one.records("settled", "a settlement", "of keep because decided"):
            of = self._settled_of(settled, sources)
            keep = settled.word("keep", [key for key, _ in of]) if of else ""
            decided = settled.day("decided")
            found.append(Settlement(of, keep, settled.text("because"), decided, settled.place))
        return tuple(found)

    def _settled_of(self, settled: Record, sources: Iterable[str]) -> tuple[tuple[str, date], ...]:
        node = settled.fields.get("of")
        pairs = node.value if node is not None else {}
        if type(pairs) is not dict or (node is not None and len(pairs) < 2):
            settled.error("of", "a settlement is between two sources", "write `of: {SOURCE: START, OTHER: START}`")
            return ()
        found = []
        for key, start in pairs.items():
            if key not in sources:
                near = nearest(key, list(sources))
                self.reader.error(start.key_line, f"source `{key}` is not known", "name a source of the provider", near)
            found.append((key, self.reader.day(start, key) or date.min))
        return tuple(found)


def _repeats(node: Node, value: object) -> bool:
    if isinstance(value, Decimal):
        return type(node.value) is str and decimal_of(node.value) == value
    if isinstance(value, tuple):
        return type(node.value) is list and tuple(str(item.value).lower() for item in node.value) == value
    return value is not None and node.value == value
