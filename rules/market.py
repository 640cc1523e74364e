"""The quotes for one question: what can be had, what it costs, in which order (C2, C6, C13, C15 of ``rules.cost``).

Every offer that is ranked is quoted. Of the others only the first is shown, so an offer is quoted only while its
listed price can still make it that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from heapq import heappop, heappush
from itertools import takewhile
from operator import attrgetter
from typing import Any

from rules.cost import at_least, quote
from rules.guidance import NO_ADVICE, Advisor, Guidance
from rules.model import Alternative, Assumption, Catalog, LeftOut, Money, Offer, Question, Quote, Rule, Split
from rules.offers import Candidate, plans_of, sort_offers
from rules.prices import own_currency, to_usd
from rules.specs import basis_of, tflops_of
from rules.wire import compared

PREFERENCE_BAND = Decimal("1.10")  # C15: preferences order the quotes within 10 % of the cheapest
_CONDITIONS = {
    "spot": "accepts-interruption",
    "monthly": "commits-month",
    "reserved_1y": "commits-1y",
    "reserved_3y": "commits-3y",
    "reserved": "commits",
    "serverless": "serverless",
    "on_demand": "on-demand",
}
Key = tuple[bool, bool, bool, Decimal, int, str, str]
Group = tuple[str, str, str]  # provider, model, plan


@dataclass(frozen=True, slots=True)
class Limits:
    """What the asker can spend, in USD; None when not stated or not convertible."""

    total: Decimal | None = None
    per_hour: Decimal | None = None
    per_gpu_hour: Decimal | None = None

    def refuse(self, item: Quote) -> bool:
        """A limit includes its own amount."""
        figures = (
            (item.total_usd, self.total),
            (item.usd_per_hour, self.per_hour),
            (item.usd_per_gpu_hour, self.per_gpu_hour),
        )
        return any(
            mine is not None and limit is not None and compared(mine) > compared(limit) for mine, limit in figures
        )


_NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Found:
    """What the market has for a question, in the order of an answer."""

    quotes: tuple[Quote, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    ages: tuple[int, ...] = ()  # days since each candidate's price was looked at
    advice: Guidance = NO_ADVICE


# ---------------------------------------------------------------- what a quote is ordered by


def cost_of(item: Quote) -> Decimal:
    """The total, or the cost per hour when no hours are known."""
    value = item.usd_per_hour if item.total_usd is None else item.total_usd
    return Decimal("Infinity") if value is None else compared(value)


def rank_key(item: Quote, measure: Decimal | None = None) -> tuple[bool, bool, Decimal, int, str, str]:
    """Old prices last, unknown lines before them; then the cost, the younger price, the names."""
    value = cost_of(item) if measure is None else compared(measure)
    age = item.used.age_days if item.used else item.age_days
    return (item.old, not item.complete, value, age, item.provider, item.offer.sku if item.offer else "")


def numbered(quotes: Iterable[Quote]) -> tuple[Quote, ...]:
    return tuple(replace(item, rank=n) for n, item in enumerate(quotes, 1))


class Market:
    """The offers of a catalogue on a date, as one question sees them.

    ``asked`` is the question that guidance reads where it differs from the one that is priced. ``assumptions``
    gathers what was taken for granted on the way.
    """

    def __init__(
        self,
        question: Question,
        catalog: Catalog,
        as_of: date,
        readings: Sequence[Mapping[str, Any]] = (),
        asked: Question | None = None,
    ) -> None:
        self.question, self.catalog, self.as_of, self.readings = question, catalog, as_of, readings
        self.assumptions: list[Assumption] = []
        self.plans = plans_of(question)
        self._advisor = Advisor(catalog.rules, asked or question, catalog)
        self._limits = self._read_limits()

    def find(self) -> Found:
        """All that can be had and what was left out, with what the rules say of it."""
        found = sort_offers(self.question, self.catalog, self.as_of)
        large, small = self._settled_by_size(found.ranked)
        ranked = [self._quote(candidate) for candidate in large]
        beside, others = self._on_demand_beside(found.unranked)
        ways = self._firsts(_by(others, lambda offer: offer.plan))
        smaller = self._firsts(_by(small, _group), split=True)
        elsewhere = [] if self.question.nodes else self._firsts(_smaller([*beside, *ways], found.unranked), split=True)
        advice = self._advisor.evaluate([*ranked, *beside, *ways, *smaller])
        stays, split_up, refused = self._whole_machines(ranked, advice)
        split_up += smaller
        refused += [_several(candidate.offer) for candidate in small]
        shown = {_offer(item).id for item in beside}
        left_out = [row for row in found.left_out if row.offer is None or row.offer.id not in shown] + refused
        order = self._preferred(sorted(stays, key=self._key), advice)
        alternatives = self._alternatives(order, ways, split_up)
        splits = _best_of_group([*split_up, *elsewhere])
        return Found(
            tuple(
                _placed(item, n, _split(item, splits), _cautions(item, advice))
                for n, item in enumerate((*order, *beside), 1)
            ),
            tuple(
                replace(a, quote=replace(a.quote, split=_split(a.quote, splits), cautions=_cautions(a.quote, advice)))
                for a in alternatives
            ),
            tuple(left_out),
            found.ages,
            advice,
        )

    def advised(self) -> Found:
        """What the rules say of the question alone."""
        return Found(advice=self._advisor.evaluate([]))

    def first(self, among: Sequence[Offer] | None = None) -> Quote | None:
        """The first quote alone, of all offers or of some."""
        in_order = self._in_order(sort_offers(self.question, self.catalog, self.as_of, among).ranked)
        cheapest = next(in_order, None)
        if cheapest is None or self.question.intent != "recommend":
            return cheapest
        near = [cheapest, *takewhile(lambda item: self._near(item, cheapest), in_order)]
        return self._preferred(near, self._advisor.evaluate(near))[0]

    # -- quotes

    def _quote(self, candidate: Candidate) -> Quote:
        item = quote(candidate, self.question, self.catalog, self.as_of)
        return replace(item, verified_tflops=self._verified(candidate.offer)) if self.readings else item

    def _verified(self, offer: Offer) -> Mapping[str, Any] | None:
        """The newest reading on a host of that offer, of the dtype that is asked for where there is one."""
        matching = [r for r in self.readings if r.get("offer") == offer.id]
        wanted = self.question.dtype
        return max(matching, key=lambda r: (r.get("dtype") == wanted, str(r.get("date"))), default=None)

    # -- filters that need a quote: size, rules, limits

    def _read_limits(self) -> Limits:
        question = self.question
        total = None if question.intent == "budget" else self.usd("budget", question.budget)
        hourly = self.usd("budget_per_hour", question.budget_per_hour)
        per_gpu = question.budget_per_hour is not None and question.budget_per_hour.per == "gpu"
        return Limits(total, None if per_gpu else hourly, hourly if per_gpu else None)

    def usd(self, slot: str, money: Money | None) -> Decimal | None:
        """C12: an amount with no currency is CNY in a Chinese question and USD in an English one."""
        if money is None:
            return None
        currency = money.currency
        if currency is None:
            currency = own_currency(self.question.lang)
            self.assumptions.append(Assumption(f"{slot}_currency", currency))
        conversion = to_usd(currency, self.as_of, self.catalog.currencies)
        if conversion is None:
            self.assumptions.append(Assumption(f"{slot}_unconverted", currency))
            return None
        return conversion.apply(money.amount)

    def _whole_machines(
        self, quotes: Sequence[Quote], advice: Guidance
    ) -> tuple[list[Quote], list[Quote], list[LeftOut]]:
        """C2: one machine first. What stays, the smaller shapes that would do, and what was left out and why."""
        rows = [(item, _offer(item), _exclusion(item, advice), self._limits.refuse(item)) for item in quotes]
        largest: dict[Group, Decimal] = {}
        for _, offer, rule, over in rows:
            if rule is None and not over:
                largest[_group(offer)] = max(largest.get(_group(offer), offer.machine_gpus), offer.machine_gpus)
        stays, split_up, refused = [], [], []
        for item, offer, rule, over in rows:
            if self._too_small(item, largest.get(_group(offer), Decimal(0))):
                refused.append(_several(offer))
                if rule is None and not over:
                    split_up.append(item)
            elif rule is not None:
                refused.append(LeftOut(item.provider, rule.id, offer, offer.plan, rule.id))
            elif over:
                refused.append(LeftOut(item.provider, "over-budget", offer, offer.plan))
            else:
                stays.append(item)
        return stays, split_up, refused

    def _too_small(self, item: Quote, biggest: Decimal) -> bool:
        """Smaller than asked although one machine would do, or than the largest when none would."""
        return self.question.nodes is None and _offer(item).machine_gpus < min(item.gpus_asked, biggest)

    def _settled_by_size(self, candidates: Sequence[Candidate]) -> tuple[Sequence[Candidate], Sequence[Candidate]]:
        """Where nothing can refuse a quote, the sizes alone tell which shapes C2 leaves out: those are the second."""
        if not self._all_acceptable:
            return candidates, ()
        sizes = _Sizes(candidates, self.question.nodes is not None)
        large: list[Candidate] = []
        small: list[Candidate] = []
        for candidate in candidates:
            (small if sizes.larger(candidate) else large).append(candidate)
        return large, small

    # -- order

    def _key(self, item: Quote) -> Key:
        return (self._is_stranger(item.provider), *rank_key(item, self._measure(item)))

    def _cost_key(self, item: Quote) -> Key:
        return (self._is_stranger(item.provider), *rank_key(item))

    def _is_stranger(self, provider: str) -> bool:
        """Whether the team has accounts, and none there."""
        return bool(self.catalog.accounts) and provider not in self.catalog.accounts

    def _measure(self, item: Quote) -> Decimal | None:
        if self.question.sort == "per_gpu_hour":
            return item.usd_per_gpu_hour
        if self.question.sort == "per_tflop":
            return self._per_tflop(item)
        return None

    def _per_tflop(self, item: Quote) -> Decimal:
        tflops = self._tflops(item)
        if tflops is None or item.usd_per_gpu_hour is None:
            return Decimal("Infinity")
        return item.usd_per_gpu_hour / tflops

    def _tflops(self, item: Quote) -> Decimal | None:
        """Measured on the team's own host, else expected of a healthy card, else dense."""
        if self._is_measured(item):
            assert item.verified_tflops is not None
            return Decimal(str(item.verified_tflops["tflops"]))
        return tflops_of(item.offer, self.catalog, self.question.dtype) if item.offer else None

    def _is_measured(self, item: Quote) -> bool:
        """Whether a reading compares with the figures of other cards: it is of the dtype asked for, else of half
        precision."""
        measured, dtype = item.verified_tflops, self.question.dtype
        return measured is not None and measured.get("dtype") in ((dtype,) if dtype else ("fp16", "bf16"))

    def tflops_basis(self, item: Quote) -> str | None:
        """Which figure the price per TFLOPS of a quote divides by; None where none is known."""
        if self._is_measured(item):
            return "measured"
        return basis_of(item.offer, self.catalog, self.question.dtype) if item.offer else None

    def _preferred(self, ordered: Sequence[Quote], advice: Guidance) -> list[Quote]:
        """C15: where advice is asked, what the rules prefer goes first among the quotes near the first, in the figure
        by which they are ordered."""
        if self.question.intent != "recommend" or not ordered:
            return list(ordered)
        near = [item for item in ordered if self._near(item, ordered[0])]
        rest = [item for item in ordered if not self._near(item, ordered[0])]
        return sorted(near, key=lambda item: -_preferences(item, advice)) + rest

    def _near(self, item: Quote, cheapest: Quote) -> bool:
        mine, first = self._key(item), self._key(cheapest)
        return mine[:3] == first[:3] and mine[3] <= first[3] * PREFERENCE_BAND

    # -- the first of many, without a quote for each

    def _in_order(self, candidates: Sequence[Candidate], *, split: bool = False) -> Iterator[Quote]:
        """The quotes that stay, in their order; a candidate is priced once its bound lets it be the next.

        ``split``: shapes that would be rented several at once, in whatever size, in the order of their cost.
        """
        quotes: dict[str, Quote] = {}
        sizes = _Sizes(candidates, split or self.question.nodes is not None)
        key = self._cost_key if split else self._key

        def priced(candidate: Candidate) -> Quote:
            found = quotes.get(candidate.offer.id)
            if found is None:
                found = quotes[candidate.offer.id] = self._quote(candidate)
            return found

        def acceptable(candidate: Candidate) -> bool:
            return self._all_acceptable or self._acceptable(priced(candidate))

        ready: list[tuple[Key, int, Quote]] = []
        for bound, n in sorted((self._bound(candidate, split), n) for n, candidate in enumerate(candidates)):
            while ready and ready[0][0][:4] < bound:
                yield heappop(ready)[2]
            candidate = candidates[n]
            if acceptable(candidate) and not any(map(acceptable, sizes.larger(candidate))):
                heappush(ready, (key(priced(candidate)), n, priced(candidate)))
        while ready:
            yield heappop(ready)[2]

    def _bound(self, candidate: Candidate, split: bool) -> tuple[bool, bool, bool, Decimal]:
        """The least that the key of the candidate's quote can be, up to its cost."""
        used = candidate.used
        assert used is not None
        by_cost = split or self.question.sort not in ("per_gpu_hour", "per_tflop")
        least = at_least(candidate, self.catalog) if by_cost else Decimal(0)
        return (self._is_stranger(candidate.provider.id), used.old, False, least)

    def _acceptable(self, item: Quote) -> bool:
        return not self._limits.refuse(item) and self._advisor.exclusion(item) is None

    @cached_property
    def _all_acceptable(self) -> bool:
        """Whether neither a limit nor a rule can refuse a quote of this question."""
        return self._limits == _NO_LIMITS and not self._advisor.may_exclude

    # -- other ways of buying

    def _on_demand_beside(self, candidates: Sequence[Candidate]) -> tuple[list[Quote], list[Candidate]]:
        """C6: the cheapest on-demand quote, and only that one, stays beside the stated plans."""
        if not self.plans.on_demand_beside:
            return [], list(candidates)
        mine = [candidate for candidate in candidates if candidate.offer.plan == "on_demand"]
        rest = [candidate for candidate in candidates if candidate.offer.plan != "on_demand"]
        best = next(self._in_order(mine), None)
        if best is None:
            return [], rest
        self.assumptions.append(Assumption("plan", "on_demand, for comparison"))
        return [best], rest

    def _firsts(self, groups: Iterable[Sequence[Candidate]], *, split: bool = False) -> list[Quote]:
        """The first quote of each group."""
        firsts = (next(self._in_order(members, split=split), None) for members in groups)
        return [item for item in firsts if item is not None]

    def _alternatives(
        self, ranked: Sequence[Quote], ways: Sequence[Quote], split_up: Sequence[Quote]
    ) -> list[Alternative]:
        """The other ways of buying, and several smaller machines where they cost less; cheapest first."""
        found = [Alternative(item, _CONDITIONS[_offer(item).plan]) for item in ways]
        several = min(split_up, key=rank_key, default=None)
        if several is not None and (not ranked or cost_of(several) < cost_of(ranked[0])):
            found.append(Alternative(several, "several-machines"))
        return sorted(found, key=lambda one: self._key(one.quote))


class _Sizes:
    """Candidates by provider, model and plan, to find the shapes that would leave one out (C2)."""

    def __init__(self, candidates: Sequence[Candidate], any_size: bool) -> None:
        self._any_size = any_size  # no shape leaves another out
        self._groups = {_group(members[0].offer): members for members in _by(candidates, _group)}

    def larger(self, candidate: Candidate) -> list[Candidate]:
        """Empty when it is large enough for all GPUs that are asked for."""
        mine = candidate.offer.machine_gpus
        if self._any_size or mine >= candidate.want.gpus:
            return []
        return [other for other in self._groups[_group(candidate.offer)] if other.offer.machine_gpus > mine]


def _by(candidates: Sequence[Candidate], kind: Callable[[Offer], Hashable]) -> list[list[Candidate]]:
    """The candidates of each kind of offer."""
    kinds: dict[Hashable, list[Candidate]] = {}
    for candidate in candidates:
        kinds.setdefault(kind(candidate.offer), []).append(candidate)
    return list(kinds.values())


_FIELDS = tuple(one.name for one in fields(Quote))
_values = attrgetter(*_FIELDS)
_RANK, _SPLIT, _CAUTIONS = (_FIELDS.index(name) for name in ("rank", "split", "cautions"))


def _placed(item: Quote, rank: int, split: Split | None, cautions: tuple[str, ...]) -> Quote:
    """A quote in its place. ``replace`` takes twice as long, and there may be hundreds."""
    values = list(_values(item))
    values[_RANK], values[_SPLIT], values[_CAUTIONS] = rank, split, cautions
    return Quote(*values)


def _offer(item: Quote) -> Offer:
    assert item.offer is not None
    return item.offer


def _group(offer: Offer) -> Group:
    """C2: shapes are compared among one provider's offers of one model and plan."""
    return offer.provider, offer.gpu, offer.plan


def _smaller(items: Iterable[Quote], candidates: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    """For each quote the shapes of its kind of which several would be rented instead (C2)."""
    for item in items:
        mine = _offer(item)
        group, most = _group(mine), min(mine.machine_gpus, item.gpus_asked)
        yield [c for c in candidates if _group(c.offer) == group and c.offer.machine_gpus < most]


def _best_of_group(split_up: Sequence[Quote]) -> dict[Group, Quote]:
    """The best of the smaller shapes of each provider, model and plan."""
    best: dict[Group, Quote] = {}
    for item in sorted(split_up, key=rank_key):
        if item.total_usd is not None:
            best.setdefault(_group(_offer(item)), item)
    return best


def _several(offer: Offer) -> LeftOut:
    return LeftOut(offer.provider, "several-machines", offer, offer.plan)


def _rules_of(item: Quote, advice: Guidance) -> tuple[Rule, ...]:
    return advice.by_offer.get(item.offer.id, ()) if item.offer else ()


def _exclusion(item: Quote, advice: Guidance) -> Rule | None:
    return next((rule for rule in _rules_of(item, advice) if rule.effect == "exclude"), None)


def _preferences(item: Quote, advice: Guidance) -> int:
    return sum(rule.effect == "prefer" for rule in _rules_of(item, advice))


def _cautions(item: Quote, advice: Guidance) -> tuple[str, ...]:
    return item.cautions + tuple(rule.id for rule in _rules_of(item, advice) if rule.effect == "caution")


def _split(item: Quote, smaller: Mapping[Group, Quote]) -> Split | None:
    """The same provider's smaller shapes, where they cost less."""
    other = smaller.get(_group(_offer(item)))
    if other is None or other.total_usd is None or item.total_usd is None or cost_of(other) >= cost_of(item):
        return None
    return Split(_offer(other).id, other.machines, other.total_usd)
