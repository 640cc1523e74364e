"""The catalogue that a command or a server answers from: found, loaded, and reloaded when its folder changes."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rules.fit import needed_gb
from rules.load import index, read_folder, snapshot_of
from rules.model import (
    PRICED_INTENTS,
    Catalog,
    Offer,
    Place,
    PriceLine,
    Problem,
    Provider,
    Question,
    Region,
    Text,
)

Loaded = tuple[Catalog, tuple[Problem, ...]]
Stamp = tuple[tuple[str, int, int], ...]

READ_FOLDERS = ("", "providers", "guidance", "guidance/scenarios", "guidance/topics")


def packaged_folder() -> Path:
    """The knowledge that comes with the program; it lies beside the package ``bot``, in a checkout and in a wheel."""
    return Path(__file__).resolve().parent.parent / "knowledge"


def load(
    knowledge: Path | None = None,
    overlays: Sequence[Path] = (),
    *,
    check_clauses: bool = False,
) -> Loaded:
    """The catalogue of a knowledge folder (None: the packaged one) with its overlays, and everything wrong with it."""
    packaged = packaged_folder()
    folder = packaged if knowledge is None else knowledge
    with no_collection():
        return read_folder(folder, packaged=packaged, overlays=overlays, check_clauses=check_clauses)


@contextmanager
def no_collection() -> Iterator[None]:
    """Reading only builds: the garbage collector would go through all of it again and again, and find nothing."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def errors(problems: Sequence[Problem]) -> list[Problem]:
    """The problems that make a catalogue unfit to answer from; the others are warnings."""
    return [problem for problem in problems if problem.level == "error"]


# ---------------------------------------------------------------- while a server runs


class Reloader:
    """The current catalogue of a folder that people edit while a server runs.

    ``catalog`` is the last one without errors (the first one whatever it was), ``problems`` are those of the last
    look. One thread at a time looks; the others go on with what there is.
    """

    def __init__(self, knowledge: Path | None = None, overlays: Sequence[Path] = ()) -> None:
        self._knowledge = knowledge
        self._overlays = tuple(overlays)
        self._lock = threading.Lock()
        self._stamp = self._look()
        self.catalog, self.problems = load(knowledge, overlays)
        keep_out_of_collection()

    def refresh(self) -> bool:
        """Load again if a file changed; True when the catalogue was swapped. A folder with errors changes nothing."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            stamp = self._look()
            if stamp == self._stamp:
                return False
            self._stamp = stamp
            catalog, self.problems = load(self._knowledge, self._overlays)
            if errors(self.problems):
                return False
            self.catalog = catalog
            keep_out_of_collection()
            return True
        finally:
            self._lock.release()

    def _look(self) -> Stamp:
        own = [] if self._knowledge is None else [self._knowledge]
        return stamp_of([packaged_folder(), *own, *self._overlays])


def keep_out_of_collection() -> None:
    """Spare the garbage collector the catalogue, which lives long: going through it holds an answer up for 20 ms."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def stamp_of(folders: Sequence[Path]) -> Stamp:
    """Name, size and time of change of every file that reading would look at: equal when nothing was touched."""
    found = []
    for path in _files(folders):
        try:
            info = path.stat()
        except OSError:
            continue  # gone between listing and looking: the next look sees it
        found.append((str(path), info.st_size, info.st_mtime_ns))
    return tuple(found)


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    """The files at the places of a knowledge folder, whatever else the folder holds."""
    for folder in folders:
        for sub in READ_FOLDERS:
            try:
                yield from sorted(path for path in (folder / sub).iterdir() if path.is_file())
            except OSError:
                continue  # most have no `guidance/topics`; a folder that is missing altogether is said by the reading


# ---------------------------------------------------------------- price feeds beside the folder


@dataclass(frozen=True, slots=True)
class Feeds:
    """What the price sources say of some GPUs; ``digest`` names all that they said, None when there is nothing."""

    offers: tuple[Offer, ...] = ()
    digest: str | None = None


Reader = Callable[[Collection[str] | None], Feeds]  # models, None: every one; reads no network

_FEED_RECHECK_DAYS = 30  # of a provider that only feeds know
# Countries in which marketplaces have machines and clouds no region; areas as in regions.yaml.
_MORE_COUNTRIES = {
    **dict.fromkeys("bg ee gr hr hu lt lu lv md pt rs si sk ua".split(), "eu"),
    **dict.fromkeys("ph vn".split(), "apac"), **dict.fromkeys("ar pe".split(), "latam"),
}  # fmt: skip


def models_of(question: Question, catalog: Catalog) -> Collection[str] | None:
    """The models whose feed offers can matter for a question; None: any of them."""
    if question.intent not in PRICED_INTENTS or question.clarify:
        return ()
    if question.gpus:
        return tuple(sorted({gpu.model for gpu in question.gpus}))
    need = question.min_memory_gb
    if need is not None:
        fits = {m for m, gpu in catalog.gpus.items() if any((v.memory_gb or 0) >= need for v in gpu.variants)}
        return tuple(sorted(fits))
    hardware = question.gpu_count or question.budget or question.budget_per_hour or needed_gb(question) is not None
    if hardware:
        return None
    beside = question.data_gb is not None or question.storage_gb is not None  # transfer or storage alone
    return () if beside or question.intent in ("recommend", "compare") else None


def with_feeds(catalog: Catalog, models: Collection[str] | None, reader: Reader) -> Catalog:
    """The catalogue with the feed offers of some models; itself where the sources have never said anything.

    Where provider, SKU, plan and region are those of an offer in the folder, the feed's line joins that offer as one
    more source of its price; what is left is an offer of its own.
    """
    with no_collection():
        return _with(catalog, reader(models))


def _with(catalog: Catalog, read: Feeds) -> Catalog:
    if read.digest is None:
        return catalog
    known = catalog.snapshot
    snapshot = snapshot_of(known.knowledge, read.digest, known.currencies)
    if not read.offers:
        return replace(catalog, snapshot=snapshot)
    offers = _joined(catalog.offers, read.offers)
    providers = {**{one.provider: _stranger(one.provider) for one in read.offers}, **catalog.providers}
    regions = {**_places(catalog, read.offers), **catalog.regions}
    return index(replace(catalog, offers=offers, providers=providers, regions=regions, snapshot=snapshot))


def countries(catalog: Catalog) -> dict[str, str]:
    """Codes of countries and the area of each."""
    return {**_MORE_COUNTRIES, **{row.country: row.area for row in catalog.regions.values()}}


def _places(catalog: Catalog, offers: Sequence[Offer]) -> Mapping[str, Region]:
    """A source may know the country alone: its code stands for an unnamed place in it."""
    areas = countries(catalog)
    return {code: Region(code, code, areas[code]) for one in offers for code in one.regions if code in areas}


def _stranger(name: str) -> Provider:
    return Provider(name, Text(name, name), "specialist", _FEED_RECHECK_DAYS, Place("feeds", 0))


def _joined(own: Sequence[Offer], fed: Sequence[Offer]) -> tuple[Offer, ...]:
    homes: dict[tuple[str, str, str], list[Offer]] = {}
    for offer in own:
        homes.setdefault((offer.provider, offer.sku.lower(), offer.plan), []).append(offer)
    more: dict[str, list[PriceLine]] = {}
    rest: list[Offer] = []
    for offer in fed:
        same = [one for one in homes.get((offer.provider, offer.sku.lower(), offer.plan), ()) if _is_same(one, offer)]
        left = []
        for line in offer.prices:
            taken: set[str] = set()
            for home in same:
                shared = tuple(code for code in line.regions if code in home.regions)
                if shared or not line.regions:
                    more.setdefault(home.id, []).append(replace(line, regions=shared))
                    taken |= set(shared)
            others = tuple(code for code in line.regions if code not in taken)
            if others or not (line.regions or same):
                left.append(replace(line, regions=others))
        if left:
            here = {code for line in left for code in line.regions}
            places = tuple(code for code in offer.regions if code in here)
            rest.append(replace(offer, prices=tuple(left), regions=places))
    return (*(replace(one, prices=(*one.prices, *more[one.id])) if one.id in more else one for one in own), *rest)


def _is_same(own: Offer, fed: Offer) -> bool:
    """One shape: memory and form may be unstated on either side."""
    size = own.sold_as == "gpu" or own.gpus == fed.gpus
    memory = own.memory_gb is None or fed.memory_gb in (None, own.memory_gb)
    form = own.form is None or fed.form in (None, own.form)
    return own.gpu == fed.gpu and size and memory and form
