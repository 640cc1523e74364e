"""Does a catalogue make sense? Small checks over the values, each mistake with its place.

Reading found what is misspelt; these find what is well written and still cannot be so, or needs a look. An error is
wrong in itself; a warning may be true in the market and is worth a second look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise

from rules.fields import nearest
from rules.model import Catalog, Gpu, Offer, Place, PriceLine, Problem, Provider, Rule, Text
from rules.prices import age_days, in_force, last_look, offer_price, to_usd
from rules.remember import usd_per_gpu_hour

OUTLIER = 10  # times the median of a model: a slipped decimal point rather than a market
COMMITMENTS = ("on_demand", "reserved_1y", "reserved_3y")  # each should cost no more than the one before it

Check = Callable[["Prices"], Iterator[Problem]]


@dataclass(frozen=True, slots=True)
class Priced:
    """An offer's price in one region at the date: USD per GPU-hour, and the line that says it."""

    offer: Offer
    region: str | None
    usd: Decimal
    line: PriceLine
    others: tuple[PriceLine, ...]

    @property
    def machine_usd(self) -> Decimal:
        return self.usd * self.offer.gpus


@dataclass(frozen=True, slots=True)
class Prices:
    """What the checks look at: the catalogue, the date, and every price in force."""

    catalog: Catalog
    as_of: date
    rows: tuple[Priced, ...]


def check(catalog: Catalog, as_of: date) -> tuple[Problem, ...]:
    """Everything that looks wrong in the catalogue at ``as_of``, sorted by place."""
    prices = Prices(catalog, as_of, tuple(_priced(catalog, as_of)))
    found = [problem for one in CHECKS for problem in one(prices)]
    return tuple(
        sorted(dict.fromkeys(found), key=lambda p: (p.place.file, p.place.line, p.level, p.what)),
    )


def _priced(catalog: Catalog, as_of: date) -> Iterator[Priced]:
    for offer in catalog.offers:
        provider = catalog.providers.get(offer.provider)
        if provider is None:
            continue
        apart = any(line.regions for line in offer.prices)  # otherwise every region has the same price
        for region in (offer.regions if apart else offer.regions[:1]) or (None,):
            used = offer_price(offer, provider, as_of, catalog.currencies, region).used
            rate = used.line.rate if used is not None else None
            usd = None if rate is None else usd_per_gpu_hour(rate, offer, catalog, as_of)
            if used is not None and usd is not None:
                for one in (region,) if apart else offer.regions or (None,):
                    yield Priced(offer, one, usd, used.line, used.others)


def _error(place: Place, what: str, fix: str, near: str = "") -> Problem:
    return Problem("error", place, what, fix, near)


def _warning(place: Place, what: str, fix: str) -> Problem:
    return Problem("warning", place, what, fix)


def _dollars(amount: Decimal) -> str:
    return f"{amount:.4f}".rstrip("0").rstrip(".") if amount < 1 else f"{amount:.2f}"


def _where(region: str | None) -> str:
    return f" in {region}" if region else ""


# ---------------------------------------------------------------- lines


def lines_missing(prices: Prices) -> Iterator[Problem]:
    """Offers that exist and have no known price; one warning for a provider, at its first."""
    bare: dict[str, list[Offer]] = defaultdict(list)
    for offer in prices.catalog.offers:
        if not offer.prices and not offer.feed:
            bare[offer.provider].append(offer)
    for offers in bare.values():
        first = min(offers, key=lambda offer: offer.place.line)
        many = f" and {len(offers) - 1} more of {first.provider} have" if len(offers) > 1 else " has"
        what = f"offer {first.id}{many} no price line"
        yield _warning(first.place, what, "add one with `from` and `seen`; until then the answer is no-price")


def lines_twice(prices: Prices) -> Iterator[Problem]:
    """One source says one thing from one date in one place."""
    for offer in prices.catalog.offers:
        yield from _twice(offer.prices)
    for provider in prices.catalog.providers.values():
        yield from _twice(provider.transfer_out)
        yield from _twice(provider.transfer_in)
        yield from _twice(provider.storage)
        yield from _twice(provider.fees)


def _twice(lines: Sequence[PriceLine]) -> Iterator[Problem]:
    earlier: dict[tuple[str, date, str], list[PriceLine]] = defaultdict(list)
    for line in lines:
        group = earlier[line.source.key, line.start, line.what.en if line.what else ""]
        for other in group:
            if not line.regions or not other.regions or set(line.regions) & set(other.regions):
                what = f"{line.source.key} says two things from {line.start}"
                yield _error(
                    line.place, what, f"{other.place} says `{other.says}`; keep one, or give them different regions"
                )
                break
        group.append(line)


def lines_of_tomorrow(prices: Prices) -> Iterator[Problem]:
    """Nobody has looked on a day that is still to come."""
    for _, line in _all_lines(prices.catalog):
        if last_look(line) > prices.as_of:
            what = f"this line was looked at on {last_look(line)}, after {prices.as_of}"
            yield _warning(line.place, what, "write the day of the look in `seen` or `checked`")


def lines_stale(prices: Prices) -> Iterator[Problem]:
    """Lines in force that nobody looked at in time; one warning for a provider's source, at its oldest line."""
    due: dict[tuple[str, str], list[PriceLine]] = defaultdict(list)
    for provider, lines in _groups(prices.catalog):
        for line in in_force(lines, prices.as_of):
            if age_days(line, prices.as_of) > provider.recheck_days:
                due[provider.id, line.source.key].append(line)
    for (provider_id, source), late in due.items():
        oldest = max(late, key=lambda line: age_days(line, prices.as_of))
        days = prices.catalog.providers[provider_id].recheck_days
        count = "1 line" if len(late) == 1 else f"{len(late)} lines"
        what = f"{count} of {provider_id} {source} not checked within {days} days, the oldest since {last_look(oldest)}"
        yield _warning(oldest.place, what, f"look, then run `gpu-bot kb checked {provider_id} {source}`")


def currencies_unknown(prices: Prices) -> Iterator[Problem]:
    """A price in a currency without a rate cannot be ranked."""
    first: dict[str, PriceLine] = {}
    for _, line in _all_lines(prices.catalog):
        if line.rate is not None and line.rate.currency is not None and line.start <= prices.as_of:
            first.setdefault(line.rate.currency, line)
    for currency, line in first.items():
        if to_usd(currency, prices.as_of, prices.catalog.currencies) is None:
            what = f"no exchange rate for {currency} is in force on {prices.as_of}"
            yield _warning(line.place, what, "add a line to currencies.yaml; until then the price is not ranked")


def _groups(catalog: Catalog) -> Iterator[tuple[Provider, tuple[PriceLine, ...]]]:
    """Every list of lines of which one at a time is in force for a source."""
    for provider in catalog.providers.values():
        yield provider, provider.transfer_out
        yield provider, provider.transfer_in
        yield provider, provider.storage
        for what in dict.fromkeys(line.what for line in provider.fees):
            yield provider, tuple(line for line in provider.fees if line.what == what)
    for offer in catalog.offers:
        if offer.provider in catalog.providers:
            yield catalog.providers[offer.provider], offer.prices


def _all_lines(catalog: Catalog) -> Iterator[tuple[Provider, PriceLine]]:
    return ((provider, line) for provider, lines in _groups(catalog) for line in lines)


# ---------------------------------------------------------------- disputes


def disputes_open(prices: Prices) -> Iterator[Problem]:
    """Two sources, two numbers, and nobody decided."""
    for row in prices.rows:
        for other in row.others:
            mine = f"{row.offer.id}: {row.line.source.key} says `{row.line.says}`"
            what = f"{mine} and {other.source.key} says `{other.says}`"
            yield _warning(row.line.place, what, "find out which is right and add a settlement under `settled`")


def settlements_of_nothing(prices: Prices) -> Iterator[Problem]:
    """A settlement decides between lines that exist."""
    for offer in prices.catalog.offers:
        there = {(line.source.key, line.start) for line in offer.prices}
        for settled in offer.settled:
            for source, start in settled.of:
                if (source, start) not in there:
                    starts = sorted(str(day) for key, day in there if key == source)
                    fix = f"its lines start {', '.join(starts)}" if starts else "the offer has no line of it"
                    yield _error(settled.place, f"the settlement names {source} from {start}, which is no line", fix)


# ---------------------------------------------------------------- prices beside each other


def spot_above_on_demand(prices: Prices) -> Iterator[Problem]:
    """What may be taken away should cost less."""
    for group in _same_shape(prices.rows):
        spot, steady = group.get("spot"), group.get("on_demand")
        if spot and steady and spot.usd > steady.usd:
            cost = f"{_dollars(spot.usd)} USD a GPU-hour"
            what = f"spot {spot.offer.id} at {cost} is above on demand at {_dollars(steady.usd)}"
            yield _warning(spot.line.place, what + _where(spot.region), _look_at(steady))


def commitments_above(prices: Prices) -> Iterator[Problem]:
    """A longer commitment should cost less an hour."""
    for group in _same_shape(prices.rows):
        plans = [group[plan] for plan in COMMITMENTS if plan in group]
        for shorter, longer in pairwise(plans):
            if longer.usd > shorter.usd:
                what = (
                    f"{longer.offer.plan} {longer.offer.id} at {_dollars(longer.usd)} USD a GPU-hour "
                    f"is above {shorter.offer.plan} at {_dollars(shorter.usd)}"
                )
                yield _warning(longer.line.place, what + _where(longer.region), _look_at(shorter))


def _look_at(other: Priced) -> str:
    return f"compare with {other.offer.id} at {other.line.place}"


def _same_shape(rows: Iterable[Priced]) -> Iterable[Mapping[str, Priced]]:
    """Plan to its cheapest price, among offers that differ in nothing else."""
    groups: dict[object, dict[str, Priced]] = defaultdict(dict)
    for row in rows:
        one = row.offer
        group = groups[one.provider, one.gpu, one.memory_gb, one.form, one.gpus, one.sold_as, row.region]
        if one.plan not in group or row.usd < group[one.plan].usd:
            group[one.plan] = row
    return groups.values()


def bigger_for_less(prices: Prices) -> Iterator[Problem]:
    """More GPUs of one kind should not cost less in all; a price per machine read as one per GPU shows up here."""
    groups: dict[object, list[Priced]] = defaultdict(list)
    for row in prices.rows:
        one = row.offer
        if one.sold_as == "machine":
            groups[one.provider, one.gpu, one.memory_gb, one.form, one.plan, row.region].append(row)
    for group in groups.values():
        for bigger in group:
            # the cheapest of the smaller ones: a small one with a large CPU may well cost more than a bigger one
            smaller = [row for row in group if row.offer.gpus < bigger.offer.gpus]
            least = min(smaller, key=lambda row: (row.machine_usd, row.offer.id), default=None)
            if least is not None and least.machine_usd > bigger.machine_usd:
                cost = (
                    f"{bigger.offer.id} with {bigger.offer.gpus} GPUs costs {_dollars(bigger.machine_usd)} USD an hour"
                )
                what = f"{cost}, less than {least.offer.gpus} of them at {_dollars(least.machine_usd)}"
                fix = f"is it gpu-hour or machine-hour? {_look_at(least)}"
                yield _warning(bigger.line.place, what + _where(bigger.region), fix)


def prices_far_out(prices: Prices) -> Iterator[Problem]:
    """A price ten times off what the model costs elsewhere is more often a slipped decimal point than a market."""
    by_model: dict[str, list[Priced]] = defaultdict(list)
    for row in prices.rows:
        by_model[row.offer.gpu].append(row)
    for model, rows in by_model.items():
        if len(rows) < 5:
            continue  # too few to say what is usual
        middle = sorted(row.usd for row in rows)[len(rows) // 2]
        for row in rows:
            if row.usd > middle * OUTLIER or row.usd * OUTLIER < middle:
                cost = f"{row.offer.id} at {_dollars(row.usd)} USD a GPU-hour"
                what = f"{cost} is far from the usual {_dollars(middle)} of {model}"
                yield _warning(row.line.place, what, "check the decimal point, the currency and the unit")


def prices_of_zero(prices: Prices) -> Iterator[Problem]:
    """Nothing that costs nothing is ranked; that should not be a surprise."""
    for offer in prices.catalog.offers:
        for line in offer.prices:
            if line.rate is not None and line.rate.amount == 0:
                yield _warning(
                    line.place,
                    f"{offer.id} has a price of zero",
                    "it is left out of rankings; write `not sold` if it is not sold",
                )


# ---------------------------------------------------------------- offers and hardware


def offers_twice(prices: Prices) -> Iterator[Problem]:
    """One thing to rent is one offer."""
    seen: dict[object, Offer] = {}
    for offer in prices.catalog.offers:
        if offer.feed:
            continue
        key = (
            offer.provider,
            offer.sku,
            offer.plan,
            offer.gpu,
            offer.memory_gb,
            offer.form,
            offer.gpus,
            frozenset(offer.regions),
        )
        other = seen.setdefault(key, offer)
        if other is not offer:
            what = f"{offer.id} is the same offer as {other.id}"
            fix = f"{other.place} has this sku, plan and regions; join the two"
            yield _error(offer.place, what, fix)


def shapes_unknown(prices: Prices) -> Iterator[Problem]:
    """A memory size or form that the GPU does not come in is a slip in one of the two files."""
    for offer in prices.catalog.offers:
        gpu = prices.catalog.gpus.get(offer.gpu)
        if gpu is None or not gpu.variants or offer.gpus < 1 or offer.feed:
            continue
        fits = [
            variant
            for variant in gpu.variants
            if (offer.memory_gb is None or variant.memory_gb in (None, offer.memory_gb))
            and (offer.form is None or variant.form in (None, offer.form))
        ]
        if not fits:
            asked = _shape(offer.memory_gb, offer.form)
            known = ", ".join(dict.fromkeys(_shape(variant.memory_gb, variant.form) for variant in gpu.variants))
            yield _warning(offer.place, f"{offer.gpu} does not come with {asked}", f"gpus.yaml knows {known}")


def _shape(memory: Decimal | None, form: str | None) -> str:
    parts = [f"{memory} GB" if memory is not None else "", form or ""]
    return " ".join(part for part in parts if part) or "any memory"


def slices_by_the_gpu(prices: Prices) -> Iterator[Problem]:
    """A slice is a machine of its own: several do not add up to GPUs."""
    for offer in prices.catalog.offers:
        if offer.gpus < 1 and offer.sold_as == "gpu":
            yield _error(offer.place, f"{offer.id} is a slice and sold by the GPU", "write `sold_as: machine`")


def names_shared(prices: Prices) -> Iterator[Problem]:
    """A name leads to one GPU or to one provider."""
    gpus = prices.catalog.gpus.values()
    yield from _shared((gpu.model, gpu.place, (gpu.model, *gpu.aliases)) for gpu in gpus)
    providers = prices.catalog.providers.values()
    yield from _shared((one.id, one.place, (one.id, one.name.en, one.name.zh, *one.aliases)) for one in providers)


def _shared(named: Iterable[tuple[str, Place, tuple[str, ...]]]) -> Iterator[Problem]:
    taken: dict[str, str] = {}
    for name, place, aliases in named:
        for alias in aliases:
            owner = taken.setdefault(alias.casefold().replace(" ", "").replace("-", ""), name)
            if owner != name:
                yield _error(place, f"`{alias}` is a name of both {owner} and {name}", "leave it with one of them")


# ---------------------------------------------------------------- guidance


def overrides_unknown(prices: Prices) -> Iterator[Problem]:
    """A rule overrides rules that exist."""
    ids = [rule.id for rule in prices.catalog.rules]
    for rule in prices.catalog.rules:
        for name in rule.overrides:
            if name not in ids:
                yield _error(
                    rule.place,
                    f"rule {rule.id} overrides {name}, which is no rule",
                    "name a rule's id",
                    nearest(name, ids),
                )


def languages_swapped(prices: Prices) -> Iterator[Problem]:
    """A sentence stands in the language of its key."""
    for place, text in _sentences(prices.catalog):
        if not _is_chinese(text.zh):
            yield _warning(
                place, f"the Chinese of “{_start(text.en)}” has no Chinese character", "write `zh` in Chinese"
            )
        if _is_chinese(text.en):
            yield _warning(place, f"the English “{_start(text.en)}” has Chinese characters", "write `en` in English")


def _sentences(catalog: Catalog) -> Iterator[tuple[Place, Text]]:
    rules: Sequence[Rule] = catalog.rules
    yield from ((rule.place, rule.because) for rule in rules)
    yield from ((topic.place, topic.text) for topic in catalog.topics)
    for scenario in catalog.scenarios:
        for option in scenario.options:
            yield scenario.place, option.advice
            yield scenario.place, option.condition
    owners: list[Provider | Offer | Gpu] = [*catalog.providers.values(), *catalog.offers, *catalog.gpus.values()]
    yield from ((note.place, note.text) for owner in owners for note in owner.notes)


def _is_chinese(text: str) -> bool:
    return any("㐀" <= sign <= "䶿" or "一" <= sign <= "鿿" for sign in text)


def _start(text: str) -> str:
    return text if len(text) <= 30 else text[:29] + "…"


CHECKS: tuple[Check, ...] = (
    lines_missing,
    lines_twice,
    lines_of_tomorrow,
    lines_stale,
    currencies_unknown,
    disputes_open,
    settlements_of_nothing,
    spot_above_on_demand,
    commitments_above,
    bigger_for_less,
    prices_far_out,
    prices_of_zero,
    offers_twice,
    shapes_unknown,
    slices_by_the_gpu,
    names_shared,
    overrides_unknown,
    languages_swapped,
)
