"""What the table of accelerators says about the card of an offer; None where it does not say one thing."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from rules.model import Catalog, GpuVariant, Offer


def tflops_of(offer: Offer, catalog: Catalog, dtype: str | None) -> Decimal | None:
    """What a healthy card reaches, else its dense peak, in TFLOPS of ``dtype`` (fp16 when none is asked)."""
    wanted = dtype or "fp16"
    return _one(offer, catalog, lambda variant: variant.expect.get(wanted) or variant.peaks.get(wanted))


def basis_of(offer: Offer, catalog: Catalog, dtype: str | None) -> str | None:
    """Which figure ``tflops_of`` gives: "expected" of a healthy card or the "dense" peak."""
    if tflops_of(offer, catalog, dtype) is None:
        return None
    return "expected" if _one(offer, catalog, lambda variant: variant.expect.get(dtype or "fp16")) else "dense"


def dense_of(offer: Offer, catalog: Catalog) -> Decimal | None:
    """Dense peak at half precision (fp16, else bf16) in TFLOPS, the same kind of figure for every card."""
    return _one(offer, catalog, lambda variant: variant.peaks.get("fp16") or variant.peaks.get("bf16"))


def bandwidth_of(offer: Offer, catalog: Catalog) -> Decimal | None:
    """Memory bandwidth in decimal GB/s."""
    return _one(offer, catalog, lambda variant: variant.bandwidth_gbps)


def _one(offer: Offer, catalog: Catalog, pick: Callable[[GpuVariant], Decimal | None]) -> Decimal | None:
    gpu = catalog.gpus.get(offer.gpu)
    values = {pick(v) for v in gpu.variants if _fits(v, offer)} - {None} if gpu else set()
    return values.pop() if len(values) == 1 else None


def _fits(variant: GpuVariant, offer: Offer) -> bool:
    return offer.memory_gb in (None, variant.memory_gb) and (offer.form is None or variant.form in (None, offer.form))
