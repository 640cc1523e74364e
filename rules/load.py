"""A knowledge folder to a Catalog and the list of everything that is wrong with it.

The one module of ``rules`` that touches the disk. It never raises for what a folder holds: what is sound is in the
catalogue, every mistake is a Problem, all of them from one run.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from rules.fields import Reader, nearest, one_of
from rules.model import (
    Accelerator,
    Catalog,
    CurrencyRate,
    Gpu,
    Offer,
    Place,
    Problem,
    Region,
    Rule,
    Scenario,
    Snapshot,
    Topic,
)
from rules.read_accelerators import read_accelerators
from rules.read_guidance import ClauseChecks, Finding, GuidanceReader
from rules.read_providers import Known, Sheet, read_provider
from rules.read_tables import OverlaySettings, plain, read_currencies, read_gpus, read_regions_table, read_settings
from rules.yamltext import MAX_BYTES, Node, YamlError, read_yaml

FOLDERS = ("providers", "guidance")
TABLES = ("gpus.yaml", "accelerators.yaml", "regions.yaml", "currencies.yaml", "vocabulary.yaml", "glossary.yaml")
ENTRIES = FOLDERS + TABLES
OVERLAY_TABLES = ("gpus.yaml", "regions.yaml", "currencies.yaml", "glossary.yaml")
_AREAS = "us eu uk cn apac jp sg in hk kr au ca".split()  # may be asked for, also where no region lies in them
GUIDANCE_FOLDERS = ("scenarios", "topics")

Entry = TypeVar("Entry", Rule, Scenario, Topic)


def read_folder(
    folder: Path, *, packaged: Path | None = None, overlays: Sequence[Path] = (), check_clauses: bool = True,
    accelerators: bool | None = None,
) -> tuple[Catalog, tuple[Problem, ...]]:  # fmt: skip
    """Everything that ``folder`` knows, and its problems sorted by place.

    With ``packaged``, an entry of ``folder`` replaces the packaged one of that name and the rest is the packaged one.
    ``overlays`` add to the result. ``check_clauses`` False leaves out the reading of rule clauses, which costs time;
    the table of accelerators, which only benchmarks need, is read when they are or when ``accelerators`` says so.
    """
    run = _Run(check_clauses, check_clauses if accelerators is None else accelerators)
    layers = [_Layer(run, folder)]
    if packaged is not None and packaged != folder:
        layers.insert(0, _Layer(run, packaged))
    base: dict[str, _Layer] = {name: layer for layer in layers for name in layer.entries}
    teams = [_Layer(run, overlay, overlay=True) for overlay in overlays]
    catalog = _assemble(run, base, teams)
    return catalog, tuple(sorted(dict.fromkeys(run.problems), key=_order))


def index(catalog: Catalog) -> Catalog:
    """The catalogue with its offers in a stable order and ``by_gpu`` and ``by_id`` built from them."""
    offers = tuple(sorted(catalog.offers, key=lambda offer: (offer.provider, offer.id)))
    by_gpu: dict[str, list[Offer]] = {}
    for offer in offers:
        by_gpu.setdefault(offer.gpu, []).append(offer)
    return replace(
        catalog,
        offers=offers,
        by_gpu={model: tuple(found) for model, found in by_gpu.items()},
        by_id={offer.id: offer for offer in offers},
    )


def snapshot_of(knowledge: str, feeds: str, currencies: str) -> Snapshot:
    """The snapshot whose parts have these hashes."""
    return Snapshot(_hash([("snapshot", f"{knowledge} {feeds} {currencies}".encode())]), knowledge, feeds, currencies)


def _order(problem: Problem) -> tuple[str, int, int, str]:
    return problem.place.file, problem.place.line, problem.column or 0, problem.what


def _hash(files: Sequence[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(files):
        digest.update(f"{len(name.encode())} {name} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _clause_checks(known: Mapping[str, Collection[str]]) -> ClauseChecks:
    from rules.guidance import clause_problem, sentence_problem  # takes long to import; answering does without

    def clause(text: str, on: str) -> Finding | None:
        found = clause_problem(text, on=on, known=known)
        return None if found is None else (found.what, found.fix, found.near, found.column)

    def sentence(text: str, when: Sequence[str]) -> Finding | None:
        found = sentence_problem(text, when)
        return None if found is None else (found.what, found.fix, found.near, found.column)

    return ClauseChecks(clause, sentence)


# ---------------------------------------------------------------- files


@dataclass(slots=True)
class _Run:
    """What one call of ``read_folder`` collects."""

    check_clauses: bool
    accelerators: bool
    problems: list[Problem] = field(default_factory=list)
    files: list[tuple[str, bytes]] = field(default_factory=list)  # (name, content) of every file that was read
    ledger: list[tuple[str, str, Place]] = field(default_factory=list)
    overlays: int = 0

    def error(self, file: str, line: int, what: str, fix: str = "", near: str = "") -> None:
        self.problems.append(Problem("error", Place(file, line), what, fix, near))


class _Layer:
    """One folder: the packaged one, the one in its place, or an overlay on top."""

    def __init__(self, run: _Run, root: Path, *, overlay: bool = False) -> None:
        self.run = run
        self.root = root
        self.overlay = overlay
        # Two overlays may hold files of one name; the overlay's own name tells them apart.
        self.prefix = f"{root.resolve().name}/" if overlay else ""
        run.overlays += overlay
        self.number = run.overlays
        self.settings: list[str] = []
        self.entries: tuple[str, ...] = tuple(self._entries())

    def _entries(self) -> list[str]:
        found = []
        for name in self._names("", str(self.root)):
            is_folder = (self.root / name).is_dir()
            if is_folder == (name in FOLDERS) and name in (FOLDERS + OVERLAY_TABLES if self.overlay else ENTRIES):
                found.append(name)
            elif self.overlay and name.endswith(".yaml") and not is_folder and name not in ENTRIES:
                self.settings.append(name)
            else:
                what = "this folder is" if is_folder else "this file is"
                part = "an overlay" if self.overlay else "a knowledge folder"
                legal = FOLDERS + OVERLAY_TABLES if self.overlay else ENTRIES
                self.run.error(self.prefix + name, 0, f"{what} no part of {part}", one_of(legal), nearest(name, legal))
        if not found and not self.settings and self.root.is_dir():
            fix = f"it holds none of {', '.join(ENTRIES)}"
            self.run.error(str(self.root), 0, "this is no knowledge folder", fix)
        return found

    def names(self, folder: str, sub_folders: tuple[str, ...] = ()) -> list[str]:
        """The YAML files of a folder, as paths relative to the root; anything else in it is an error."""
        found = []
        for name in self._names(folder, self.prefix + folder):
            path = f"{folder}/{name}"
            if (self.root / path).is_dir():
                if name not in sub_folders:
                    fix = one_of([f"{folder}/{sub}" for sub in sub_folders]) or "move its files one level up"
                    self.run.error(self.prefix + path, 0, "this folder is not read", fix, nearest(name, sub_folders))
            elif name.endswith(".yaml"):
                found.append(path)
            else:
                self.run.error(
                    self.prefix + path, 0, "this file is not read", "let its name end in .yaml, or remove it"
                )
        return found

    def _names(self, folder: str, shown: str) -> list[str]:
        """Names in a folder that count: no hidden files, no texts for people."""
        try:
            names = sorted(path.name for path in (self.root / folder).iterdir())
        except NotADirectoryError:
            self.run.error(shown, 0, "this is not a folder", "name the folder that holds providers/ and guidance/")
            return []
        except FileNotFoundError:
            self.run.error(shown, 0, "there is no such folder", "check the path")
            return []
        except OSError as error:
            self.run.error(shown, 0, f"the folder cannot be read ({error.strerror})", "check its permissions")
            return []
        kept = [name for name in names if not name.startswith((".", "_")) and not name.endswith(("~", ".md", ".txt"))]
        for name in (name for name in kept if not name.isprintable()):
            what = f"the name {name!a} holds signs that cannot be shown"
            self.run.error(shown, 0, what, "rename it with letters, digits and `-`")
        return [name for name in kept if name.isprintable()]

    def has(self, name: str) -> bool:
        return (self.root / name).is_dir()

    def open(self, name: str) -> tuple[Reader, Node | None]:
        """The nodes of one file; None when it is empty or cannot be read, which is reported."""
        reader = Reader(self.prefix + name, self.run.problems, overlay=self.overlay)
        reader.ledger = self.run.ledger
        content = self._bytes(reader, name)
        if content is None:
            return reader, None
        self.run.files.append((f"{self.number}/{name}" if self.overlay else name, content))
        return reader, _nodes(reader, content)

    def _bytes(self, reader: Reader, name: str) -> bytes | None:
        path = self.root / name
        try:
            if not path.resolve(strict=True).is_relative_to(self.root.resolve()):
                reader.error(0, "this link leads out of the folder", "put the file itself here")
                return None
            info = path.stat()
            if not stat.S_ISREG(info.st_mode):
                reader.error(0, "this is not a regular file", "put a text file here")
                return None
            if info.st_size > MAX_BYTES:
                limit = f"{MAX_BYTES // 1_000_000} MB"
                reader.error(
                    0, f"the file is larger than {limit}", "split it; price tables come in with `prices import`"
                )
                return None
            return path.read_bytes()
        except RuntimeError:
            reader.error(0, "this link leads back to itself", "put the file itself here")
        except OSError as error:
            reader.error(0, f"the file cannot be read ({error.strerror})", "check that it exists and its permissions")
        return None


def _nodes(reader: Reader, content: bytes) -> Node | None:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reader.error(line, "this is not UTF-8 text", "save the file as UTF-8")
        return None
    try:
        root, repeated = read_yaml(text)
    except YamlError as error:
        reader.error(error.line, error.what, error.fix)
        return None
    for one in repeated:
        reader.error(one.line, f"the key `{one.key}` stands twice", f"line {one.first} has it already; keep one")
    if root is None:
        reader.error(0, "the file is empty", "write `[]` where a list may be empty, or remove the file")
    return root


# ---------------------------------------------------------------- the catalogue


def _assemble(run: _Run, base: Mapping[str, _Layer], teams: Sequence[_Layer]) -> Catalog:
    def layers(name: str) -> list[_Layer]:
        own = [base[name]] if name in base else []
        return own + [team for team in teams if name in team.entries]

    gpus, models = _gpus(layers("gpus.yaml"))
    regions = _regions(layers("regions.yaml"))
    providers = _Providers(run, Known(models, regions if layers("regions.yaml") else None))
    for layer in layers("providers"):
        providers.read(layer)
    checks = _clause_checks(_known_words(base, providers, models, regions)) if run.check_clauses else None
    guidance = _Guidance(checks)
    for layer in layers("guidance"):
        guidance.read(layer)
    for layer in layers("glossary.yaml"):
        guidance.read_glossary(layer)
    settings = [_settings(team, name, providers.names) for team in teams for name in team.settings]
    return index(
        Catalog(
            providers={name: providers.sheets[name].provider for name in sorted(providers.sheets)},
            offers=tuple(offer for sheet in providers.sheets.values() for offer in sheet.offers.values()),
            gpus=gpus,
            regions=regions,
            currencies=_currencies(layers("currencies.yaml")),
            rules=guidance.sorted(guidance.rules),
            scenarios=guidance.sorted(guidance.scenarios),
            topics=guidance.sorted(guidance.topics),
            vocabulary=_vocabulary(layers("vocabulary.yaml")),
            accounts=tuple(dict.fromkeys(name for one in settings for name in one.accounts)),
            discounts=tuple(discount for one in settings for discount in one.discounts),
            display_currency=_last([one.currency for one in settings]),
            snapshot=_snapshot(run),
            team=_last([one.team for one in settings]),
            ledger=tuple(sorted(run.ledger, key=lambda row: (row[0], row[1], row[2].file, row[2].line))),
            accelerators=_accelerators(base, gpus, models) if run.accelerators else {},
        )
    )


def _known_words(
    base: Mapping[str, _Layer], providers: _Providers, models: Collection[str] | None, regions: Mapping[str, Region]
) -> dict[str, Collection[str]]:
    """The words a clause may compare with, of the tables that came in one folder with the guidance.

    Guidance that meets the tables of another folder (a test's providers, say) may name what only its own knew.
    """
    own = base.get("guidance")
    words: dict[str, Collection[str]] = {}
    if base.get("providers") is own:
        words["provider"] = list(providers.names)
    if base.get("gpus.yaml") is own and models is not None:
        words["gpu"] = models
    if base.get("regions.yaml") is own:
        rows = regions.values()
        words["region"] = {*regions, *(row.country for row in rows), *(row.area for row in rows), *_AREAS}
    return words


def _last(values: Sequence[str | None]) -> str | None:
    return next((value for value in reversed(values) if value), None)


def _snapshot(run: _Run) -> Snapshot:
    rates = [file for file in run.files if file[0].rpartition("/")[2] == "currencies.yaml"]
    apart = ("currencies.yaml", "accelerators.yaml")  # no answer rests on the second
    others = [file for file in run.files if file[0].rpartition("/")[2] not in apart]
    return snapshot_of(_hash(others), "none", _hash(rates))


def _gpus(layers: Sequence[_Layer]) -> tuple[dict[str, Gpu], set[str] | None]:
    """The models, and every name in the table: a mistake there is not reported again for every offer."""
    gpus: dict[str, Gpu] = {}
    names: set[str] = set()
    unread = not layers
    for layer in layers:
        reader, root = layer.open("gpus.yaml")
        if root is None:
            unread = True
            continue
        for gpu in read_gpus(reader, root):
            if gpu.model in gpus:
                reader.error(gpu.place.line, f"GPU {gpu.model} is already at {gpus[gpu.model].place}", "keep one entry")
            gpus.setdefault(gpu.model, gpu)
        names |= {_text_at(item, "model") for item in (root.value if type(root.value) is list else ())}
    return gpus, None if unread else names


def _accelerators(
    base: Mapping[str, _Layer], gpus: Mapping[str, Gpu], models: Collection[str] | None
) -> dict[str, Accelerator]:
    """The table of accelerators; an id that the table of GPUs lacks is a mistake only beside that very table."""
    layer = base.get("accelerators.yaml")
    if layer is None:
        return {}
    reader, root = layer.open("accelerators.yaml")
    if root is None:
        return {}
    return read_accelerators(reader, root, gpus, strict=base.get("gpus.yaml") is layer and models is not None)


def _text_at(node: Node, key: str) -> str:
    inner = node.value.get(key) if type(node.value) is dict else None
    return inner.value if inner is not None and type(inner.value) is str else ""


def _regions(layers: Sequence[_Layer]) -> dict[str, Region]:
    table: dict[str, Region] = {}
    for layer in layers:
        reader, root = layer.open("regions.yaml")
        if root is not None:
            read_regions_table(reader, root, table)
    return table


def _currencies(layers: Sequence[_Layer]) -> tuple[CurrencyRate, ...]:
    found: list[CurrencyRate] = []
    for layer in layers:
        reader, root = layer.open("currencies.yaml")
        if root is not None:
            found.extend(read_currencies(reader, root))
    return tuple(sorted(found, key=lambda rate: (rate.base, rate.quote, rate.start)))


def _vocabulary(layers: Sequence[_Layer]) -> dict[str, Any]:
    words: dict[str, Any] = {}
    for layer in layers:
        reader, root = layer.open("vocabulary.yaml")
        if root is not None and type(root.value) is dict:
            words.update(plain(root))
        elif root is not None:
            reader.error(root.line, "the vocabulary is not a mapping", "write `slot: {value: [words]}`")
    return words


def _settings(layer: _Layer, name: str, providers: Mapping[str, str]) -> OverlaySettings:
    reader, root = layer.open(name)
    return OverlaySettings() if root is None else read_settings(reader, root, providers)


class _Providers:
    """The sheets of all providers, and who has which id."""

    def __init__(self, run: _Run, known: Known) -> None:
        self.run = run
        self.known = known
        self.sheets: dict[str, Sheet] = {}
        self.names: dict[str, str] = {}  # id -> file that declares it, also when the file has mistakes
        self.owners: dict[str, Offer] = {}  # offer id -> the offer

    def read(self, layer: _Layer) -> None:
        for file in layer.names("providers"):
            reader, root = layer.open(file)
            if root is None:
                self.names.setdefault(Path(file).stem, reader.file)  # so that others may name it without a second error
            else:
                self._read_file(reader, root)

    def _read_file(self, reader: Reader, root: Node) -> None:
        name = _text_at(root, "id")
        if name in self.names and (not reader.overlay or name not in self.sheets):
            if not reader.overlay:
                where = f"{self.names[name]} has it already"
                reader.error(root.line, f"provider id {name} stands in two files", f"{where}; join them or rename one")
            return  # an overlay on a provider with mistakes: those come first
        sheet = read_provider(reader, root, self.known, self.sheets)
        if name:
            self.names.setdefault(name, reader.file)
        if sheet is not None:
            self._take(reader, sheet)

    def _take(self, reader: Reader, sheet: Sheet) -> None:
        for name, offer in list(sheet.offers.items()):
            other = self.owners.get(name)
            if other is not None and other.provider != offer.provider:
                reader.error(offer.place.line, f"offer id {name} is already at {other.place}", "give each its own id")
                del sheet.offers[name]
            else:
                self.owners[name] = offer
        self.sheets[sheet.provider.id] = sheet


class _Guidance:
    """Rules, scenarios and topics by id; an overlay's entry replaces the one with its id."""

    def __init__(self, checks: ClauseChecks | None) -> None:
        self.checks = checks
        self.rules: dict[str, Rule] = {}
        self.scenarios: dict[str, Scenario] = {}
        self.topics: dict[str, Topic] = {}
        self.places: dict[str, tuple[Place, bool]] = {}  # id -> where, and whether in an overlay

    def read(self, layer: _Layer) -> None:
        for file in layer.names("guidance", GUIDANCE_FOLDERS):
            self._read_file(
                layer, file, lambda reader, root: self._take(reader, self._of(reader).rules(root), self.rules)
            )
        if layer.has("guidance/scenarios"):
            for file in layer.names("guidance/scenarios"):
                self._read_file(layer, file, self._take_scenario)
        if layer.has("guidance/topics"):
            for file in layer.names("guidance/topics"):
                self._read_file(layer, file, self._take_topic)

    def read_glossary(self, layer: _Layer) -> None:
        self._read_file(
            layer, "glossary.yaml", lambda reader, root: self._take(reader, self._of(reader).topics(root), self.topics)
        )

    def sorted(self, entries: Mapping[str, Entry]) -> tuple[Entry, ...]:
        return tuple(entries[name] for name in sorted(entries))

    def _read_file(self, layer: _Layer, file: str, take: Callable[[Reader, Node], None]) -> None:
        reader, root = layer.open(file)
        if root is not None:
            take(reader, root)

    def _of(self, reader: Reader) -> GuidanceReader:
        return GuidanceReader(reader, self.checks)

    def _take_scenario(self, reader: Reader, root: Node) -> None:
        scenario = self._of(reader).scenario(root)
        self._take(reader, (scenario,) if scenario else (), self.scenarios)

    def _take_topic(self, reader: Reader, root: Node) -> None:
        topic = self._of(reader).topic(root)
        self._take(reader, (topic,) if topic else (), self.topics)

    def _take(self, reader: Reader, entries: Sequence[Entry], into: dict[str, Entry]) -> None:
        for entry in entries:
            place, in_overlay = self.places.get(entry.id, (None, False))
            if place is not None and (entry.id not in into or in_overlay or not reader.overlay):
                reader.error(entry.place.line, f"id {entry.id} is already at {place}", "give each entry its own id")
                continue
            self.places[entry.id] = entry.place, reader.overlay
            into[entry.id] = entry
