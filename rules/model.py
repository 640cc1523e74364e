"""The nouns of the decision, as frozen values.

Nothing here reads a file, a clock or the network. Money and quantities are ``Decimal``; times are hours;
memory and data are decimal GB. ``None`` means "not stated" or "not known", never zero.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any

HOURS_PER_MONTH = Decimal(730)
TERM_HOURS: Mapping[str, Decimal] = MappingProxyType({"reserved_1y": Decimal(8760), "reserved_3y": Decimal(26280)})
PLANS = ("on_demand", "spot", "reserved", "reserved_1y", "reserved_3y", "monthly", "serverless")
FORMS = ("SXM", "PCIe", "NVL")
SOURCE_KINDS = ("official", "written quote", "measured", "reseller", "aggregator", "community")
PRICE_UNITS = ("gpu-hour", "machine-hour", "gpu-month", "machine-month")
PRICED_INTENTS = frozenset({"cheapest", "price", "compare", "recommend", "budget", "break_even"})
OLD_DAYS = 180  # C13: an older price ranks after every younger one
DISPUTE_SHARE = Decimal("0.01")  # C14: two sources further apart than this are a conflict

# Reasons for `left_out`, in the order in which they are tried; a rule's id stands at "a rule".
BUILT_IN_REASONS = (
    "provider-excluded", "provider-not-asked", "gpu-excluded", "slice", "memory", "form", "region",
    "plan-excluded", "plan-not-asked", "commitment-too-long", "needs", "retired", "announced", "no-price",
    "currency", "machine-too-small", "several-machines", "over-budget",
)  # fmt: skip
BUILT_IN_CAUTIONS = (
    "idle-gpus", "stale", "disputed", "unknown-transfer-rate", "unknown-storage-rate", "spot-may-stop",
    "several-machines",
)  # fmt: skip


# ---------------------------------------------------------------- small shared values


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in both languages."""

    en: str
    zh: str

    def say(self, lang: str) -> str:
        return self.zh if lang == "zh" else self.en


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was written: path relative to its folder, 1-based line; line 0 is the file as a whole."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with the knowledge, as a value; ``str()`` is what a person reads."""

    level: str  # "error" | "warning"
    place: Place
    what: str  # what is wrong
    fix: str = ""  # what would be right
    near: str = ""  # nearest legal word
    column: int | None = None

    def __str__(self) -> str:
        where = f"{self.place}:{self.column}" if self.column else str(self.place)
        parts = [self.what, self.fix, f"did you mean {self.near}?" if self.near else ""]
        return f"{where}: {'; '.join(p for p in parts if p)}"


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, slots=True)
class GpuAsk:
    model: str
    memory_gb: Decimal | None = None
    count: Decimal | None = None
    form: str | None = None


@dataclass(frozen=True, slots=True)
class Money:
    """An amount the asker states. ``per`` as the slot allows it; ``currency`` None when not said."""

    amount: Decimal
    currency: str | None = None
    per: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What the text states and nothing else; a slot that is not stated is None, () or False."""

    intent: str
    lang: str
    action: str | None = None
    gpus: tuple[GpuAsk, ...] = ()
    exclude_gpus: tuple[str, ...] = ()
    gpu_count: Decimal | None = None
    nodes: Decimal | None = None
    hours: Decimal | None = None
    gpu_hours: Decimal | None = None
    hours_per_day: Decimal | None = None
    providers: tuple[str, ...] = ()
    exclude_providers: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    exclude_plans: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    exclude_regions: tuple[str, ...] = ()
    min_memory_gb: Decimal | None = None
    total_memory_gb: Decimal | None = None
    budget: Money | None = None
    budget_per_hour: Money | None = None
    quoted: Money | None = None
    purchase_price: Money | None = None
    data_gb: Decimal | None = None
    data_direction: str | None = None
    storage_gb: Decimal | None = None
    workloads: tuple[str, ...] = ()
    model_params_b: Decimal | None = None
    team: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    dtype: str | None = None
    host: str | None = None
    sort: str | None = None
    clarify: bool = False


@dataclass(frozen=True, slots=True)
class Leftover:
    """A piece of the text that no recogniser used."""

    text: str
    strong: bool = False  # under must, only, no, without, 必须, 只要, 不要; or a compliance or place name


@dataclass(frozen=True, slots=True)
class Parsed:
    """A reading of one message: the question, what was not used, and how it came about."""

    question: Question
    unread: tuple[Leftover, ...] = ()
    unknown_models: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (word as written, nearest known models)
    trace: tuple[tuple[str, str, str], ...] = ()  # (words, slot, value) for `parse --explain`
    text: str = ""  # the message; only `explain` looks at it, for the term that is asked about


# ---------------------------------------------------------------- the knowledge (its keys: knowledge/README.md)


@dataclass(frozen=True, slots=True)
class Source:
    key: str
    title: str
    kind: str  # one of SOURCE_KINDS
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """A number with its currency and unit, as one phrase says it ("1.49 USD/gpu-hour", "3 %")."""

    amount: Decimal
    currency: str | None  # None for "%"
    unit: str  # PRICE_UNITS, "gb", "gb-month", "month", "once", "%"


@dataclass(frozen=True, slots=True)
class PriceLine:
    """One source saying one thing from one date. Its state is derived, see ``rules.prices``."""

    start: date  # `from`
    says: str  # the phrase as written
    rate: Rate | None  # None when it says "not sold" or "retired"
    source: Source
    seen: date
    place: Place
    checked: date | None = None
    regions: tuple[str, ...] = ()  # empty: every region of the offer
    free_gb_month: Decimal | None = None
    whole_months: bool = False
    what: Text | None = None  # fees only
    overlay: bool = False
    feed: bool = False


@dataclass(frozen=True, slots=True)
class Settlement:
    """A dispute that someone decided; a newer line of either source reopens it."""

    of: tuple[tuple[str, date], ...]  # (source key, start date)
    keep: str
    because: str
    decided: date
    place: Place


@dataclass(frozen=True, slots=True)
class Billing:
    """``step_hours`` None: the step is not known and hours are not rounded."""

    step: str | None = None  # second | minute | hour | day | week | month
    step_hours: Decimal | None = None
    minimum_hours: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class SpotTerms:
    interruptions_per_hour: Decimal | None
    restart_hours: Decimal | None
    source: Source | None
    seen: date | None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Access:
    how: str = "unknown"  # self_serve | quota | reservation | sales | unknown
    stock: str = "unknown"  # seen | none | unknown
    seen: date | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Traits:
    """What the file states about a provider or offer. None: not stated, which never meets a need."""

    compliance: tuple[str, ...] | None = None  # gdpr iso27001 soc2 ...
    interconnect: tuple[str, ...] | None = None  # nvlink infiniband efa roce ...
    managed: bool | None = None
    kubernetes: bool | None = None
    jupyter: bool | None = None
    windows: bool | None = None
    sla: Decimal | None = None  # percent
    low_latency: bool | None = None
    multi_node: bool | None = None
    support: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    text: Text
    source: Source | None
    seen: date | None
    place: Place
    ledger: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """One way to rent one GPU model: a shape, a plan and a set of regions."""

    id: str
    provider: str
    sku: str
    gpu: str
    gpus: Decimal  # GPUs in one rentable unit; below 1 is a slice
    sold_as: str  # machine | gpu
    plan: str
    place: Place
    memory_gb: Decimal | None = None
    form: str | None = None
    max_gpus: Decimal | None = None  # with sold_as gpu: the most GPUs of one machine
    regions: tuple[str, ...] = ()  # empty: not known
    prices: tuple[PriceLine, ...] = ()
    settled: tuple[Settlement, ...] = ()
    traits: Traits | None = None  # overrides the provider's where stated
    billing: Billing | None = None  # overrides the provider's
    spot: SpotTerms | None = None
    access: Access | None = None
    notes: tuple[Note, ...] = ()
    ledger: tuple[str, ...] = ()
    feed: bool = False
    max_machines: Decimal | None = None  # how many can be had at this price; None: as many as wanted

    @property
    def machine_gpus(self) -> Decimal:
        """GPUs of the largest single machine this offer can be: its g in C1-C3."""
        return self.max_gpus if self.sold_as == "gpu" and self.max_gpus is not None else self.gpus


@dataclass(frozen=True, slots=True)
class Provider:
    id: str
    name: Text
    kind: str  # hyperscaler | specialist | marketplace | notebook
    recheck_days: int
    place: Place
    aliases: tuple[str, ...] = ()
    billing: Billing = Billing()
    sources: Mapping[str, Source] = field(default_factory=dict)
    transfer_out: tuple[PriceLine, ...] = ()
    transfer_in: tuple[PriceLine, ...] = ()
    storage: tuple[PriceLine, ...] = ()
    fees: tuple[PriceLine, ...] = ()
    spot: SpotTerms | None = None
    access: Access | None = None
    traits: Traits = Traits()
    notes: tuple[Note, ...] = ()
    ledger: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GpuVariant:
    """One memory size and form of a model. Peaks are dense TFLOPS (TOPS for int8), None unknown."""

    memory_gb: Decimal | None = None
    form: str | None = None
    bandwidth_gbps: Decimal | None = None  # decimal GB/s
    peaks: Mapping[str, Decimal | None] = field(default_factory=dict)  # dtype -> dense peak
    interconnect: str | None = None
    tdp_w: Decimal | None = None
    expect: Mapping[str, Decimal] = field(default_factory=dict)  # dtype -> TFLOPS a healthy card reaches
    source: Source | None = None
    id: str | None = None  # of the accelerator table, for the benchmark


@dataclass(frozen=True, slots=True)
class Gpu:
    model: str
    vendor: str
    place: Place
    aliases: tuple[str, ...] = ()
    device_names: tuple[str, ...] = ()
    variants: tuple[GpuVariant, ...] = ()
    notes: tuple[Note, ...] = ()
    ledger: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Basis:
    """What an expected rate of the benchmark rests on."""

    readings: Decimal
    kind: str  # steady | best-shape
    sources: tuple[Source, ...] = ()

    @property
    def tier(self) -> str:
        """A: steady readings, at least two; B: a single one, or the best of several shapes."""
        return "A" if self.kind == "steady" and self.readings >= 2 else "B"


@dataclass(frozen=True, slots=True)
class Typical:
    """Steady rate over dense peak of healthy cards of one class."""

    name: str
    low: Decimal
    high: Decimal


@dataclass(frozen=True, slots=True)
class Accelerator:
    """What tells one accelerator from another: what a driver reports of it, beside its figures. None: not known."""

    id: str
    model: str  # of the table of GPUs; the card's own name where that table lacks it
    variant: GpuVariant  # memory, form, peaks and expected rates
    place: Place
    device_names: tuple[str, ...] = ()
    pci_ids: tuple[str, ...] = ()  # four hexadecimal digits, lower case
    cc: str | None = None  # compute capability, or the architecture of an AMD card
    sms: Decimal | None = None  # AMD: compute units
    memory_mib: Decimal | None = None  # as reported where a public log was found
    sizes_gb: tuple[Decimal, ...] = ()  # memory sizes that this name covers, when several
    devices: Decimal = Decimal(1)  # devices that a driver shows for one card
    typical: Typical | None = None
    fp16_acc_ratio: Decimal | None = None  # rate with fp16 accumulation over the rate with fp32 accumulation
    flop_per_clk_sm: Decimal | None = None  # dense fp16
    boost_mhz: Decimal | None = None
    basis: Mapping[str, Basis] = field(default_factory=dict)  # dtype -> what its expected rate rests on
    runs: bool = True  # False: torch has no device for it that the benchmark could use
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    code: str  # lower case
    country: str
    area: str


@dataclass(frozen=True, slots=True)
class CurrencyRate:
    """1 ``base`` = ``rate`` ``quote``, usable both ways, in force from ``start``."""

    base: str
    quote: str
    rate: Decimal
    start: date
    source: Source
    seen: date
    place: Place


def source_keys(owner: str, sources: Sequence[Source]) -> list[str]:
    """By which keys an answer cites the sources of a rule, a topic or an option: "spot-on-long-runs/1"."""
    return [f"{owner}/{n}" for n, _ in enumerate(sources, 1)]


@dataclass(frozen=True, slots=True)
class Rule:
    """Guidance that acts on quotes. ``when`` holds the clauses as written, one a line."""

    id: str
    status: str  # draft | active | retired
    title: Text
    when: tuple[str, ...]
    when_places: tuple[Place, ...]
    effect: str  # exclude | caution | prefer | ask
    because: Text
    sources: tuple[Source, ...]
    reviewed: date
    place: Place
    fires_on: tuple[str, ...] = ()
    silent_on: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    ledger: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdviceOption:
    id: str
    advice: Text
    condition: Text
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    title: Text
    applies: tuple[str, ...]
    options: tuple[AdviceOption, ...]
    reviewed: date
    place: Place
    corrects: Text | None = None
    asks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # lang -> questions that must find it
    ledger: tuple[str, ...] = ()
    gpus: tuple[str, ...] = ()  # cards usual for it, to quote when the question names no hardware


@dataclass(frozen=True, slots=True)
class Topic:
    """An explanation for `explain`. ``costs`` names what a number can be shown for."""

    id: str
    title: Text
    terms: Mapping[str, tuple[str, ...]]  # lang -> words that ask for it
    text: Text
    sources: tuple[Source, ...]
    reviewed: date
    place: Place
    costs: tuple[str, ...] = ()
    asks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ledger: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Discount:
    provider: str
    percent: Decimal
    place: Place
    plan: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Hashes that name exactly what was known."""

    id: str = ""
    knowledge: str = ""
    feeds: str = ""
    currencies: str = ""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Catalog:
    """Everything known, as one value. Built whole and swapped whole; equal only to itself, and what is derived from it
    is remembered for as long as it lives."""

    providers: Mapping[str, Provider]
    offers: tuple[Offer, ...]
    gpus: Mapping[str, Gpu]
    regions: Mapping[str, Region]  # by lower-case code
    currencies: tuple[CurrencyRate, ...] = ()
    rules: tuple[Rule, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    topics: tuple[Topic, ...] = ()
    vocabulary: Mapping[str, Any] = field(default_factory=dict)
    accounts: tuple[str, ...] = ()
    discounts: tuple[Discount, ...] = ()
    display_currency: str | None = None
    snapshot: Snapshot = Snapshot()
    by_gpu: Mapping[str, tuple[Offer, ...]] = field(default_factory=dict)  # model -> offers
    by_id: Mapping[str, Offer] = field(default_factory=dict)
    team: str | None = None  # of the overlay, when it belongs to one
    ledger: tuple[tuple[str, str, Place], ...] = ()  # (id of an outside ledger, entry that answers for it, where)
    accelerators: Mapping[str, Accelerator] = field(default_factory=dict)  # by id; empty unless asked for
    derived: dict[Hashable, object] = field(default_factory=dict, init=False, repr=False)  # kept by ``rules.remember``


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True, slots=True)
class Used:
    """A price line chosen for a date, with what the other sources say."""

    line: PriceLine
    age_days: int
    stale: bool
    others: tuple[PriceLine, ...] = ()  # in conflict with it
    why: str = ""  # settled | fresher | kind | later-check: why this one was used

    @property
    def old(self) -> bool:
        """C13: nobody looked at it for so long that it ranks after every younger price."""
        return self.age_days > OLD_DAYS


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a quote. ``amount_usd`` is exact (rounded only for showing); None is unknown."""

    item: str  # compute | transfer | storage | fee | setup
    quantity: Decimal | None
    unit: str
    rate: Rate | None
    amount_usd: Decimal | None
    formula: object  # its ``str()``: figures and signs only, no words; written out only when it is read
    used: Used | None = None
    what: Text | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """C11: a spot run with interruptions. ``basis``: rate, restart, stretch between saves, in hours."""

    hours: Decimal
    usd: Decimal
    basis: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Split:
    offer: str
    machines: int
    total_usd: Decimal


@dataclass(frozen=True, slots=True)
class Quote:
    """What one offer costs for the question; amounts are exact here, and rounded only when they are shown."""

    offer: Offer | None  # None for transfer or storage alone
    provider: str
    machines: int
    gpus_paid: Decimal
    gpus_asked: Decimal
    lines: tuple[Line, ...]
    currency_rates: tuple[CurrencyRate, ...] = ()  # used to reach USD
    region: str | None = None
    used: Used | None = None  # the compute price
    hours: Decimal | None = None
    billed_hours: Decimal | None = None
    total_usd: Decimal | None = None
    usd_per_hour: Decimal | None = None
    usd_per_gpu_hour: Decimal | None = None
    age_days: int = 0
    stale: bool = False
    cautions: tuple[str, ...] = ()  # built-in ones, then rule ids
    access: Access = Access()
    expected: Expected | None = None
    if_held: Mapping[str, Decimal] | None = None  # {hours, usd}
    split: Split | None = None
    verified_tflops: Mapping[str, Any] | None = None
    rank: int | None = None
    complete: bool = True  # False: a rate asked for is not known, its line is None; or how long a commitment is
    endless: bool = False  # C11: spot that is interrupted so often that the run is not expected to end
    spot: SpotTerms | None = None  # what `expected` and `endless` rest on

    @property
    def idle_gpus(self) -> Decimal:
        return max(Decimal(0), self.gpus_paid - self.gpus_asked)

    @property
    def old(self) -> bool:
        return self.used is not None and self.used.old


@dataclass(frozen=True, slots=True)
class Alternative:
    """Best quote of a way of buying that was not ranked; ``condition`` is a key that render words."""

    quote: Quote
    condition: str  # accepts-interruption | commits-month | commits-1y | commits-3y | several-machines | serverless


@dataclass(frozen=True, slots=True)
class LeftOut:
    provider: str
    reason: str  # a built-in reason or a rule's id
    offer: Offer | None = None
    plan: str | None = None
    rule: str | None = None
    count: int | None = None  # feed offers refused for one reason


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that fired, with the facts its sentence may name."""

    rule: Rule
    offers: tuple[str, ...]  # offer ids it fired for; empty when it is about the question alone
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TraceStep:
    """What became of one clause of one rule for one offer."""

    rule: str
    offer: str | None
    outcome: str  # fired | silent | undecided
    clause: str = ""  # the clause that decided
    missing: tuple[str, ...] = ()  # facts not known


@dataclass(frozen=True, slots=True)
class Assumption:
    """A choice the text did not state; the sentence is render's."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Conflict:
    offer: Offer
    used: PriceLine
    others: tuple[PriceLine, ...]
    why: str


@dataclass(frozen=True, slots=True)
class SourceUse:
    """A source that the answer used, once; ``key`` is unique in the answer ("northwind/price-page")."""

    key: str
    source: Source
    seen: date | None
    checked: date | None
    age_days: int | None
    stale: bool


@dataclass(frozen=True, slots=True)
class Freshness:
    recent: int
    total: int
    oldest_days: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Facts only: keys and values. The words are added by ``bot.render``."""

    question: Question
    status: str  # answered | clarify | unsupported | no_match
    as_of: date
    snapshot: Snapshot
    freshness: Freshness
    unread: tuple[Leftover, ...] = ()
    unknown_models: tuple[tuple[str, tuple[str, ...]], ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    quotes: tuple[Quote, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    reasons: tuple[Fired, ...] = ()
    contradictions: tuple[tuple[str, str, str], ...] = ()  # (rule, rule, offer): one excludes, one prefers
    conflicts: tuple[Conflict, ...] = ()
    sources: tuple[SourceUse, ...] = ()
    parts: Mapping[str, Any] = field(default_factory=dict)  # break_even, budget, comparison, quoted, facts, ...
    trace: tuple[TraceStep, ...] = ()
    display_currency: str | None = None
    display_rate: tuple[CurrencyRate, ...] = ()
    names: Mapping[str, Text] = field(default_factory=dict)  # provider id -> its name, for render
    text: str = ""  # the message as written, for render: ready answers keep its words
    accounts: tuple[str, ...] = ()  # providers that are ranked before all others, as the team's own
