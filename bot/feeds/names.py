"""Other people's names for GPUs, providers and regions, in ours.

Memory and form of a card come from our own table; what a source says of them only chooses among its variants. What
a name leaves open stays open: an ``A100`` without its memory is neither 40 nor 80 GB.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from bot.catalog import countries
from rules.model import Catalog, Gpu, Offer

_MEMORY = re.compile(r"(\d+(?:\.\d+)?)g(?:i?b)?")
_FORM = {"sxm": "SXM", "pcie": "PCIe", "nvl": "NVL"}
_FORM_WORD = re.compile(r"(sxm|pcie|nvl)\d*(?![a-z])")
_GLUED_FORM = re.compile(r"([a-z]+\d{2,}[a-z]?)(sxm|pcie|nvl)\d?")  # H100NVL
_SKU_FORM = re.compile(r"(?:^|[^a-z0-9])(sxm|pcie|nvl)\d*(?![a-z])", re.IGNORECASE)
_EMPTY_WORDS = frozenset("nvidia tesla geforce quadro amd instinct google intel gpu nvlink mega generation".split())
_EDITIONS = frozenset("server workstation edition blackwell ws s se wk max q maxq".split())
_PRO = re.compile(r"(rtxpro6000)(?:ws|wk|se|s)")  # editions of one card
_SNAP = Decimal("0.07")  # an 80 GB card reports 79.6 to 81.6, a B200 of 180 GB up to 192
_GIB = Decimal("1.073741824")  # some count in GiB and some do not: a B300 of 288 GB has 262, an A10G of 24 GB 22
_SLICE_AT_MOST = Decimal("0.6")
_SLICE_AT_LEAST = Decimal("0.06")  # below, the figure is in another unit

# Instance types that hold a share of one GPU, as their providers document them. None: the share varies.
SLICES: tuple[tuple[re.Pattern[str], Decimal | None], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), None if share is None else Decimal(share))
    for pattern, share in (
        (r"g4-standard-6", "0.125"),
        (r"g4-standard-12", "0.25"),
        (r"g4-standard-24", "0.5"),
        (r"standard_nv6ads_a10_v5", "0.166667"),
        (r"standard_nv12ads_a10_v5", "0.333333"),
        (r"standard_nv18ads_a10_v5", "0.5"),
        (r"g6f\.(?:x?large)", "0.125"),
        (r"g6f\.2xlarge", "0.25"),
        (r"gr?6f\.4xlarge", "0.5"),
        (r"(?:ecs\.)?(?:vgn|sgn)[^.]*\..*", None),
    )
)
_HOST_ONLY = re.compile(r"n1-(?:standard|highmem|highcpu|ultramem)-\d+", re.IGNORECASE)  # its GPUs are billed apart

_PROVIDERS = {
    "lambdalabs": "lambda", "lambdacloud": "lambda", "vastai": "vast", "do": "digitalocean", "alicloud": "alibaba",
    "aliyun": "alibaba", "awschina": "aws", "awscn": "aws", "datacrunch": "verda", "google": "gcp",
    "amazon": "aws", "microsoft": "azure", "oracle": "oci", "linode": "akamai", "ovh": "ovhcloud",
}  # fmt: skip
# Codes of regions.yaml that mean another place when these providers use them.
_OTHER_PLACES: Mapping[str, frozenset[str]] = {
    "alibaba": frozenset({"ap-southeast-3", "ap-southeast-5", "eu-west-1", "me-central-1"}),
    "huawei": frozenset({"ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4"}),
}
_COUNTRY_WORDS = {"gb": "uk", "usa": "us", "unitedstates": "us", "unitedkingdom": "uk"}


@dataclass(frozen=True, slots=True)
class Card:
    """What a row sells. ``model`` is the name as written when we do not know it; ``share`` below 1 is a slice."""

    model: str
    known: bool
    memory_gb: Decimal | None = None
    form: str | None = None
    share: Decimal | None = None  # None: not stated by name or memory
    memory_wrong: bool = False  # the source's figure was not the card's
    open_memory: bool = False  # one name, several products
    alias: bool = False  # another spelling than ours


class Names:
    """The tables of one catalogue, indexed for many look-ups."""

    def __init__(self, catalog: Catalog) -> None:
        self._gpus = catalog.gpus
        self._models = dict(_spellings(catalog.gpus.values()))
        self._regions = catalog.regions
        self._countries = countries(catalog)
        self._providers = {_bare(name): one.id for one in catalog.providers.values() for name in (one.id, *one.aliases)}
        self._kinds = {one.id: one.kind for one in catalog.providers.values()}
        self._recheck = {one.id: one.recheck_days for one in catalog.providers.values()}
        self._shapes: dict[tuple[str, str], list[Offer]] = {}
        for offer in catalog.offers:
            if not offer.feed and offer.sold_as == "machine":
                self._shapes.setdefault((offer.provider, offer.sku.lower()), []).append(offer)
        self._places: dict[tuple[str, str, str], tuple[str, bool]] = {}
        self._cards: dict[tuple[str, Decimal | None, Decimal, str | None], Card] = {}

    # -- providers and regions

    def provider(self, name: str) -> str:
        """Our id of a provider; one that we do not know keeps its name, as an id."""
        bare = _bare(name)
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        return _PROVIDERS.get(bare) or self._providers.get(bare) or plain

    def knows(self, provider: str) -> bool:
        """Whether the knowledge has a provider of that id."""
        return provider in self._kinds

    def is_market(self, provider: str) -> bool:
        """Whether many sellers set the prices there, so that one offer may be listed at several."""
        return self._kinds.get(provider) == "marketplace" or provider in ("vast", "tensordock", "primeintellect")

    def recheck_days(self, provider: str) -> int | None:
        return self._recheck.get(provider)

    def region(self, provider: str, text: str, zone: str = "") -> tuple[str, bool]:
        """A region's code, and whether the table knows it; a country's code stands for an unnamed place in it."""
        key = (provider, text, zone)
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = self._region(provider, text, zone)
        return found

    def _region(self, provider: str, text: str, zone: str) -> tuple[str, bool]:
        code = text.strip().lower()
        if code in self._regions:
            other = code in _OTHER_PLACES.get(provider, ())
            return (f"{provider}:{code}", False) if other else (code, True)
        within = zone.strip().lower()
        if within in self._regions:
            return within, True
        without_zone = re.sub(r"-[a-f]$", "", code)
        if without_zone in self._regions:
            return without_zone, True
        last = code.rpartition(",")[2].strip()
        country = _COUNTRY_WORDS.get(_bare(last), last)
        if country in self._countries:
            return country, True
        return code, False

    # -- shapes

    def shape(self, provider: str, sku: str) -> Offer | None:
        """The shape that our own files give this SKU."""
        found = self._shapes.get((provider, sku.lower()))
        return found[0] if found else None

    def is_host_only(self, provider: str, sku: str) -> bool:
        return provider == "gcp" and _HOST_ONLY.fullmatch(sku) is not None

    @staticmethod
    def slice_share(sku: str) -> tuple[bool, Decimal | None]:
        """Whether an instance type holds a share of a GPU, and which if it is documented."""
        for pattern, share in SLICES:
            if pattern.fullmatch(sku):
                return True, share
        return False, None

    # -- cards

    def card(self, name: str, memory_gb: Decimal | None, count: Decimal, sku: str = "") -> Card:
        """The card that a source calls ``name`` with ``memory_gb`` a GPU, in a machine of ``count``."""
        match = _SKU_FORM.search(sku)
        form = _FORM[match[1].lower()] if match else None
        key = (name, memory_gb, count, form)
        found = self._cards.get(key)
        if found is None:
            found = self._cards[key] = self._find(name, memory_gb, count, form)
        return found

    def _find(self, name: str, memory: Decimal | None, count: Decimal, sku_form: str | None) -> Card:
        model, named_memory, named_form, exact = self._read(name)
        if model is None:
            return Card(name, known=False, memory_gb=memory if memory else None, form=named_form or sku_form)
        gpu = self._gpus[model]
        form = named_form or sku_form
        if named_memory is not None:
            size = self._named_size(gpu, named_memory)
            if size is not None:
                wrong = bool(memory) and not _near(memory or Decimal(0), size)
                share = _share(memory, size) if wrong else None
                return self._card(gpu, size, form, memory_wrong=wrong and share is None, share=share, alias=not exact)
        return self._by_source(name, gpu, memory, count, form, alias=not exact)

    def _read(self, name: str) -> tuple[str | None, Decimal | None, str | None, bool]:
        """Model, memory and form that a name states, and whether it is our own spelling of the model."""
        whole = self._models.get(_bare(name))
        memory: Decimal | None = None
        form: str | None = None
        rest: list[str] = []
        for word in re.split(r"[\s\-_/()+,]+", name.lower()):
            if match := _MEMORY.fullmatch(word):
                memory = memory or Decimal(match[1])
            elif match := _FORM_WORD.fullmatch(word):
                form = _FORM[match[1]]
            elif match := _GLUED_FORM.fullmatch(word):
                form = _FORM[match[2]]
                rest.append(match[1])
            elif word and word not in _EMPTY_WORDS:
                rest.append(word)
        model = whole or self._model_of(rest)
        if model is None and len(rest) > 1 and rest[-1].isdigit():  # "A100-80 SXM": memory without its unit
            model = self._model_of(rest[:-1])
            if model is not None and memory is None:
                memory = Decimal(rest[-1])
        return model, memory, form, name == model

    def _model_of(self, words: list[str]) -> str | None:
        joined = "".join(words)
        plain = "".join(word for word in words if word not in _EDITIONS)
        for text in (joined, joined.removeprefix("rtx"), plain, _PRO.sub(r"\1", joined)):
            if text in self._models:
                return self._models[text]
        return None

    def _named_size(self, gpu: Gpu, named: Decimal) -> Decimal | None:
        sizes = _sizes(gpu)
        near = [size for size in sizes if _near(named, size)]
        if near:
            return min(near, key=lambda size: abs(size - named))
        # A card with memory that our table lacks, as RTX4090-48GB; far more is the memory of the host.
        return named if not sizes or named <= 2 * max(sizes) else None

    def _by_source(
        self, name: str, gpu: Gpu, memory: Decimal | None, count: Decimal, form: str | None, *, alias: bool
    ) -> Card:
        sizes = sorted({v.memory_gb for v in gpu.variants if v.memory_gb and form in (None, v.form)} or _sizes(gpu))
        only = sizes[0] if len(sizes) == 1 else None
        if not memory or not sizes:
            return self._card(gpu, only, form, open_memory=len(sizes) > 1, memory_wrong=memory == 0, alias=alias)
        near = [size for size in sizes if _near(memory, size)]
        if near:
            return self._card(gpu, min(near, key=lambda size: abs(size - memory)), form, alias=alias)
        share = _share(memory, sizes[0])
        if share is not None:
            return self._card(gpu, sizes[0], form, share=share, alias=alias)
        totals = {size * factor: size for size in sizes for factor in (count, count * count) if factor > 1}
        total = min(totals, key=lambda total: abs(total - memory), default=None)
        if total is not None and _near(memory, total):  # the machine's memory, or the count counted twice
            return self._card(gpu, totals[total], form, memory_wrong=True, alias=alias)
        if memory < sizes[0] * _SLICE_AT_LEAST or memory > 4 * max(sizes):
            return self._card(gpu, only, form, memory_wrong=True, open_memory=only is None, alias=alias)
        if _near(memory, 2 * max(sizes)):  # the same chip with twice the memory
            return self._card(gpu, memory.quantize(Decimal(1)), form, alias=alias)
        return Card(f"{name} {memory.normalize():f} GB", known=False, memory_gb=memory, form=form)

    def _card(
        self, gpu: Gpu, memory: Decimal | None, form: str | None, *, share: Decimal | None = None,
        memory_wrong: bool = False, open_memory: bool = False, alias: bool = False,
    ) -> Card:  # fmt: skip
        if form is None:
            forms = {v.form for v in gpu.variants if memory is None or v.memory_gb in (None, memory)}
            form = next(iter(forms)) if len(forms) == 1 else None
        return Card(gpu.model, True, memory, form, share, memory_wrong, open_memory, alias)


def _spellings(gpus: Iterable[Gpu]) -> Iterable[tuple[str, str]]:
    for gpu in gpus:
        for name in (*gpu.device_names, *gpu.aliases, gpu.model):  # the model's own name wins
            yield _bare(name), gpu.model


def _bare(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _sizes(gpu: Gpu) -> set[Decimal]:
    return {variant.memory_gb for variant in gpu.variants if variant.memory_gb}


def _near(one: Decimal, other: Decimal) -> bool:
    return min(abs(one - other), abs(one * _GIB - other)) <= other * _SNAP


def _share(memory: Decimal | None, size: Decimal) -> Decimal | None:
    """The share of a GPU whose memory is that small; None when no share explains it."""
    if not memory or not size * _SLICE_AT_LEAST <= memory <= size * _SLICE_AT_MOST:
        return None
    parts = (size / memory).quantize(Decimal(1))
    return (1 / parts).quantize(Decimal("0.000001")).normalize() if _near(memory, size / parts) else None
