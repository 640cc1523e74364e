"""The facts that a clause of the guidance may name: one table of name, kind, unit, legal values and meaning.

A new fact is a row here and a test. ``question.*`` is what the asker stated, ``offer.*`` what the knowledge says
about one offer, ``quote.*`` what that offer costs for this question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from rules.model import FORMS, PLANS, Catalog, Money, Offer, Provider, Question, Quote, Region, Traits
from rules.prices import currency_of

Value = Decimal | str | bool | tuple[str, ...] | None  # None: not known

INTENTS = tuple(
    "cheapest compare price recommend break_even budget specs benchmark explain digest help unsupported".split()
)
WORKLOADS = tuple(
    "training fine_tuning inference experiment debugging rendering production edge hybrid batch notebook".split()
)
TEAMS = ("startup", "enterprise", "no_ops", "experienced")
NEEDS = tuple(
    "interconnect multi_node checkpointing compliance_gdpr compliance_iso27001 compliance_soc2 sla managed kubernetes"
    " jupyter windows low_latency data_residency_cn no_interruption".split()
)
DTYPES = ("fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "int4")
PROVIDER_KINDS = ("hyperscaler", "specialist", "marketplace", "notebook")
COMPLIANCE = tuple(
    "gdpr iso27001 soc2 soc1 soc3 hipaa pci-dss fedramp iso27017 iso27018 iso27701 iso9001 iso22301 iso20000 csa-star "
    "c5 hds tisax irap ismap mtcs mlps hitrust ens dora cyber-essentials ccpa nist-800-53".split()
)
LINKS = tuple("nvlink nvswitch infiniband roce efa rdma ethernet pcie xgmi infinity-fabric ici hccs gpudirect".split())
STEPS = ("second", "minute", "hour", "day", "week", "month")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a clause is asked about: the question, and one of its quotes unless it is about the question alone."""

    question: Question
    catalog: Catalog
    quote: Quote | None = None

    @property
    def offer(self) -> Offer | None:
        return self.quote.offer if self.quote else None

    @property
    def provider(self) -> Provider | None:
        return self.catalog.providers.get(self.quote.provider) if self.quote else None


@dataclass(frozen=True, slots=True)
class Fact:
    """One row of the table. ``kind`` is number, text, yes/no or list (of text); ``sure`` facts are always known.

    ``words`` are the legal values where they are closed; ``among`` names the part of the knowledge that holds them
    (provider, gpu, region) where they are not.
    """

    name: str
    kind: str
    about: str
    get: Callable[[Subject], Any]
    unit: str = ""
    words: tuple[str, ...] = ()
    among: str = ""
    sure: bool = False

    @property
    def flat(self) -> str:
        """The name as one word, for the rule engine: a look-up through a dot costs it ten times as much."""
        return self.name.replace(".", "__")

    def value(self, subject: Subject) -> Value:
        """The fact for this subject; None when it is not known."""
        found = self.get(subject)
        if found is None or isinstance(found, str | bool | Decimal):
            return found
        if isinstance(found, int):
            return Decimal(found)
        return tuple(found)


def _slot(name: str) -> Callable[[Subject], Any]:
    return lambda subject: getattr(subject.question, name)


def _of_offer(name: str) -> Callable[[Subject], Any]:
    return lambda subject: getattr(subject.offer, name) if subject.offer else None


def _of_quote(name: str) -> Callable[[Subject], Any]:
    return lambda subject: getattr(subject.quote, name) if subject.quote else None


def _trait(name: str) -> Callable[[Subject], Any]:
    """The offer's own trait where it is stated, else the provider's."""

    def get(subject: Subject) -> Any:
        own: Traits | None = subject.offer.traits if subject.offer else None
        if own is not None and getattr(own, name) is not None:
            return getattr(own, name)
        return getattr(subject.provider.traits, name) if subject.provider else None

    return get


def _gpus_asked(subject: Subject) -> Decimal | None:
    """GPUs over all machines; None when no count is stated or alternatives differ in it."""
    question = subject.question
    counts = {gpu.count for gpu in question.gpus} if question.gpus else {question.gpu_count}
    if len(counts) != 1:
        return None
    count = counts.pop()
    if count is None:
        return question.nodes  # at least one GPU in each machine
    return count * (question.nodes or 1)


def _several_machines(subject: Subject) -> bool:
    question = subject.question
    return (question.nodes or 0) > 1 or "multi_node" in question.needs


def _stated(subject: Subject) -> tuple[str, ...]:
    """The slots that the question states; a count beside a model counts as ``gpu_count``."""
    found = [name for name in _SLOTS if getattr(subject.question, name) not in (None, (), False)]
    if "gpu_count" not in found and any(gpu.count is not None for gpu in subject.question.gpus):
        found.append("gpu_count")
    return tuple(found)


def _usd(name: str) -> Callable[[Subject], Decimal | None]:
    """The amount of a money slot in USD; None in any other currency (no date to convert at)."""

    def get(subject: Subject) -> Decimal | None:
        money: Money | None = getattr(subject.question, name)
        if money is None:
            return None
        return money.amount if currency_of(money, subject.question.lang) == "USD" else None

    return get


def _places(pick: Callable[[Region], str]) -> Callable[[Subject], tuple[str, ...] | None]:
    def get(subject: Subject) -> tuple[str, ...] | None:
        if subject.offer is None or not subject.offer.regions:
            return None
        known = (subject.catalog.regions.get(code.lower()) for code in subject.offer.regions)
        return tuple(dict.fromkeys(pick(region) for region in known if region is not None))

    return get


def _place(pick: Callable[[Region], str]) -> Callable[[Subject], str | None]:
    def get(subject: Subject) -> str | None:
        code = subject.quote.region if subject.quote else None
        region = subject.catalog.regions.get(code.lower()) if code else None
        return pick(region) if region else None

    return get


def _line_usd(item: str) -> Callable[[Subject], Decimal | None]:
    def get(subject: Subject) -> Decimal | None:
        if subject.quote is None:
            return None
        amounts = [line.amount_usd for line in subject.quote.lines if line.item == item]
        known = [amount for amount in amounts if amount is not None]
        return sum(known, Decimal(0)) if amounts and len(known) == len(amounts) else None

    return get


def _transfer_percent(subject: Subject) -> Decimal | None:
    transfer = _line_usd("transfer")(subject)
    total = subject.quote.total_usd if subject.quote else None
    return transfer * 100 / total if transfer is not None and total else None


def _billing_step(subject: Subject) -> str | None:
    if subject.offer and subject.offer.billing:
        return subject.offer.billing.step
    return subject.provider.billing.step if subject.provider else None


def _interruptions(subject: Subject) -> Decimal | None:
    if subject.offer is None or subject.offer.plan != "spot":
        return None
    terms = subject.offer.spot or (subject.provider.spot if subject.provider else None)
    return terms.interruptions_per_hour if terms else None


def _slice(subject: Subject) -> bool | None:
    return subject.offer.gpus < 1 if subject.offer else None


_SLOTS = tuple(slot.name for slot in fields(Question) if slot.name not in ("intent", "lang", "clarify"))

_ROWS: Iterable[Fact] = (
    # ------------------------------------------------------------ what the asker stated, by the slot's own name
    Fact("question.intent", "text", "what the message asks for", _slot("intent"), words=INTENTS, sure=True),
    Fact("question.lang", "text", "language of the message", _slot("lang"), words=("en", "zh"), sure=True),
    Fact("question.stated", "list", "names of the slots that the message states", _stated, words=_SLOTS, sure=True),
    Fact("question.gpus", "list", "models named", lambda s: [gpu.model for gpu in s.question.gpus], among="gpu",
         sure=True),
    Fact("question.forms", "list", "forms asked for", lambda s: [g.form for g in s.question.gpus if g.form],
         words=FORMS,
         sure=True),
    Fact("question.exclude_gpus", "list", "models ruled out", _slot("exclude_gpus"), among="gpu", sure=True),
    Fact("question.gpu_count", "number", "GPUs asked for over all machines", _gpus_asked, unit="GPUs"),
    Fact("question.nodes", "number", "machines asked for", _slot("nodes"), unit="machines"),
    Fact("question.several_machines", "yes/no", "several machines asked for, by number or in words",
         _several_machines, sure=True),
    Fact("question.hours", "number", "wall-clock hours of the job", _slot("hours"), unit="h"),
    Fact("question.gpu_hours", "number", "GPU-hours, when the text counts in them", _slot("gpu_hours"), unit="GPU-h"),
    Fact("question.hours_per_day", "number", "daily use", _slot("hours_per_day"), unit="h a day"),
    Fact("question.providers", "list", "providers named", _slot("providers"), among="provider", sure=True),
    Fact("question.exclude_providers", "list", "providers ruled out", _slot("exclude_providers"), among="provider",
         sure=True),
    Fact("question.plans", "list", "ways of buying named", _slot("plans"), words=PLANS, sure=True),
    Fact("question.exclude_plans", "list", "ways of buying ruled out", _slot("exclude_plans"), words=PLANS, sure=True),
    Fact("question.regions", "list", "areas, countries or region codes named", _slot("regions"), among="region",
         sure=True),
    Fact("question.exclude_regions", "list", "areas, countries or region codes ruled out", _slot("exclude_regions"),
         among="region", sure=True),
    Fact("question.min_memory_gb", "number", "memory asked of each GPU", _slot("min_memory_gb"), unit="GB"),
    Fact("question.total_memory_gb", "number", "memory asked over all GPUs", _slot("total_memory_gb"), unit="GB"),
    Fact("question.budget_usd", "number", "total the asker can spend, when it is in USD", _usd("budget"), unit="USD"),
    Fact("question.budget_per_hour_usd", "number", "hourly limit, when it is in USD", _usd("budget_per_hour"),
         unit="USD/h"),
    Fact("question.purchase_price_usd", "number", "price of buying the cards, when it is in USD",
         _usd("purchase_price"), unit="USD"),
    Fact("question.data_gb", "number", "data moved", _slot("data_gb"), unit="GB"),
    Fact("question.data_direction", "text", "direction of the data", _slot("data_direction"), words=("in", "out")),
    Fact("question.storage_gb", "number", "data kept on disk", _slot("storage_gb"), unit="GB"),
    Fact("question.workloads", "list", "kinds of work stated", _slot("workloads"), words=WORKLOADS, sure=True),
    Fact("question.model_params_b", "number", "size of the AI model", _slot("model_params_b"),
         unit="billion parameters"),
    Fact("question.team", "list", "what is said of the team", _slot("team"), words=TEAMS, sure=True),
    Fact("question.needs", "list", "requirements stated", _slot("needs"), words=NEEDS, sure=True),
    Fact("question.dtype", "text", "number format", _slot("dtype"), words=DTYPES),
    Fact("question.sort", "text", "order asked for", _slot("sort"), words=("total", "per_gpu_hour", "per_tflop")),
    # ------------------------------------------------------------ what the knowledge says about one offer
    Fact("offer.id", "text", "id of the offer", _of_offer("id")),
    Fact("offer.sku", "text", "the provider's own name for it", _of_offer("sku")),
    Fact("offer.provider", "text", "id of the provider", _of_quote("provider"), among="provider"),
    Fact("offer.provider_kind", "text", "kind of the provider", lambda s: s.provider.kind if s.provider else None,
         words=PROVIDER_KINDS),
    Fact("offer.recheck_days", "number", "days after which a price of this provider is due for a look",
         lambda s: s.provider.recheck_days if s.provider else None, unit="days"),
    Fact("offer.gpu", "text", "canonical GPU model", _of_offer("gpu"), among="gpu"),
    Fact("offer.memory_gb", "number", "memory of one GPU", _of_offer("memory_gb"), unit="GB"),
    Fact("offer.form", "text", "form of the GPU", _of_offer("form"), words=FORMS),
    Fact("offer.gpus", "number", "GPUs in one rentable unit", _of_offer("gpus"), unit="GPUs"),
    Fact("offer.max_gpus", "number", "most GPUs of one machine", lambda s: s.offer.machine_gpus if s.offer else None,
         unit="GPUs"),
    Fact("offer.slice", "yes/no", "a fraction of a GPU", _slice),
    Fact("offer.sold_as", "text", "whole machines or single GPUs", _of_offer("sold_as"), words=("machine", "gpu")),
    Fact("offer.plan", "text", "way of buying", _of_offer("plan"), words=PLANS),
    Fact("offer.regions", "list", "region codes of the offer", lambda s: (s.offer.regions or None) if s.offer else None,
         among="region"),
    Fact("offer.countries", "list", "countries of the offer's regions", _places(lambda region: region.country),
         among="region"),
    Fact("offer.areas", "list", "areas of the offer's regions", _places(lambda region: region.area), among="region"),
    Fact("offer.compliance", "list", "attestations stated (gdpr, iso27001, soc2, …)", _trait("compliance"),
         words=COMPLIANCE),
    Fact("offer.interconnect", "list", "links stated (nvlink, infiniband, efa, roce, …)", _trait("interconnect"),
         words=LINKS),
    Fact("offer.managed", "yes/no", "run for you", _trait("managed")),
    Fact("offer.kubernetes", "yes/no", "Kubernetes offered", _trait("kubernetes")),
    Fact("offer.jupyter", "yes/no", "Jupyter offered", _trait("jupyter")),
    Fact("offer.windows", "yes/no", "Windows offered", _trait("windows")),
    Fact("offer.low_latency", "yes/no", "low latency stated", _trait("low_latency")),
    Fact("offer.multi_node", "yes/no", "work over several machines supported", _trait("multi_node")),
    Fact("offer.sla", "number", "availability promised", _trait("sla"), unit="%"),
    Fact("offer.billing_step", "text", "step in which time is billed", _billing_step, words=STEPS),
    Fact("offer.interruptions_per_hour", "number", "sourced spot interruption rate of one machine", _interruptions,
         unit="per h"),
    Fact("offer.feed", "yes/no", "from a price feed, not from the knowledge files", _of_offer("feed")),
    # ------------------------------------------------------------ what it costs for this question
    Fact("quote.machines", "number", "machines rented", _of_quote("machines"), unit="machines"),
    Fact("quote.gpus_asked", "number", "GPUs asked for", _of_quote("gpus_asked"), unit="GPUs"),
    Fact("quote.gpus_paid", "number", "GPUs paid for", _of_quote("gpus_paid"), unit="GPUs"),
    Fact("quote.idle_gpus", "number", "GPUs paid for and not asked for", _of_quote("idle_gpus"), unit="GPUs"),
    Fact("quote.hours", "number", "hours of the job, also when they follow from GPU-hours or a term",
         _of_quote("hours"),
         unit="h"),
    Fact("quote.billed_hours", "number", "hours billed", _of_quote("billed_hours"), unit="h"),
    Fact("quote.total_usd", "number", "total", _of_quote("total_usd"), unit="USD"),
    Fact("quote.compute_usd", "number", "the compute line", _line_usd("compute"), unit="USD"),
    Fact("quote.transfer_usd", "number", "the transfer line", _line_usd("transfer"), unit="USD"),
    Fact("quote.transfer_percent", "number", "share of the transfer line in the total", _transfer_percent, unit="%"),
    Fact("quote.storage_usd", "number", "the storage line", _line_usd("storage"), unit="USD"),
    Fact("quote.usd_per_hour", "number", "cost per hour of all GPUs paid", _of_quote("usd_per_hour"), unit="USD/h"),
    Fact("quote.usd_per_gpu_hour", "number", "cost per hour of one GPU asked", _of_quote("usd_per_gpu_hour"),
         unit="USD/GPU-h"),
    Fact("quote.region", "text", "region code quoted", _of_quote("region"), among="region"),
    Fact("quote.country", "text", "country of the region quoted", _place(lambda region: region.country),
         among="region"),
    Fact("quote.area", "text", "area of the region quoted", _place(lambda region: region.area), among="region"),
    Fact("quote.age_days", "number", "days since the price was looked at", _of_quote("age_days"), unit="days"),
    Fact("quote.stale", "yes/no", "the price is due for a look", _of_quote("stale")),
)  # fmt: skip

FACTS: MappingProxyType[str, Fact] = MappingProxyType({row.name: row for row in _ROWS})
