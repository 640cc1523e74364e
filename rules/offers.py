"""Question × Catalog → candidates, and what was left out with the first reason that holds.

A candidate is an offer of a GPU that was asked for or, without one, an offer that meets the memory asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_CEILING, Decimal
from typing import NamedTuple

from rules.fit import needed_gb
from rules.model import (
    HOURS_PER_MONTH,
    TERM_HOURS,
    Catalog,
    GpuAsk,
    LeftOut,
    Offer,
    Provider,
    Question,
    Rate,
    Region,
    Traits,
    Used,
)
from rules.prices import fees_in_force, offer_price
from rules.remember import once, usd_of, usd_per_gpu_hour

RESERVED = ("reserved", "reserved_1y", "reserved_3y")
COMMITTED = (*RESERVED, "monthly")
_NODE_FABRICS = frozenset(
    {"infiniband", "efa", "roce", "rdma", "gpudirect", "gpudirect-tcpx", "gpudirect-tcpxo", "ethernet"}
)


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True, slots=True)
class Want:
    """One accelerator entry of the question, with the numbers that follow from it."""

    ask: GpuAsk | None  # None: any GPU that meets the memory
    per_machine: Decimal  # c of C3 with nodes, otherwise all GPUs asked
    nodes: Decimal | None
    hours: Decimal | None

    @property
    def gpus(self) -> Decimal:
        return self.per_machine if self.nodes is None else self.per_machine * self.nodes


@dataclass(frozen=True, slots=True)
class Plans:
    """Which ways of buying are ranked, after C6 and C7."""

    stated: frozenset[str]
    excluded: frozenset[str]
    on_demand_beside: bool  # the cheapest on-demand quote follows as a row for comparison

    def refusal(self, plan: str, hours: Decimal | None) -> str | None:
        if plan in self.excluded:
            return "plan-excluded"
        if self.stated:
            return None if plan in self.stated else "plan-not-asked"
        if plan in RESERVED:
            if hours is None:
                return "plan-not-asked"
            return None if _reaches(plan, hours) else "commitment-too-long"
        if plan == "on_demand" or "on_demand" in self.excluded:
            return None
        if plan == "monthly" and hours is not None and hours >= HOURS_PER_MONTH:
            return None
        return "plan-not-asked"


def _reaches(plan: str, hours: Decimal) -> bool:
    term = TERM_HOURS.get(plan)
    return term is not None and hours >= term


def plans_of(question: Question) -> Plans:
    stated = set(_with_terms(question.plans))
    excluded = set(_with_terms(question.exclude_plans))
    if "no_interruption" in question.needs:
        excluded.add("spot")
    if question.intent == "break_even" and not question.purchase_price and not stated & set(COMMITTED):
        stated |= set(COMMITTED)
    stated -= excluded
    beside = bool(stated) and not {"on_demand"} & (stated | excluded)
    return Plans(frozenset(stated), frozenset(excluded), beside)


def _with_terms(plans: Iterable[str]) -> Iterator[str]:
    """``reserved`` without a term means both terms."""
    for plan in plans:
        yield from RESERVED if plan == "reserved" else (plan,)


def term_hours(question: Question) -> Decimal | None:
    """C7: exactly one term named and no hours: the hours are that term."""
    if question.hours is not None or question.gpu_hours is not None or "reserved" in question.plans:
        return None
    terms = [TERM_HOURS[plan] for plan in question.plans if plan in TERM_HOURS]
    return terms[0] if len(set(terms)) == 1 else None


def wants(question: Question) -> tuple[Want, ...]:
    entries: tuple[GpuAsk | None, ...] = question.gpus or (None,)
    return tuple(_want(question, ask) for ask in entries)


def _want(question: Question, ask: GpuAsk | None) -> Want:
    count = (ask.count if ask else None) or question.gpu_count or Decimal(1)
    want = Want(ask, whole(count), whole(question.nodes) if question.nodes else None, None)
    return replace(want, hours=_hours(question, want.gpus))


def _hours(question: Question, gpus: Decimal) -> Decimal | None:
    if question.hours is not None:
        return question.hours
    if question.gpu_hours is not None:
        return question.gpu_hours / gpus
    return term_hours(question)


def whole(number: Decimal) -> Decimal:
    """Rounded up to a whole number."""
    return number.to_integral_value(rounding=ROUND_CEILING)


def want_for(question: Question, total: Decimal | None, want: Want, offer: Offer) -> Want:
    """The want as this offer must meet it: memory needed in total, in GB, names no count, the card's memory does."""
    if total is None or offer.memory_gb is None or question.gpu_count:
        return want
    if want.ask is not None and want.ask.count is not None:
        return want
    cards = whole(total / offer.memory_gb / (want.nodes or 1))
    sized = replace(want, per_machine=max(Decimal(1), cards))
    return replace(sized, hours=_hours(question, sized.gpus))


# ---------------------------------------------------------------- candidates


@dataclass(frozen=True, slots=True)
class Candidate:
    """An offer with the entry it answers and the region and price found for it."""

    offer: Offer
    provider: Provider
    want: Want
    region: str | None = None
    used: Used | None = None
    listed: Decimal | None = None  # USD per GPU-hour; None when the price is not known in USD


@dataclass(frozen=True, slots=True)
class Sorted:
    """Candidates that passed every filter up to the size of the machine, and the rest."""

    ranked: tuple[Candidate, ...] = ()
    unranked: tuple[Candidate, ...] = ()  # passed but for their plan
    left_out: tuple[LeftOut, ...] = ()
    ages: tuple[int, ...] = ()  # days since each candidate's price was looked at


def sort_offers(question: Question, catalog: Catalog, as_of: date, among: Sequence[Offer] | None = None) -> Sorted:
    """Apply the reasons of ``left_out`` in their order, up to `machine-too-small`; ``among`` some offers alone."""
    plans = plans_of(question)
    places = Places(question, catalog)
    ranked: list[Candidate] = []
    unranked: list[Candidate] = []
    left_out: list[LeftOut] = []
    ages: list[int] = []
    need = needed_gb(question)
    for offer, want in _candidates(question, need, catalog, among):
        reason = _refusal_before_plan(question, need, want, offer, places)
        plan_reason = None if reason else plans.refusal(offer.plan, want.hours)
        if plan_reason == "plan-excluded":
            reason = plan_reason
        candidate: Candidate | None = None
        after: str | None = None
        if reason is None:
            candidate, after = _price(offer, want, question, places, catalog, as_of)
            if candidate.used is not None:
                ages.append(candidate.used.age_days)
        reason = reason or plan_reason or after
        if reason is not None:
            left_out.append(LeftOut(offer.provider, reason, offer, offer.plan))
        if candidate is not None and after is None:
            (ranked if reason is None else unranked).append(candidate)
    return Sorted(tuple(ranked), tuple(unranked), tuple(left_out), tuple(ages))


def _candidates(
    question: Question, need: Decimal | None, catalog: Catalog, among: Sequence[Offer] | None
) -> Iterator[tuple[Offer, Want]]:
    if question.gpus:
        entries: dict[str, list[Want]] = {}
        for want in wants(question):
            assert want.ask is not None
            entries.setdefault(want.ask.model, []).append(want)
        for model, options in entries.items():
            for offer in catalog.by_gpu.get(model, ()) if among is None else among:
                yield offer, want_for(question, need, _best_entry(options, offer), offer)
        return
    want = wants(question)[0]
    least = question.min_memory_gb
    for offer in catalog.offers if among is None else among:
        if least is not None and (offer.memory_gb is None or offer.memory_gb < least):
            continue
        if offer.memory_gb is None and need is not None:
            continue
        yield offer, want_for(question, need, want, offer)


def _best_entry(options: Sequence[Want], offer: Offer) -> Want:
    """Of several entries of one model, the one whose memory and form the offer has."""
    if len(options) == 1:
        return options[0]
    return min(options, key=lambda want: (_variant_refusal(want, offer) is not None, -_stated(want)))


def _stated(want: Want) -> int:
    return 0 if want.ask is None else (want.ask.memory_gb is not None) + (want.ask.form is not None)


def _variant_refusal(want: Want, offer: Offer) -> str | None:
    ask = want.ask
    if ask is None:
        return None
    if ask.memory_gb is not None and offer.memory_gb != ask.memory_gb:
        return "memory"
    if ask.form is not None and offer.form != ask.form:
        return "form"
    return None


def _refusal_before_plan(
    question: Question, need: Decimal | None, want: Want, offer: Offer, places: Places
) -> str | None:
    if offer.provider in question.exclude_providers:
        return "provider-excluded"
    if question.providers and offer.provider not in question.providers:
        return "provider-not-asked"
    if offer.gpu in question.exclude_gpus:
        return "gpu-excluded"
    if offer.gpus < 1:
        return "slice"
    reason = _memory_refusal(question, need, want, offer) or _variant_refusal(want, offer)
    if reason:
        return reason
    if not places.allow_any(offer):
        return "region"
    return None


def _memory_refusal(question: Question, need: Decimal | None, want: Want, offer: Offer) -> str | None:
    if question.min_memory_gb is not None and (offer.memory_gb is None or offer.memory_gb < question.min_memory_gb):
        return "memory"
    if need is not None and (offer.memory_gb is None or offer.memory_gb * want.gpus < need):
        return "memory"
    return None


# ---------------------------------------------------------------- places


class Places:
    """The regions a question allows. A word matches a region's code, country or area."""

    def __init__(self, question: Question, catalog: Catalog) -> None:
        self._asked = frozenset(question.regions)
        self._refused = frozenset(question.exclude_regions)
        self.china = "data_residency_cn" in question.needs
        self._table = catalog.regions
        self._open = not (self._asked or self._refused)
        self._known: dict[str, bool] = {}

    def _words(self, code: str) -> frozenset[str]:
        region: Region | None = self._table.get(code.lower())
        return frozenset({code.lower()} | ({region.country, region.area} if region else set()))

    def allows(self, code: str) -> bool:
        if self._open:
            return True
        known = self._known.get(code)
        if known is None:
            words = self._words(code)
            known = not words & self._refused and (not self._asked or bool(words & self._asked))
            self._known[code] = known
        return known

    def allow_any(self, offer: Offer) -> bool:
        """An offer whose regions are not known meets no region that is asked for."""
        if self._open:
            return True
        if not offer.regions:
            return not self._asked and not self._refused
        return any(self.allows(code) for code in offer.regions)

    def of(self, offer: Offer) -> tuple[str | None, ...]:
        if not offer.regions:
            return (None,)
        if self._open and not self.china:
            return offer.regions
        return tuple(code for code in offer.regions if self.allows(code) and (not self.china or self.in_china(code)))

    def in_china(self, code: str | None) -> bool:
        return code is not None and "cn" in self._words(code)

    def meets_residency(self, offer: Offer) -> bool:
        return not self.china or any(self.allows(code) and self.in_china(code) for code in offer.regions)


def side_regions(question: Question, provider: Provider, catalog: Catalog) -> tuple[tuple[str | None, ...], str | None]:
    """C9 without a GPU: where a provider's transfer and storage count, or the reason why they do not.

    Without a region that is asked for, refused or named by a price line, the place does not matter: (None,).
    """
    places = Places(question, catalog)
    lines = (*provider.transfer_out, *provider.transfer_in, *provider.storage)
    named = [code for line in lines for code in line.regions]
    sold = [code for offer in catalog.offers if offer.provider == provider.id for code in offer.regions]
    codes = tuple(dict.fromkeys(code for code in (*named, *sold) if places.allows(code)))
    if not codes and (question.regions or question.exclude_regions):
        return (), "region"
    if places.china:
        codes = tuple(code for code in codes if places.in_china(code))
        if not codes:
            return (), "needs"
    if not all(_need_met(need, provider.traits) for need in question.needs):
        return (), "needs"
    anywhere = not (named or question.regions or question.exclude_regions or places.china)
    return (None,) if anywhere else codes, None


# ---------------------------------------------------------------- needs, price, size


def traits_of(offer: Offer, provider: Provider) -> Traits:
    """The provider's traits, where the offer does not state its own."""
    own = offer.traits
    if own is None:
        return provider.traits
    base = provider.traits
    stated = {name: value for name in Traits.__slots__ if (value := getattr(own, name)) is not None}
    return replace(base, **stated)


def _needs_met(question: Question, offer: Offer, provider: Provider, places: Places) -> bool:
    """A need counts as met only if the file states it."""
    if not question.needs:
        return True
    traits = traits_of(offer, provider)
    return places.meets_residency(offer) and all(_need_met(need, traits) for need in question.needs)


def _need_met(need: str, traits: Traits) -> bool:
    if need.startswith("compliance_"):
        return need.removeprefix("compliance_") in (traits.compliance or ())
    if need == "interconnect":
        return bool(traits.interconnect)
    if need == "multi_node":
        return bool(traits.multi_node) or bool(_NODE_FABRICS & set(traits.interconnect or ()))
    if need == "sla":
        return traits.sla is not None
    if need in ("managed", "kubernetes", "jupyter", "windows", "low_latency"):
        return getattr(traits, need) is True
    return True  # checkpointing, no_interruption and residency are not traits of a provider


def _price(
    offer: Offer, want: Want, question: Question, places: Places, catalog: Catalog, as_of: date
) -> tuple[Candidate, str | None]:
    """The candidate with its region and price line, and the reason among needs … machine-too-small, if one holds."""
    provider = catalog.providers[offer.provider]
    if not _needs_met(question, offer, provider, places):
        return Candidate(offer, provider, want), "needs"
    found = best_region(offer, provider, places.of(offer), catalog, as_of)
    candidate, refusal = Candidate(offer, provider, want, found.region, found.used, found.usd), found.refusal
    if refusal is not None:
        return candidate, refusal
    if want.nodes is not None and offer.machine_gpus < want.per_machine:
        return candidate, "machine-too-small"
    if offer.max_machines is not None and machines_of(want, offer) > offer.max_machines:
        return candidate, "machine-too-small"  # one host's price is no price of eight hosts
    return candidate, None


def _in_usd(rate: Rate, provider: Provider, region: str | None, catalog: Catalog, as_of: date) -> bool:
    """Whether the price and every fee owed with it can be converted (C12): a sum without one of them is no total."""
    fees = (used.line.rate for used in fees_in_force(provider, as_of, region))
    return all(one is None or usd_of(one, catalog, as_of) is not None for one in (rate, *fees))


def machines_of(want: Want, offer: Offer) -> Decimal:
    """Machines of the offer that the want takes (C1, C3)."""
    return want.nodes if want.nodes is not None else whole(want.per_machine / offer.machine_gpus)


class Priced(NamedTuple):
    """The region where an offer costs least, its price there, and why it is of no use or missing."""

    region: str | None
    used: Used | None = None
    refusal: str | None = None
    usd: Decimal | None = None  # per GPU-hour


class Listed(NamedTuple):
    """What an offer's own price says: USD per GPU-hour, the line, the region."""

    usd: Decimal
    used: Used
    region: str | None


def listed_price(offer: Offer, catalog: Catalog, as_of: date, region: str | None = None) -> Listed | None:
    """The price in ``region`` where the offer is sold there, else where it costs least; None when it is not known."""
    regions = (region,) if region in offer.regions else offer.regions or (None,)
    found = best_region(offer, catalog.providers[offer.provider], regions, catalog, as_of)
    return None if found.used is None or found.usd is None else Listed(found.usd, found.used, found.region)


def best_region(
    offer: Offer, provider: Provider, regions: tuple[str | None, ...], catalog: Catalog, as_of: date
) -> Priced:
    """Where and at what price an offer is had, in the allowed region with the lowest usable price."""
    key = ("region", offer.id, as_of, regions)
    return once(catalog, key, lambda: _find_region(offer, provider, regions, catalog, as_of))


def _find_region(
    offer: Offer, provider: Provider, regions: tuple[str | None, ...], catalog: Catalog, as_of: date
) -> Priced:
    found: list[tuple[bool, Decimal, int, str | None, Used]] = []
    refusals: list[str | None] = []
    for order, region in _different_regions(offer, regions):
        choice = offer_price(offer, provider, as_of, catalog.currencies, region)
        if choice.used is None:
            refusals.append(choice.refusal)
            continue
        assert choice.used.line.rate is not None
        price = usd_per_gpu_hour(choice.used.line.rate, offer, catalog, as_of)
        old = choice.used.old
        found.append((old, price if price is not None else Decimal("Infinity"), order, region, choice.used))
    if not found:
        return Priced(regions[0], refusal=refusals[0])
    _, usd, _, best, used = min(found, key=lambda x: x[:3])
    assert used.line.rate is not None
    refusal = None if _in_usd(used.line.rate, provider, best, catalog, as_of) else "currency"
    return Priced(best, used, refusal, usd if usd.is_finite() else None)


def _different_regions(offer: Offer, regions: Sequence[str | None]) -> Iterator[tuple[int, str | None]]:
    """The first of the regions that share the same price lines: the others have the same price."""
    named: dict[str | None, list[int]] = {}
    for n, line in enumerate(offer.prices):
        for region in line.regions:
            named.setdefault(region, []).append(n)
    seen: set[tuple[int, ...]] = set()
    for order, allowed in enumerate(regions):
        lines = tuple(named.get(allowed, ()))
        if lines not in seen:
            seen.add(lines)
            yield order, allowed
