"""What a reading means: the events of one run to keys and values. Pure; the sentences are in ``bot.render.bench``.

Gates are tried in order. Is it the card that was sold? Does it compute right? Can anything be said at all? Only then
is the rate compared, with what healthy cards of the model reach and never with a printed peak alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from statistics import median
from typing import Any

from rules.model import Accelerator

PROTOCOL = 1  # of payload.py; a reading of another version is kept and not judged
Facts = Mapping[str, Any]

# Worst first: the worst card of a node decides.
OUTCOMES = (
    "not_as_sold", "faulty", "fail", "implausible", "below", "inconclusive", "unsupported", "unknown", "plausible",
    "pass", "healthy", "cpu",
)  # fmt: skip
BAD = frozenset({"not_as_sold", "faulty", "fail", "implausible", "below"})  # a claim or an order was not met

HEALTHY, PASS = Decimal("0.95"), Decimal("0.90")
FAIL_BELOW = {"A": Decimal("0.80"), "B": Decimal("0.70")}
NODE_SHARE = Decimal("0.90")  # of the best GPU of a node
MEMORY_LOW, MEMORY_HIGH = Decimal("0.90"), Decimal("1.01")  # reported MiB over marketed GB x 1024
MAX_CV = Decimal("0.05")
TOO_FAST = Decimal("1.25")  # of dense: healthy GeForce cards reach 1.16
CLOCK_BOUND = Decimal("0.85")  # utilisation at the actual clock from which the clock is the cause
HELD = Decimal("0.10")  # a reason for lower clocks counts from this share of the samples on
POWER_LOWERED = Decimal("0.98")
SLOW_MEMORY = Decimal("0.60")  # healthy copies reach 0.90 of the datasheet
SLOW_LINK = Decimal("0.80")  # of what the other pairs reach
ALIKE = Decimal("0.15")  # links that differ by less are of one kind
OWN_SHARE = Decimal("0.96")  # of the CPU threads
_LARGEST_SHARE = Decimal(10**9)  # beyond it one of the two is no measurement
DENSE, CLAIMED = Decimal("0.02"), Decimal("0.05")  # tolerances of a claim

_VGPU = re.compile(r"^GRID |-\d+[QCAB]$")
_MIG = re.compile(r"\bMIG\b")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found: a key that names the sentence, and the values in it."""

    key: str
    values: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Card:
    """What one run said about one GPU."""

    gpu: int
    facts: Facts = field(default_factory=dict)  # what the device says it is
    before: Facts = field(default_factory=dict)  # the driver's row
    after: Facts = field(default_factory=dict)
    steady: Facts | None = None
    others: tuple[Facts, ...] = ()  # readings of other shapes and dtypes
    checks: tuple[Facts, ...] = ()
    copy: Facts = field(default_factory=dict)
    memory: Facts = field(default_factory=dict)
    trouble: tuple[Finding, ...] = ()  # reasons why nothing can be said

    @property
    def name(self) -> str:
        return str(self.facts.get("name") or self.before.get("name") or "")

    @property
    def is_cpu(self) -> bool:
        return self.facts.get("kind") == "cpu"

    def rate(self, dtype: str) -> Decimal | None:
        """The steady rate of a dtype, of whichever reading had it."""
        own = [self.steady] if self.steady is not None else []
        found = [one for one in (*own, *self.others) if one.get("dtype") == dtype and one.get("kind") != "shape"]
        return number(found[0].get("tflops_median")) if found else None

    def best(self) -> Decimal | None:
        """The best rate of all shapes of the main dtype, for comparison with tables of the best shape."""
        own = [self.steady] if self.steady is not None else []
        rates = [number(one.get("tflops_median")) for one in (*own, *self.others) if one.get("kind") != "side"]
        return max((one for one in rates if one is not None), default=None)


@dataclass(frozen=True, slots=True)
class Run:
    """The events of one run, by GPU."""

    start: Facts = field(default_factory=dict)
    end: Facts | None = None  # None: it never ended
    cards: tuple[Card, ...] = ()
    xids: tuple[str, ...] = ()
    trouble: tuple[Finding, ...] = ()
    links: tuple[Facts, ...] = ()  # copies between GPUs, by ordered pair
    all_reduce: Facts = field(default_factory=dict)
    skipped: tuple[Facts, ...] = ()  # what is between GPUs and was not measured

    @property
    def mode(self) -> str:
        return str(self.start.get("mode") or "full")

    @property
    def version(self) -> Any:
        return self.start.get("protocol_version")


@dataclass(frozen=True, slots=True)
class Claim:
    """A rate that a vendor states, and the figures of the card that it is."""

    tflops: Decimal
    kinds: tuple[str, ...]  # dense sparse fp16-accumulate fp8 int8 fp8-sparse fp4 achievable below-dense unreachable


@dataclass(frozen=True, slots=True)
class CardVerdict:
    gpu: int
    outcome: str
    name: str
    accelerator: str | None = None
    dtype: str | None = None
    tflops: Decimal | None = None
    dense: Decimal | None = None  # of the datasheet
    expected: Decimal | None = None  # what healthy cards reach
    tier: str | None = None
    readings: Decimal | None = None  # that the expected rate rests on
    utilisation: Decimal | None = None  # at the actual clock
    findings: tuple[Finding, ...] = ()  # why this outcome
    causes: tuple[Finding, ...] = ()  # why this rate
    remarks: tuple[Finding, ...] = ()  # worth knowing

    @property
    def share_dense(self) -> Decimal | None:
        return _share(self.tflops, self.dense)

    @property
    def share_expected(self) -> Decimal | None:
        return _share(self.tflops, self.expected)


@dataclass(frozen=True, slots=True)
class Verdict:
    outcome: str
    cards: tuple[CardVerdict, ...] = ()
    mode: str = "full"
    claim: Claim | None = None
    findings: tuple[Finding, ...] = ()  # of the run as a whole
    self_reported: bool = False
    remarks: tuple[Finding, ...] = ()  # on what is between the GPUs

    @property
    def worst(self) -> CardVerdict | None:
        return min(self.cards, key=_severity, default=None)


def _severity(card: CardVerdict) -> tuple[int, Decimal]:
    return OUTCOMES.index(card.outcome), card.tflops if card.tflops is not None else Decimal("Infinity")


def number(value: Any) -> Decimal | None:
    """A finite number of a JSON value; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    found = Decimal(str(value))
    return found if found.is_finite() else None


def _share(part: Decimal | None, whole: Decimal | None) -> Decimal | None:
    found = part / whole if part is not None and whole else None
    return found if found is None or abs(found) < _LARGEST_SHARE else None


# ---------------------------------------------------------------- events


def collect(events: Iterable[Facts]) -> Run:
    """The events of ``payload.py`` put together; whatever else stands between them is passed over."""
    start: Facts = {}
    end: Facts | None = None
    xids: tuple[str, ...] = ()
    trouble: list[Finding] = []
    between: dict[str, list[Facts]] = {"link": [], "all_reduce": [], "skipped": []}
    cards: dict[int, dict[str, Any]] = {}
    for one in events:
        event, gpu = one.get("ev"), one.get("gpu")
        if event == "start":
            start = one
        elif event == "end":
            end = one
        elif event == "xids":
            new = one.get("new")
            xids = tuple(str(text) for text in new) if isinstance(new, list) else ()
        elif event == "busy" and isinstance(one.get("gpus"), Mapping):
            trouble += [Finding("busy", {"gpu": at, "why": why}) for at, why in one["gpus"].items()]
        elif event == "held":
            trouble.append(Finding("held", {name: one.get(name, "?") for name in ("by", "process", "user", "seconds")}))
        elif event in between and gpu is None:
            between[event].append(one)
        elif isinstance(gpu, int) and not isinstance(gpu, bool):
            _take(cards.setdefault(gpu, {}), str(event), one)
    return Run(
        start, end, tuple(Card(gpu, **_frozen(parts)) for gpu, parts in sorted(cards.items())), xids, tuple(trouble),
        tuple(one for one in between["link"] if _ends(one) is not None),
        between["all_reduce"][-1] if between["all_reduce"] else {}, tuple(between["skipped"]),
    )  # fmt: skip


def _ends(link: Facts) -> tuple[int, int] | None:
    """From which GPU to which; None for what is no link."""
    source, target = link.get("from"), link.get("to")
    if type(source) is not int or type(target) is not int or source == target:
        return None
    return source, target


_LISTS = {"checks": "check", "trouble": "trouble", "others": "reading"}


def _take(card: dict[str, Any], event: str, one: Facts) -> None:
    if event == "identity":
        card["facts"] = one
    elif event == "driver":
        card["after" if one.get("when") == "after" else "before"] = one
    elif event == "reading" and one.get("kind") == "steady":
        card["steady"] = one
    elif event == "reading":
        card.setdefault("others", []).append(one)
    elif event == "check":
        card.setdefault("checks", []).append(one)
    elif event in ("copy", "memory"):
        card[event] = one
    elif event in ("unsupported", "died", "error", "no_torch", "refused"):
        card.setdefault("trouble", []).append(Finding(event.replace("_", "-"), _told(one)))


def _told(one: Facts) -> Facts:
    return {name: one[name] for name in ("why", "error", "signal", "dtype", "accelerator", "has") if name in one}


def _frozen(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if name in _LISTS else value for name, value in parts.items()}


# ---------------------------------------------------------------- which card is it?


def known_as(name: str, table: Mapping[str, Accelerator]) -> list[Accelerator]:
    """The cards that a driver calls by this name; a MIG slice is called by its card's name."""
    plain = _MIG.split(name)[0].strip().casefold()
    return [one for one in table.values() if plain in (known.casefold() for known in one.device_names)]


def resolve(ordered: str, table: Mapping[str, Accelerator]) -> list[Accelerator]:
    """The cards that an order means: an id of the table, or a model, which may have several."""
    if ordered in table:
        return [table[ordered]]
    return [one for one in table.values() if one.model.casefold() == ordered.casefold()]


def mismatches(card: Card, one: Accelerator, table: Mapping[str, Accelerator]) -> list[Finding]:
    """In what the device differs from this card; what neither side states is no difference."""
    checks = (_other_name, _other_sms, _other_memory, _other_cc, _other_pci, _other_accumulation, _other_fp64)
    return [found for check in checks if (found := check(card, one, table)) is not None]


Table = Mapping[str, Accelerator]


def _other_name(card: Card, one: Accelerator, table: Table) -> Finding | None:
    named = known_as(card.name, table)
    if not named or one in named:
        return None
    return Finding("not.name", {"wanted": one.id, "found": card.name})


def _other_sms(card: Card, one: Accelerator, _table: Table) -> Finding | None:
    found = number(card.facts.get("sms"))
    if found is None or one.sms is None or found == one.sms / one.devices:
        return None
    return Finding("not.sms", {"wanted": one.sms / one.devices, "found": found})


def _other_memory(card: Card, one: Accelerator, _table: Table) -> Finding | None:
    found = number(card.before.get("memory.total")) or number(card.facts.get("memory_mib"))
    sizes = one.sizes_gb or ((one.variant.memory_gb,) if one.variant.memory_gb is not None else ())
    if found is None or not sizes:
        return None
    if any(MEMORY_LOW <= found / (size / one.devices * 1024) <= MEMORY_HIGH for size in sizes):
        return None
    return Finding("not.memory", {"wanted": sizes[0] / one.devices, "found": (found / 1024).quantize(Decimal("0.1"))})


def _other_cc(card: Card, one: Accelerator, _table: Table) -> Finding | None:
    found = card.facts.get("cc")
    if not found or one.cc is None or str(found) == one.cc:
        return None
    return Finding("not.cc", {"wanted": one.cc, "found": str(found)})


def pci_id(card: Card) -> str | None:
    """The PCI device id of a driver's row (``0x233510de``): "2335"."""
    text = card.before.get("pci.device_id")
    return text[2:6].lower() if isinstance(text, str) and re.fullmatch(r"0x[0-9a-fA-F]{8}", text) else None


def _other_pci(card: Card, one: Accelerator, table: Table) -> Finding | None:
    """Another card's id; one that no card here has proves nothing."""
    found = pci_id(card)
    if found is None or not one.pci_ids or found in one.pci_ids:
        return None
    owners = [other.id for other in table.values() if found in other.pci_ids]
    return Finding("not.pci", {"wanted": ", ".join(one.pci_ids), "found": found, "card": owners[0]}) if owners else None


def _other_accumulation(card: Card, one: Accelerator, _table: Table) -> Finding | None:
    """Twice the rate with fp16 accumulation is what GeForce chips do; the opposite may be the library's choice."""
    ratio = _share(card.rate("fp16_acc"), card.rate("fp16"))
    if ratio is None or one.fp16_acc_ratio != 1 or ratio < Decimal("1.5"):
        return None
    return Finding("not.fp16-acc", {"found": ratio.quantize(Decimal("0.01"))})


def _other_fp64(card: Card, one: Accelerator, _table: Table) -> Finding | None:
    """fp64 at half of fp32 or at a sixty-fourth: no library and no clock blurs that difference."""
    ratio = _share(card.rate("fp64"), card.rate("fp32"))
    wanted = _share(one.variant.peaks.get("fp64"), one.variant.peaks.get("fp32"))
    if ratio is None or wanted is None:
        return None
    if (wanted >= Decimal("0.4") and ratio < Decimal("0.1")) or (wanted <= Decimal("0.05") and ratio > Decimal("0.2")):
        rounded = Decimal("0.001")
        return Finding("not.fp64", {"wanted": wanted.quantize(rounded), "found": ratio.quantize(rounded)})
    return None


# ---------------------------------------------------------------- the gates


def judge(
    run: Run, table: Mapping[str, Accelerator], *, ordered: Sequence[Accelerator] = (), claim: Decimal | None = None,
    seed: int | None = None, self_reported: bool = False,
) -> Verdict:  # fmt: skip
    """The verdict on a run. ``ordered`` are the cards that the order allows (none: what the name says), ``claim`` is
    the vendor's rate in TFLOPS, ``seed`` the one that the run was given."""
    whole = _of_the_run(run, seed)
    cards = tuple(_judge_card(card, run, whole, table, ordered) for card in run.cards)
    cards = _beside_each_other(cards)
    faults = _wrong_sum(run)
    if cards:
        outcome = min((*(card.outcome for card in cards), *("faulty" for _ in faults)), key=OUTCOMES.index)
    else:
        outcome = "unsupported" if ordered and not any(one.runs for one in ordered) else "inconclusive"
    claimed = None
    worst = min(cards, key=_severity, default=None)
    if claim is not None:
        one = table.get(worst.accelerator or "") if worst else None
        one = one or (ordered[0] if ordered else None)
        dtype = worst.dtype if worst and worst.dtype else "bf16"
        claimed = classify(claim, one, dtype) if one is not None else Claim(claim, ("unknown",))
    return Verdict(
        outcome, cards, run.mode, claimed, (*faults, *whole), self_reported, tuple(_between_remarks(run, cards, table))
    )


def _of_the_run(run: Run, seed: int | None) -> list[Finding]:
    """Reasons why nothing can be said about any card of the run."""
    found = list(run.trouble)
    if not run.start and run.end is None and not run.cards:
        return found  # nothing of it was heard: how the run went says why
    if run.end is None:
        found.append(Finding("no-end"))
    elif run.end.get("rc") != 0 and not found and not any(card.trouble for card in run.cards):
        found.append(Finding("ended", {"why": run.end.get("why") or run.end.get("rc")}))
    if run.version != PROTOCOL:
        found.append(Finding("protocol", {"found": run.version, "wanted": PROTOCOL}))
    if seed is not None and run.start.get("seed") != seed:
        found.append(Finding("seed"))
    return found


def _judge_card(
    card: Card, run: Run, whole: Sequence[Finding], table: Mapping[str, Accelerator], ordered: Sequence[Accelerator]
) -> CardVerdict:
    empty = CardVerdict(card.gpu, "unknown", card.name)
    if card.is_cpu and not card.trouble:
        return _judge_cpu(card, empty, whole)
    candidates = list(ordered) or known_as(card.name, table)
    one, differences = _nearest(card, candidates, table)
    verdict = _with_figures(empty, card, one)
    if ordered and one is not None and _is_slice(card):
        differences.append(Finding("not.mig"))
    if differences:
        return replace(verdict, outcome="not_as_sold", findings=tuple(differences))
    verdict = replace(verdict, remarks=tuple(_remarks(card, one, table)))
    if faults := _faults(card, run):
        return replace(verdict, outcome="faulty", findings=tuple(faults))
    if doubts := [*whole, *card.trouble, *_doubts(card, verdict)]:
        unsupported = any(doubt.key in ("unsupported", "no-torch") for doubt in doubts)
        return replace(verdict, outcome="unsupported" if unsupported else "inconclusive", findings=tuple(doubts))
    if one is None:
        return replace(verdict, findings=(Finding("unknown-card", {"name": card.name}),))
    return _rate(verdict, card, one)


def _nearest(card: Card, candidates: Sequence[Accelerator], table: Table) -> tuple[Accelerator | None, list[Finding]]:
    """The candidate that differs least, and in what."""
    if not candidates:
        return None, []
    found = [(mismatches(card, one, table), one) for one in candidates]
    differences, one = min(found, key=lambda pair: len(pair[0]))
    return one, differences


def _is_slice(card: Card) -> bool:
    return bool(_MIG.search(card.name)) or card.before.get("mig.mode.current") == "Enabled"


def _with_figures(verdict: CardVerdict, card: Card, one: Accelerator | None) -> CardVerdict:
    dtype = str(card.steady["dtype"]) if card.steady is not None and card.steady.get("dtype") else None
    tflops = number(card.steady.get("tflops_median")) if card.steady is not None else None
    verdict = replace(verdict, dtype=dtype, tflops=tflops)
    if one is None or dtype is None:
        return replace(verdict, accelerator=one.id if one else None)
    dense, expected = one.variant.peaks.get(dtype), one.variant.expect.get(dtype)
    basis = one.basis.get(dtype)
    verdict = replace(
        verdict, accelerator=one.id, dense=None if dense is None else dense / one.devices,
        expected=None if expected is None else expected / one.devices, tier=basis.tier if basis else None,
        readings=basis.readings if basis else None,
    )  # fmt: skip
    return replace(verdict, utilisation=_utilisation(card, one, verdict))


def _utilisation(card: Card, one: Accelerator, verdict: CardVerdict) -> Decimal | None:
    """Rate over what the SMs could do at the clock they really ran at."""
    mhz = number(card.steady.get("mean_mhz")) if card.steady else None
    base = one.variant.peaks.get("fp16") or one.variant.peaks.get("bf16")
    sms = one.sms
    if not mhz or not base or sms is None or not one.flop_per_clk_sm or not verdict.dense or verdict.tflops is None:
        return None
    per_clock = sms / one.devices * one.flop_per_clk_sm * verdict.dense * one.devices / base
    return verdict.tflops * 1_000_000 / (per_clock * mhz)


# -- gate 1


def _faults(card: Card, run: Run) -> list[Finding]:
    found = [
        _wrong_result(check)
        for check in card.checks
        if check.get("right") is False and check.get("dtype") != "fp16_acc"
    ]
    ecc = "ecc.errors.uncorrected.volatile.total"
    before, after = number(card.before.get(ecc)), number(card.after.get(ecc))
    if before is not None and after is not None and after > before:
        found.append(Finding("fault.ecc", {"n": after - before}))
    rows = (card.before, card.after)
    for part, finding in (("failure", Finding("fault.remap-failure")), ("pending", Finding("fault.remap-pending"))):
        found += [finding] if any(_is_yes(row.get(f"remapped_{part}")) for row in rows) else []
    for link in run.links:
        if link["to"] == card.gpu and (words := number(link.get("wrong_words"))):
            found.append(Finding("fault.link", {"from": link["from"], "n": words}))
    if run.xids:
        found.append(Finding("fault.xid", {"text": run.xids[0]}))
    wrong, said = number(card.memory.get("wrong_words")), str(card.memory.get("error") or "")
    if wrong:
        found.append(Finding("fault.memory", {"n": wrong}))
    if said and "out of memory" not in said.lower():
        found.append(Finding("fault.memory-read", {"error": said}))
    return found


def _is_yes(value: Any) -> bool:
    return str(value).lower() in ("yes", "1", "true")


def _wrong_result(check: Facts) -> Finding:
    """NaN travels as null: an entry that nothing wrote, or that no number is."""
    error, dtype = number(check.get("rel_err")), str(check.get("dtype"))
    if error is None:
        return Finding("fault.unwritten", {"dtype": dtype})
    return Finding("fault.wrong", {"dtype": dtype, "error": error})


# -- gate 2


def _doubts(card: Card, verdict: CardVerdict) -> list[Finding]:
    found = []
    if _is_slice(card):
        found.append(Finding("mig"))
    if _VGPU.search(card.name):
        found.append(Finding("vgpu", {"name": card.name}))
    if card.steady is None or verdict.tflops is None:
        return [*found, Finding("no-reading")]
    if not any(check.get("when") == "before" for check in card.checks):
        found.append(Finding("no-check"))
    cv = number(card.steady.get("cv"))
    if cv is None or cv > MAX_CV:
        found.append(Finding("unsteady", {"cv": cv}))
    if not number(card.steady.get("samples")):
        found.append(Finding("no-clocks"))
    if verdict.dense is not None and verdict.tflops > verdict.dense * TOO_FAST:
        found.append(Finding("too-fast", {"share": verdict.share_dense}))
    return found


# -- gate 3 and 4


def _rate(verdict: CardVerdict, card: Card, one: Accelerator) -> CardVerdict:
    share = verdict.share_expected
    if share is None:
        return _plausible(verdict, one)
    if share >= PASS:
        return replace(verdict, outcome="healthy" if share >= HEALTHY else "pass")
    outcome = "below" if share >= FAIL_BELOW[verdict.tier or "B"] else "fail"
    return replace(verdict, outcome=outcome, causes=tuple(_causes(verdict, card)))


def _plausible(verdict: CardVerdict, one: Accelerator) -> CardVerdict:
    """Nothing is expected of this card and dtype: all that can be said is whether its class makes the rate likely."""
    share = verdict.share_dense
    if share is None or one.typical is None or verdict.dtype not in ("bf16", "fp16"):
        return replace(verdict, outcome="unknown", findings=(Finding("no-expectation", {"dtype": verdict.dtype}),))
    known = {"low": one.typical.low, "high": one.typical.high}
    inside = one.typical.low <= share <= one.typical.high
    return replace(verdict, outcome="plausible" if inside else "implausible", findings=(Finding("class", known),))


def _causes(verdict: CardVerdict, card: Card) -> list[Finding]:
    """Why a rate is low: clocks that were held down, or work that the clocks do not explain."""
    steady = card.steady or {}
    used = verdict.utilisation
    if used is None:
        return []
    if used < CLOCK_BOUND:
        return [Finding("cause.not-clocks", {"share": used})]
    held = steady.get("throttle")
    reasons = held.items() if isinstance(held, Mapping) else ()
    named = [
        Finding("cause.throttle", {"reason": name, "share": share, "max_c": steady.get("max_c")})
        for name, value in reasons
        if name != "idle" and (share := number(value)) is not None and share >= HELD
    ]
    return [Finding("cause.clocks", {"mhz": number(steady.get("mean_mhz")), "share": used}), *named]


def _beside_each_other(cards: tuple[CardVerdict, ...]) -> tuple[CardVerdict, ...]:
    """A GPU clearly slower than the best of its node is below what it should be, whatever is expected of the model."""
    best = max((card.tflops for card in cards if card.tflops is not None), default=None)
    if best is None or len(cards) < 2:
        return cards
    judged = ("healthy", "pass", "plausible", "unknown", "implausible")
    return tuple(
        replace(
            card,
            outcome="below" if card.outcome in judged else card.outcome,
            findings=(*card.findings, Finding("slower-than-node", {"gpu": card.gpu, "share": card.tflops / best})),
        )
        if card.tflops is not None and card.tflops < best * NODE_SHARE and card.outcome != "cpu"
        else card
        for card in cards
    )


def _judge_cpu(card: Card, verdict: CardVerdict, whole: Sequence[Finding]) -> CardVerdict:
    """A CPU's rate says nothing about a GPU; on a busy machine it is no rate at all."""
    verdict = _with_figures(verdict, card, None)
    wrong = [check for check in card.checks if check.get("right") is False]
    if wrong:
        return replace(verdict, outcome="faulty", findings=tuple(_faults(card, Run())))
    share, threads = number(card.steady.get("cpu_share") if card.steady else None), number(card.facts.get("threads"))
    if share is not None and threads and share < OWN_SHARE * threads:
        verdict = replace(verdict, findings=(Finding("contended", {"share": share / threads}),))
    if whole:
        return replace(verdict, outcome="inconclusive", findings=tuple(whole))
    return replace(verdict, outcome="cpu")


# -- what else is worth knowing


def _remarks(card: Card, one: Accelerator | None, table: Table) -> list[Finding]:
    found = []
    limit, usual = number(card.before.get("power.limit")), number(card.before.get("power.default_limit"))
    if limit is not None and usual is not None and limit < usual * POWER_LOWERED:
        found.append(Finding("power-limit", {"limit": limit, "default": usual}))
    bandwidth = one.variant.bandwidth_gbps / one.devices if one and one.variant.bandwidth_gbps else None
    copied = number(card.copy.get("device_gbps"))
    if (share := _share(copied, bandwidth)) is not None and share < SLOW_MEMORY:
        found.append(Finding("slow-memory", {"gbps": copied, "of": bandwidth, "share": share}))
    found += _link(card)
    ecc = number(card.before.get("ecc.errors.uncorrected.aggregate.total"))
    if ecc:
        found.append(Finding("old-ecc", {"n": ecc}))
    found += _memory_remarks(card)
    pci = pci_id(card)
    if pci is not None and one is not None and one.pci_ids and pci not in one.pci_ids:
        found.append(Finding("pci-unknown", {"id": pci}))
    if one is None and pci is not None:
        owners = [other.id for other in table.values() if pci in other.pci_ids]
        found += [Finding("pci-says", {"id": pci, "card": owners[0]})] if owners else []
    return found


def _link(card: Card) -> list[Finding]:
    steady = card.steady or {}
    gen, most = number(steady.get("pcie_gen")), number(card.before.get("pcie.link.gen.max"))
    width, widest = number(steady.get("pcie_width")), number(card.before.get("pcie.link.width.max"))
    if gen is None or width is None or most is None or widest is None or (gen >= most and width >= widest):
        return []
    return [Finding("pcie", {"gen": gen, "width": width, "max_gen": most, "max_width": widest})]


# -- what is between the GPUs: said beside the verdict, for no published bounds are known that could be one


def _wrong_sum(run: Run) -> list[Finding]:
    words = number(run.all_reduce.get("wrong_words"))
    return [Finding("fault.all-reduce", {"n": words})] if words else []


def _between_remarks(run: Run, cards: Sequence[CardVerdict], table: Table) -> list[Finding]:
    read = {ends: number(one.get("gbps")) for one in run.links if (ends := _ends(one))}
    rates = {ends: rate for ends, rate in read.items() if rate is not None and rate > 0}  # no copy takes forever
    found = [*_odd_links(rates), *_missing_nvlink(run, rates, cards, table)]
    failed = [one for one in run.links if one.get("error")]
    found += [Finding("link.error", {"from": one["from"], "to": one["to"], "why": one["error"]}) for one in failed]
    keys = {"links": "links.part" if run.links else "links.none", "all_reduce": "all-reduce.none"}
    for one in run.skipped:
        step = str(one.get("step"))
        if step in keys and not (step == "all_reduce" and run.all_reduce):
            found.append(Finding(keys[step], {"why": one.get("why")}))
    return found


def _odd_links(rates: Mapping[tuple[int, int], Decimal]) -> list[Finding]:
    """Few slow links among many that are alike: at most one of three, or a quarter of more.

    Where the rates are of several kinds, as with bridges between some cards or two sockets, none is odd.
    """
    if len(rates) < 6:  # three GPUs
        return []
    usual = median(rates.values())
    slow = {ends: rate for ends, rate in rates.items() if rate < usual * SLOW_LINK}
    alike = all(abs(rate / usual - 1) <= ALIKE for ends, rate in rates.items() if ends not in slow)
    links = {frozenset(ends) for ends in slow}
    if not slow or not alike or len(links) > max(1, len({frozenset(ends) for ends in rates}) // 4):
        return []
    shared = frozenset.intersection(*links)
    if len(links) > 1 and shared:
        [gpu] = shared
        return [Finding("link.slow-gpu", {"gpu": gpu, "gbps": max(slow.values()), "usual": usual})]
    worst = {link: min((rate, ends) for ends, rate in slow.items() if frozenset(ends) == link) for link in links}
    return [
        Finding("link.slow", {"from": ends[0], "to": ends[1], "gbps": rate, "share": rate / usual, "usual": usual})
        for rate, ends in sorted(worst.values(), key=lambda pair: pair[1])
    ]


_NVLINK = re.compile(r"\bNVLink (\d+(?:\.\d+)?) GB/s")
_PCIE_LANE = {1: "0.25", 2: "0.5", 3: "0.985", 4: "1.969", 5: "3.938", 6: "7.563"}  # GB/s each way, by generation


def _missing_nvlink(
    run: Run, rates: Mapping[tuple[int, int], Decimal], cards: Sequence[CardVerdict], table: Table
) -> list[Finding]:
    """GPUs of a form that has NVLink on its board, none of whose copies is faster than PCIe can be.

    One fast pair is enough: on some boards not every pair has a link of its own. Cards for a slot have it as an option.
    """
    missing: list[tuple[int, Decimal]] = []
    stated: set[Decimal] = set()
    for verdict, card in zip(cards, run.cards, strict=True):
        one = table.get(verdict.accelerator or "")
        link = _NVLINK.search(one.variant.interconnect or "") if one is not None and one.variant.form == "SXM" else None
        own = [rate for ends, rate in rates.items() if card.gpu in ends]
        most = _pcie_limit(card)
        if link and own and most is not None and max(own) <= most < Decimal(link[1]) / 2:
            missing.append((card.gpu, max(own)))
            stated.add(Decimal(link[1]))
    if not missing:
        return []
    values = {"gpus": [gpu for gpu, _ in missing], "gbps": max(rate for _, rate in missing), "nvlink": max(stated)}
    return [Finding("nvlink.missing", values)]


def _pcie_limit(card: Card) -> Decimal | None:
    """GB/s each way that the slot of a card allows; None where the driver does not say."""
    gen, width = number(card.before.get("pcie.link.gen.max")), number(card.before.get("pcie.link.width.max"))
    lane = _PCIE_LANE.get(int(gen)) if gen is not None else None
    return Decimal(lane) * width if lane and width is not None else None


def _memory_remarks(card: Card) -> list[Finding]:
    written, verified = number(card.memory.get("written_mib")), number(card.memory.get("verified_mib"))
    if written is not None and verified is not None and verified < written:
        return [Finding("memory-part", {"verified": verified / 1024, "written": written / 1024})]
    return []


# ---------------------------------------------------------------- a vendor's claim


def classify(claim: Decimal, one: Accelerator, dtype: str) -> Claim:
    """Which figures of the card a claimed rate is; several may be the same number (H100: sparse bf16 and dense fp8)."""
    peaks = one.variant.peaks
    dense = peaks.get(dtype) or peaks.get("bf16") or peaks.get("fp16")
    if dense is None:
        return Claim(claim, ("unknown",))
    fp8, int8, fp16 = peaks.get("fp8"), peaks.get("int8"), peaks.get("fp16")
    accumulate = fp16 * one.fp16_acc_ratio if fp16 and one.fp16_acc_ratio and one.fp16_acc_ratio > 1 else None
    figures = (
        ("dense", dense), ("sparse", dense * 2), ("fp16-accumulate", accumulate), ("fp8", fp8), ("int8", int8),
        ("fp16-accumulate-sparse", accumulate and accumulate * 2), ("fp8-sparse", fp8 and fp8 * 2),
        ("int8-sparse", int8 and int8 * 2), ("fp4", dense * 4),
    )  # fmt: skip
    kinds = [name for name, value in figures if value and abs(claim / value - 1) <= DENSE]
    if "dense" in kinds:
        return Claim(claim, ("dense",))
    expected = one.variant.expect.get(dtype)
    if not kinds and expected and abs(claim / expected - 1) <= CLAIMED:
        kinds = ["achievable"]
    if not kinds:
        kinds = ["unreachable" if claim > dense * (1 + DENSE) else "below-dense"]
    return Claim(claim, tuple(kinds))


# ---------------------------------------------------------------- as plain values


def record(verdict: Verdict, run: Run, *, state: str = "ok", **more: Any) -> dict[str, Any]:
    """One JSON object of the whole result; ``more`` is what the caller knows (host, time). Unknown is null."""
    worst = verdict.worst
    return {
        "ev": "record",
        "state": state,
        "verdict": verdict.outcome,
        "protocol_version": run.version,
        "mode": run.mode,
        "seed": run.start.get("seed"),
        "self_reported": verdict.self_reported,
        **(_card_json(worst, brief=True) if worst else {"gpu": None, "dtype": None, "tflops": None}),
        "worst_gpu": worst.gpu if worst else None,
        "findings": [_finding_json(one) for one in verdict.findings],
        "claim": None if verdict.claim is None else _claim_json(verdict.claim),
        "gpus": [
            {**_card_json(one, brief=False), **_measured_json(card)}
            for one, card in zip(verdict.cards, run.cards, strict=True)
        ],
        "links": [_without_event(one) for one in run.links],
        "all_reduce": _without_event(run.all_reduce) or None,
        "remarks": [_finding_json(one) for one in verdict.remarks],
        "seconds": plain(run.end.get("seconds")) if run.end else None,
        **more,
    }


def _claim_json(claim: Claim) -> dict[str, Any]:
    return {"tflops": plain(claim.tflops), "kinds": list(claim.kinds)}


def _card_json(card: CardVerdict, *, brief: bool) -> dict[str, Any]:
    figures = {
        "gpu": card.accelerator or card.name or None,
        "dtype": card.dtype,
        "tflops": plain(card.tflops),
        "expected_tflops": plain(card.expected),
        "dense_tflops": plain(card.dense),
        "share_expected": _rounded(card.share_expected),
        "share_dense": _rounded(card.share_dense),
        "tier": card.tier,
    }
    if brief:
        return figures
    return {
        "index": card.gpu,
        "verdict": card.outcome,
        "name": card.name,
        **figures,
        "utilisation": _rounded(card.utilisation),
        "findings": [_finding_json(one) for one in card.findings],
        "causes": [_finding_json(one) for one in card.causes],
        "remarks": [_finding_json(one) for one in card.remarks],
    }


_KEPT = (
    "shape tflops_median tflops_p5 tflops_p95 tflops_max cv drift rel_err batches samples mean_mhz min_mhz mean_w "
    "max_c throttle cpu_share"
).split()


def _measured_json(card: Card) -> dict[str, Any]:
    steady = card.steady or {}
    return {
        "uuid": card.before.get("uuid") or card.facts.get("uuid"),
        "torch": card.facts.get("torch"),
        "cuda": card.facts.get("cuda"),
        "hip": card.facts.get("hip"),
        "driver": card.before.get("driver_version"),
        "tunable_op": card.facts.get("tunable_op"),
        "steady": {name: plain(steady[name]) for name in _KEPT if name in steady},
        "best_shape_tflops": plain(card.best()),
        "others": {
            str(one.get("dtype")): plain(one.get("tflops_median")) for one in card.others if one.get("kind") == "side"
        },
        "copy": _without_event(card.copy),
        "memory": _without_event(card.memory),
    }


def _without_event(facts: Facts) -> dict[str, Any]:
    return {name: plain(value) for name, value in facts.items() if name not in ("ev", "t", "gpu")}


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {"key": finding.key, **{name: plain(value) for name, value in finding.values.items()}}


def _rounded(value: Decimal | None) -> float | None:
    return None if value is None else float(round(value, 4))


def plain(value: Any) -> Any:
    """A value as JSON holds it."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and abs(value) < 10**15 else float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
