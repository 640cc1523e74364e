"""Reading a knowledge folder: what it holds, and what is said about every mistake in it."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml

from rules import yamltext
from rules.load import read_folder
from rules.model import Catalog, Place, Problem, Text
from rules.yamltext import MAX_BYTES

HERE = Path(__file__).parent
SMALL = HERE / "worlds" / "small"
BROKEN = HERE / "broken"

# Folder under broken/ -> where the file belongs in a knowledge folder; `team/` is an overlay.
PLACES = {
    "providers": "providers/broken.yaml",
    "guidance": "guidance/broken.yaml",
    "scenarios": "guidance/scenarios/broken.yaml",
    "topics": "guidance/topics/broken.yaml",
    "glossary": "glossary.yaml",
    "gpus": "gpus.yaml",
    "regions": "regions.yaml",
    "currencies": "currencies.yaml",
    "vocabulary": "vocabulary.yaml",
    "overlay": "team/overlay.yaml",
    "overlay-providers": "team/providers/broken.yaml",
}
FILES = sorted(path for folder in PLACES for path in (BROKEN / folder).glob("*.yaml"))


def expected(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    return [line.removeprefix("# expect: ") for line in lines if line.startswith("# expect: ")]


def said(problems: tuple[Problem, ...]) -> list[str]:
    return [str(problem) for problem in problems]


def world_with(tmp_path: Path, place: str, content: bytes) -> tuple[Catalog, tuple[Problem, ...]]:
    """The small world with a table of GPUs and one more file."""
    world, team = tmp_path / "world", tmp_path / "team"
    shutil.copytree(SMALL, world)
    shutil.copy(BROKEN / "gpus.yaml", world / "gpus.yaml")
    target = (tmp_path if place.startswith("team/") else world) / place
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    return read_folder(world, overlays=[team] if team.exists() else [])


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}/{path.stem}" for path in FILES])
def test_every_mistake_has_its_sentence(path: Path, tmp_path: Path) -> None:
    """A broken file gives exactly the sentences that it expects about itself."""
    place = PLACES[path.parent.name]
    _, problems = world_with(tmp_path, place, path.read_bytes())
    own = [problem for problem in problems if problem.place.file == place]
    assert said(tuple(own)) == expected(path)
    assert expected(path)


def test_broken_files_stand_in_known_folders() -> None:
    """No broken file is left unread by the test above or by the one of the checks."""
    folders = {path.parent.name for path in BROKEN.rglob("*.yaml") if path.parent != BROKEN}
    assert folders == {*PLACES, "check"}


# ---------------------------------------------------------------- what is read


def small() -> Catalog:
    catalog, problems = read_folder(SMALL)
    assert problems == ()
    return catalog


def test_small_world_reads_without_a_problem() -> None:
    """The small world is 5 providers, 21 offers, 3 regions, 2 rates and 1 rule."""
    # alderwick 6 + bluestave 6 + corrievane 4 + elmsgate 3 + qingtan 2 = 21
    catalog = small()
    assert sorted(catalog.providers) == ["alderwick", "bluestave", "corrievane", "elmsgate", "qingtan"]
    assert len(catalog.offers) == 21
    assert sorted(catalog.regions) == ["cn-peony-1", "eu-lupin-1", "us-iris-1"]
    assert [(rate.base, rate.quote, rate.rate) for rate in catalog.currencies] == [
        ("EUR", "USD", Decimal("1.08")),
        ("USD", "CNY", Decimal("7.2")),
    ]
    assert [rule.id for rule in catalog.rules] == ["small-spot-unsaved"]


def test_an_offer_keeps_what_its_file_says() -> None:
    """Every field of an offer and its lines reaches the catalogue, with its line in the file."""
    offer = small().by_id["alderwick-a100-40-x4"]
    assert (offer.provider, offer.sku, offer.gpu, offer.plan) == ("alderwick", "aw.a100.4", "A100", "on_demand")
    assert (offer.gpus, offer.memory_gb, offer.form, offer.sold_as) == (Decimal(4), Decimal(40), "SXM", "machine")
    assert (offer.regions, offer.place) == (("us-iris-1",), Place("providers/alderwick.yaml", 37))
    old, now, next_year = offer.prices
    assert now.rate is not None
    assert (now.rate.amount, now.rate.currency, now.rate.unit) == (Decimal("2.00"), "USD", "gpu-hour")
    assert (now.start, now.seen, now.checked) == (date(2026, 9, 1), date(2026, 9, 2), date(2026, 11, 22))
    assert (now.source.kind, now.source.title, now.place.line) == ("official", "Alderwick prices", 48)
    assert old.says == "2.40 USD/gpu-hour"
    assert next_year.checked is None


def test_a_provider_keeps_what_its_file_says() -> None:
    """Transfer, storage, fees, billing, spot and traits reach the catalogue; what is not stated stays unknown."""
    providers = small().providers
    bluestave, corrievane, elmsgate = providers["bluestave"], providers["corrievane"], providers["elmsgate"]
    assert bluestave.name == Text("Bluestave", "蓝栅云")
    assert bluestave.transfer_out[0].free_gb_month == Decimal(100)
    assert bluestave.spot is not None
    assert (bluestave.spot.interruptions_per_hour, bluestave.spot.restart_hours) == (Decimal("0.1"), Decimal("0.5"))
    assert (bluestave.traits.managed, bluestave.traits.jupyter) == (True, None)
    assert (corrievane.transfer_out, corrievane.storage, corrievane.spot) == ((), (), None)
    assert corrievane.fees[0].rate is not None
    assert (corrievane.fees[0].rate.amount, corrievane.fees[0].rate.unit) == (Decimal(4), "%")
    assert (elmsgate.billing.step, elmsgate.billing.step_hours, elmsgate.billing.minimum_hours) == ("day", 24, 24)


def test_offers_are_found_by_gpu_and_by_id() -> None:
    """The indexes hold every offer once, in an order that no file order changes."""
    catalog = small()
    # A100: alderwick 3, bluestave 3, corrievane 2, qingtan 2
    assert [offer.id for offer in catalog.by_gpu["A100"]] == [
        "alderwick-a100-40-x1", "alderwick-a100-40-x2", "alderwick-a100-40-x4",
        "bluestave-a100-40-x8", "bluestave-a100-80-x8", "bluestave-a100-80-x8-spot",
        "corrievane-a100-80", "corrievane-a100-quarter", "qingtan-a100-80", "qingtan-a100-80-monthly",
    ]  # fmt: skip
    assert sum(len(offers) for offers in catalog.by_gpu.values()) == len(catalog.by_id) == 21


def test_words_that_yaml_likes_to_change_stay_text(tmp_path: Path) -> None:
    """`NO`, `on`, `12:30` and `012` are text where a text is read."""
    text = (BROKEN / "providers" / "key-unknown.yaml").read_text("utf-8").replace("memory: 80", "memory_gb: 80")
    text = text.replace("sku: a100.4", "sku: 012").replace(
        "kind: specialist", "kind: specialist\naliases: [on, NO, 12:30]"
    )
    text = text.replace("[us-iris-1]", "[NO]")
    world = tmp_path / "world"
    (world / "providers").mkdir(parents=True)
    (world / "providers" / "p.yaml").write_text(text, "utf-8")
    (world / "regions.yaml").write_text("- {region: NO, country: NO, area: eu}\n", "utf-8")
    catalog, problems = read_folder(world)
    assert problems == ()
    assert catalog.by_id["p-a100"].sku == "012"
    assert catalog.providers["p"].aliases == ("on", "NO", "12:30")
    assert catalog.by_id["p-a100"].regions == ("no",)  # codes are lower case
    assert catalog.regions["no"].country == "no"


def test_vocabulary_is_plain_values(tmp_path: Path) -> None:
    """A vocabulary is mappings, lists, text, numbers, true, false and null; quoted values and odd words stay text."""
    (tmp_path / "vocabulary.yaml").write_text(
        "hours: {day: 24, half: 0.5}\nwords: [on, '3090', 012, null, true]\n3090: RTX3090\n", "utf-8"
    )
    catalog, problems = read_folder(tmp_path)
    assert problems == ()
    assert catalog.vocabulary == {
        "hours": {"day": Decimal(24), "half": Decimal("0.5")},
        "words": ["on", "3090", "012", None, True],
        "3090": "RTX3090",
    }


def test_a_billing_step_may_be_unknown(tmp_path: Path) -> None:
    """Without `billing` the step is not known; nothing is filled in."""
    text = (BROKEN / "check" / "price-zero.yaml").read_bytes()
    catalog, _ = world_with(tmp_path, "providers/broken.yaml", text)
    assert (catalog.providers["p"].billing.step, catalog.providers["p"].billing.step_hours) == (None, None)


def test_ledger_ids_are_kept_with_their_place(tmp_path: Path) -> None:
    """Whatever entry carries `ledger`, the catalogue knows where the id is answered for."""
    text = (BROKEN / "check" / "price-zero.yaml").read_text("utf-8")
    text = text.replace("seen: 2026-11-28}", "seen: 2026-11-28, ledger: [fact-2]}").replace(
        "gpus: 4", "gpus: 4\n    ledger: [fact-1]"
    )
    catalog, problems = world_with(tmp_path, "providers/broken.yaml", text.encode())
    assert problems == ()
    assert [(one, place.line) for one, _, place in catalog.ledger] == [("fact-1", 8), ("fact-2", 18)]


# ---------------------------------------------------------------- mistakes


def test_all_mistakes_are_found_in_one_run(tmp_path: Path) -> None:
    """Every broken provider's file at once: nothing hides behind anything else, and the list is sorted."""
    world = tmp_path / "world"
    shutil.copytree(SMALL, world)
    shutil.copy(BROKEN / "gpus.yaml", world / "gpus.yaml")
    files = [path for path in FILES if path.parent.name == "guidance" and path.stem != "rule-twice"]
    wanted = []
    for path in files:
        name = f"guidance/{path.stem}.yaml"
        # each under its own id, so that none is a repetition of another
        text = path.read_text("utf-8").replace("id: spot-on-long-runs", f"id: {path.stem}")
        (world / name).write_text(text, "utf-8")
        wanted += [message.replace("guidance/broken.yaml", name) for message in expected(path)]
    _, problems = read_folder(world)
    assert sorted(said(problems)) == sorted(wanted)
    places = [(p.place.file, p.place.line) for p in problems]
    assert places == sorted(places)


def test_an_offer_with_a_mistake_is_left_out_and_the_others_stay(tmp_path: Path) -> None:
    """A wrong line costs its own offer; an older line of it must not be taken for the price."""
    text = (SMALL / "providers" / "alderwick.yaml").read_text("utf-8")
    broken = text.replace("says: 2.00 USD/gpu-hour", "says: 2.00 USD/gpu-our")
    catalog, problems = world_with(tmp_path, "providers/alderwick.yaml", broken.encode())
    assert [p.place.line for p in problems] == [48]
    assert "alderwick-a100-40-x4" not in catalog.by_id
    assert "alderwick-a100-40-x2" in catalog.by_id


def test_a_provider_with_a_mistake_in_its_header_is_left_out(tmp_path: Path) -> None:
    """Offers are not priced with a header that is half read."""
    text = (SMALL / "providers" / "bluestave.yaml").read_text("utf-8").replace("0.09 USD/gb", "0.09 USD/tb")
    catalog, problems = world_with(tmp_path, "providers/bluestave.yaml", text.encode())
    assert len(problems) == 1
    assert "bluestave" not in catalog.providers
    assert "bluestave-a100-80-x8" not in catalog.by_id


def test_a_mistake_in_the_gpu_table_is_reported_once(tmp_path: Path) -> None:
    """Offers of a model whose entry has a mistake do not each complain."""
    table = (BROKEN / "gpus.yaml").read_text("utf-8").replace("model: L4, vendor: NVIDIA", "model: L4")
    _, problems = world_with(tmp_path, "gpus.yaml", table.encode())
    assert said(problems) == ["gpus.yaml:4: a GPU lacks `vendor`; add it"]


def test_two_files_with_one_provider_id(tmp_path: Path) -> None:
    """A provider has one file."""
    text = (SMALL / "providers" / "qingtan.yaml").read_bytes()
    catalog, problems = world_with(tmp_path, "providers/qingtan-2.yaml", text)
    # `qingtan-2.yaml` sorts before `qingtan.yaml`
    [problem] = problems
    assert str(problem.place) == "providers/qingtan.yaml:2"
    assert problem.what == "provider id qingtan stands in two files"
    assert problem.fix == "providers/qingtan-2.yaml has it already; join them or rename one"
    assert "qingtan" in catalog.providers


def test_two_files_with_one_offer_id(tmp_path: Path) -> None:
    """An offer's id names one offer of one provider."""
    text = (BROKEN / "check" / "price-zero.yaml").read_text("utf-8").replace("id: p-a", "id: qingtan-a100-80")
    _, problems = world_with(tmp_path, "providers/broken.yaml", text.encode())
    [problem] = problems
    assert str(problem.place) == "providers/qingtan.yaml:16"
    assert problem.what == "offer id qingtan-a100-80 is already at providers/broken.yaml:8"


def test_a_topic_and_a_rule_do_not_share_an_id(tmp_path: Path) -> None:
    """Ids of guidance are permanent names, each of one entry."""
    text = (
        (BROKEN / "topics" / "topic-without-text.yaml")
        .read_text("utf-8")
        .replace("id: egress", "id: small-spot-unsaved")
    )
    text = text.replace("sources:", "text: {en: Data., zh: 数据。}\nsources:")
    _, problems = world_with(tmp_path, "guidance/topics/broken.yaml", text.encode())
    [problem] = problems
    assert str(problem.place) == "guidance/topics/broken.yaml:2"
    assert problem.what == "id small-spot-unsaved is already at guidance/small.yaml:2"


ENTRIES = (
    "one of providers, guidance, gpus.yaml, accelerators.yaml, regions.yaml, currencies.yaml, vocabulary.yaml, "
    "glossary.yaml"
)
SUBS = "one of guidance/scenarios, guidance/topics"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "provider/x.yaml",
            f"provider: this folder is no part of a knowledge folder; {ENTRIES}; did you mean providers?",
        ),
        (
            "region.yaml",
            f"region.yaml: this file is no part of a knowledge folder; {ENTRIES}; did you mean regions.yaml?",
        ),
        ("providers/x.yml", "providers/x.yml: this file is not read; let its name end in .yaml, or remove it"),
        ("providers/old/x.yaml", "providers/old: this folder is not read; move its files one level up"),
        ("guidance/scenario/x.yaml", f"guidance/scenario: this folder is not read; {SUBS}; did you mean scenarios?"),
    ],
)
def test_a_file_in_the_wrong_place_is_not_passed_over(name: str, sentence: str, tmp_path: Path) -> None:
    """A file that nobody would read is said, with the name that was probably meant."""
    _, problems = world_with(tmp_path, name, b"[]\n")
    assert said(problems) == [sentence]


def test_texts_for_people_and_hidden_files_are_passed_over(tmp_path: Path) -> None:
    """A README, a note and an editor's hidden file are no mistakes."""
    for name in ("README.md", ".DS_Store", "notes.txt", "_drafts", "gpus.yaml~"):
        _, problems = world_with(tmp_path / name, name, b"anything: [")
        assert problems == ()


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    """A wrong path is said once and nothing is answered from something else."""
    missing = tmp_path / "nowhere"
    catalog, problems = read_folder(missing)
    assert said(problems) == [f"{missing}: there is no such folder; check the path"]
    assert catalog.offers == ()


def test_a_file_in_place_of_the_folder_is_one_sentence(tmp_path: Path) -> None:
    """A file is no knowledge folder."""
    file = tmp_path / "x.yaml"
    file.write_text("[]")
    _, problems = read_folder(file)
    assert said(problems) == [f"{file}: this is not a folder; name the folder that holds providers/ and guidance/"]


def test_a_folder_without_knowledge_is_an_error(tmp_path: Path) -> None:
    """An empty folder is not quietly replaced by the packaged one."""
    _, problems = read_folder(tmp_path, packaged=SMALL)
    assert [p.level for p in problems] == ["error"]
    assert "this is no knowledge folder" in problems[0].what


def test_text_that_is_not_utf8_names_its_line(tmp_path: Path) -> None:
    """GBK bytes are one sentence with their line."""
    _, problems = world_with(tmp_path, "providers/broken.yaml", "id: p\nname: {en: P, zh: 云}\n".encode("gbk"))
    assert said(problems) == ["providers/broken.yaml:2: this is not UTF-8 text; save the file as UTF-8"]


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    """Windows editors write one; it changes nothing."""
    text = (SMALL / "providers" / "qingtan.yaml").read_bytes()
    catalog, problems = world_with(tmp_path, "providers/qingtan.yaml", b"\xef\xbb\xbf" + text)
    assert problems == ()
    assert "qingtan" in catalog.providers


def test_windows_line_ends_keep_their_line_numbers(tmp_path: Path) -> None:
    """CRLF counts as one line end."""
    text = (BROKEN / "providers" / "gpu-unknown.yaml").read_bytes().replace(b"\n", b"\r\n")
    _, problems = world_with(tmp_path, "providers/broken.yaml", text)
    assert [str(p.place) for p in problems] == ["providers/broken.yaml:10"]


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """A price table of many megabytes belongs into the database."""
    world = tmp_path / "world"
    shutil.copytree(SMALL, world)
    with (world / "gpus.yaml").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    _, problems = read_folder(world)
    assert said(problems) == [
        "gpus.yaml: the file is larger than 8 MB; split it; price tables come in with `prices import`"
    ]


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    """A knowledge folder from somebody else cannot make the program read other files."""
    secret = tmp_path / "secret.yaml"
    secret.write_text("password: x\n")
    world = tmp_path / "world"
    shutil.copytree(SMALL, world)
    (world / "gpus.yaml").symlink_to(secret)
    _, problems = read_folder(world)
    assert said(problems) == ["gpus.yaml: this link leads out of the folder; put the file itself here"]


def test_a_linked_folder_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    """The same holds for a linked `providers/`."""
    world = tmp_path / "world"
    world.mkdir()
    (world / "providers").symlink_to(SMALL / "providers")
    catalog, problems = read_folder(world)
    assert catalog.offers == ()
    assert {p.what for p in problems} == {"this link leads out of the folder"}


def test_a_link_to_itself_and_a_dangling_link_are_one_sentence_each(tmp_path: Path) -> None:
    """Links that lead nowhere do not end the run."""
    world = tmp_path / "world"
    shutil.copytree(SMALL, world)
    (world / "gpus.yaml").symlink_to(world / "gpus.yaml")
    (world / "glossary.yaml").symlink_to(world / "gone.yaml")
    catalog, problems = read_folder(world)
    assert [p.place.file for p in problems] == ["glossary.yaml", "gpus.yaml"]
    assert len(catalog.offers) == 21


def test_a_pipe_does_not_hang_the_run(tmp_path: Path) -> None:
    """Only regular files are opened."""
    world = tmp_path / "world"
    shutil.copytree(SMALL, world)
    os.mkfifo(world / "gpus.yaml")
    _, problems = read_folder(world)
    assert said(problems) == ["gpus.yaml: this is not a regular file; put a text file here"]


@contextmanager
def an_ordinary_user() -> Iterator[None]:
    """Root may read everything, so root becomes somebody for a while."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(was)


def test_a_file_without_permission_is_one_sentence() -> None:
    """What may not be read is said."""
    with TemporaryDirectory() as folder:  # below pytest's own folder an ordinary user may not even look
        Path(folder).chmod(0o755)
        world = Path(folder) / "world"
        shutil.copytree(SMALL, world)
        read_folder(world)  # what Python loads on first use is loaded before the rights go
        (world / "regions.yaml").chmod(0)
        with an_ordinary_user():
            _, problems = read_folder(world)
    assert (
        "regions.yaml: the file cannot be read (Permission denied); check that it exists and its permissions"
        in said(problems)
    )


def test_many_small_values_do_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may be small and still hold too many values."""
    monkeypatch.setattr(yamltext, "MAX_VALUES", 1000)
    fits = b"x: [" + b"1," * 997 + b"]\n"  # with the mapping, its key and the list: 1000
    assert world_with(tmp_path / "a", "vocabulary.yaml", fits)[1] == ()
    _, problems = world_with(tmp_path / "b", "vocabulary.yaml", fits.replace(b"]", b"1]"))
    assert [p.what for p in problems] == ["the file holds more than 1000 values"]


# ---------------------------------------------------------------- layers


def test_an_entry_of_the_folder_replaces_the_packaged_one(tmp_path: Path) -> None:
    """A folder that holds only providers takes the rest from the packaged knowledge."""
    world = tmp_path / "world"
    (world / "providers").mkdir(parents=True)
    shutil.copy(SMALL / "providers" / "qingtan.yaml", world / "providers")
    catalog, problems = read_folder(world, packaged=SMALL)
    assert problems == ()
    assert list(catalog.providers) == ["qingtan"]
    assert [rule.id for rule in catalog.rules] == ["small-spot-unsaved"]
    assert len(catalog.regions) == 3


def test_packaged_guidance_may_name_providers_that_a_world_does_not_have(tmp_path: Path) -> None:
    """A world with its own providers is not blamed for the clauses of the packaged guidance."""
    packaged, world = tmp_path / "packaged", tmp_path / "world"
    shutil.copytree(SMALL, packaged)
    rules = (SMALL / "guidance" / "small.yaml").read_text("utf-8")
    clause = 'offer.plan == "spot"\n    - ("qingtan" in question.providers)'
    (packaged / "guidance" / "small.yaml").write_text(rules.replace('offer.plan == "spot"', clause), "utf-8")
    (world / "providers").mkdir(parents=True)
    shutil.copy(SMALL / "providers" / "bluestave.yaml", world / "providers")
    assert read_folder(packaged)[1] == ()
    assert read_folder(world, packaged=packaged)[1] == ()


def test_the_snapshot_names_what_was_read(tmp_path: Path) -> None:
    """The same files give the same hashes wherever they lie; a changed rate changes its own hash and the id."""
    copy = tmp_path / "elsewhere"
    shutil.copytree(SMALL, copy)
    first, same = small().snapshot, read_folder(copy)[0].snapshot
    assert first == same
    rates = copy / "currencies.yaml"
    rates.write_text(rates.read_text("utf-8").replace("rate: 7.2", "rate: 7.1"), "utf-8")
    other = read_folder(copy)[0].snapshot
    assert other.knowledge == first.knowledge
    assert other.currencies != first.currencies
    assert other.id != first.id
    assert all(len(part) == 16 for part in (first.id, first.knowledge, first.currencies))
    assert first.feeds == "none"


def overlay(tmp_path: Path, **files: str) -> Path:
    """An overlay whose files are named by their path, with `__` for the slash."""
    for name, text in files.items():
        target = tmp_path / "acme" / f"{name.replace('__', '/')}.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return tmp_path / "acme"


LETTER = """id: alderwick
sources: {letter: {kind: written quote, title: Letter of our account manager}}
offers:
  - id: alderwick-h100-x8
    prices: [{from: 2026-11-01, says: 20.00 USD/machine-hour, source: letter, seen: 2026-11-02}]
"""


def test_an_overlay_adds_price_lines_to_an_offer(tmp_path: Path) -> None:
    """Lines of an overlay stand after the file's own and are marked; everything else stays."""
    layer = overlay(tmp_path, providers__alderwick=LETTER)
    catalog, problems = read_folder(SMALL, overlays=[layer])
    assert problems == ()
    offer = catalog.by_id["alderwick-h100-x8"]
    assert [(line.says, line.overlay) for line in offer.prices] == [
        ("24.00 USD/machine-hour", False),
        ("2.80 USD/gpu-hour", False),
        ("20.00 USD/machine-hour", True),
    ]
    assert str(offer.prices[2].place) == "acme/providers/alderwick.yaml:5"
    assert (offer.gpus, offer.sku) == (Decimal(8), "aw.h100.8")
    assert len(catalog.offers) == 21
    assert catalog.providers["alderwick"].name.zh == "桤威云"


def test_an_overlay_that_repeats_an_offer_may_add_to_it(tmp_path: Path) -> None:
    """A copied offer with the same shape is no mistake."""
    shape = "    sku: aw.h100.8\n    gpu: H100\n    gpus: 8\n    regions: [us-iris-1]\n    prices"
    layer = overlay(tmp_path, providers__alderwick=LETTER.replace("    prices", shape))
    catalog, problems = read_folder(SMALL, overlays=[layer])
    assert problems == ()
    assert len(catalog.by_id["alderwick-h100-x8"].prices) == 3


def test_an_overlay_brings_a_provider_of_its_own(tmp_path: Path) -> None:
    """A new provider needs a whole file, and its lines are the overlay's."""
    text = (BROKEN / "check" / "price-far-out.yaml").read_text("utf-8")
    catalog, problems = read_folder(SMALL, overlays=[overlay(tmp_path, providers__p=text)])
    assert problems == ()
    assert catalog.by_id["p-a"].prices[0].overlay


def test_an_overlay_sets_accounts_discounts_currency_and_team(tmp_path: Path) -> None:
    """An overlay's own settings reach the catalogue."""
    text = (
        "team: T0123\naccounts: [bluestave, qingtan]\ncurrency: CNY\n"
        "discounts:\n  - {provider: bluestave, percent: 12.5}\n  - {provider: bluestave, plan: spot, percent: 3}\n"
    )
    catalog, problems = read_folder(SMALL, overlays=[overlay(tmp_path, overlay=text)])
    assert problems == ()
    assert (catalog.team, catalog.accounts, catalog.display_currency) == ("T0123", ("bluestave", "qingtan"), "CNY")
    assert [(d.provider, d.plan, d.percent) for d in catalog.discounts] == [
        ("bluestave", None, Decimal("12.5")),
        ("bluestave", "spot", Decimal(3)),
    ]


def test_a_setting_may_have_a_file_of_its_own(tmp_path: Path) -> None:
    """A list of accounts in accounts.yaml is the same as under the key."""
    layer = overlay(tmp_path, accounts="[bluestave]\n", discounts="- {provider: qingtan, percent: 5}\n")
    catalog, problems = read_folder(SMALL, overlays=[layer])
    assert problems == ()
    assert catalog.accounts == ("bluestave",)
    assert [discount.provider for discount in catalog.discounts] == ["qingtan"]


def test_an_overlay_adds_regions_rates_and_rules(tmp_path: Path) -> None:
    """The tables of an overlay are added to the others."""
    rule = (SMALL / "guidance" / "small.yaml").read_text("utf-8").replace("small-spot-unsaved", "acme-spot")
    rate = "- {pair: GBP/USD, rate: 1.3, from: 2026-01-01, source: {kind: official, title: B}, seen: 2026-01-02}\n"
    layer = overlay(
        tmp_path,
        regions="- {region: acme-1, country: us, area: us}\n",
        currencies=rate,
        guidance__acme=rule,
    )
    catalog, problems = read_folder(SMALL, overlays=[layer])
    assert problems == ()
    assert "acme-1" in catalog.regions
    assert [rate.base for rate in catalog.currencies] == ["EUR", "GBP", "USD"]
    assert [rule.id for rule in catalog.rules] == ["acme-spot", "small-spot-unsaved"]


def test_an_overlay_may_retire_a_rule(tmp_path: Path) -> None:
    """A rule of an overlay stands in the place of the one with its id."""
    rule = (SMALL / "guidance" / "small.yaml").read_text("utf-8").replace("status: active", "status: retired")
    catalog, problems = read_folder(SMALL, overlays=[overlay(tmp_path, guidance__acme=rule)])
    assert problems == ()
    assert [(rule.id, rule.status) for rule in catalog.rules] == [("small-spot-unsaved", "retired")]


def test_a_second_overlay_builds_on_the_first(tmp_path: Path) -> None:
    """Overlays apply in their order."""
    one = overlay(tmp_path / "one", providers__alderwick=LETTER, overlay="currency: CNY\n")
    two = overlay(
        tmp_path / "two",
        providers__alderwick=LETTER.replace("letter", "letter-2").replace("20.00", "19.00"),
        overlay="currency: EUR\n",
    )
    catalog, problems = read_folder(SMALL, overlays=[one, two])
    assert problems == ()
    assert [line.says for line in catalog.by_id["alderwick-h100-x8"].prices[2:]] == [
        "20.00 USD/machine-hour",
        "19.00 USD/machine-hour",
    ]
    assert catalog.display_currency == "EUR"


def test_an_overlay_on_a_broken_provider_reports_the_provider_alone(tmp_path: Path) -> None:
    """One mistake is one sentence, not a second one for everything built on it."""
    world = tmp_path / "world"
    shutil.copytree(SMALL, world)
    file = world / "providers" / "alderwick.yaml"
    file.write_text(file.read_text("utf-8").replace("kind: specialist", "kind: speciality"), "utf-8")
    layer = overlay(tmp_path, providers__alderwick=LETTER, overlay="accounts: [alderwick]\n")
    _, problems = read_folder(world, overlays=[layer])
    assert [str(p.place) for p in problems] == ["providers/alderwick.yaml:5"]


def test_a_missing_overlay_is_an_error(tmp_path: Path) -> None:
    """A team's rates are not silently left out."""
    missing = tmp_path / "acme"
    _, problems = read_folder(SMALL, overlays=[missing])
    assert said(problems) == [f"{missing}: there is no such folder; check the path"]


# ---------------------------------------------------------------- nothing ends in a traceback


WHOLE: dict[str, str] = {
    "providers/whole.yaml": """
id: whole
name: {en: Whole, zh: 全}
aliases: [whole cloud]
kind: marketplace
recheck_days: 7
billing: {step: second, minimum_hours: 0.5}
sources: {page: {kind: official, title: Prices, url: https://w.example}, quote: {kind: written quote, title: Letter}}
transfer:
  out: [{from: 2026-01-01, says: 0.08 USD/gb, source: page, seen: 2026-03-02, free_gb_month: 100, regions: [us-iris-1]}]
  in: [{from: 2026-01-01, says: not sold, source: page, seen: 2026-03-02}]
storage: [{from: 2026-01-01, says: 0.10 USD/gb-month, source: page, seen: 2026-03-02, whole_months: true}]
fees:
  - {from: 2026-01-01, says: 3 %, source: page, seen: 2026-03-02, what: {en: platform fee, zh: 平台费}}
  - {from: 2026-01-01, says: 10 USD/month, source: page, seen: 2026-03-02, what: {en: membership, zh: 会员费}}
  - {from: 2026-01-01, says: 0.02 USD/machine-hour, source: page, seen: 2026-03-02, what: {en: vCPU, zh: 处理器}}
  - {from: 2026-01-01, says: 5 USD/once, source: page, seen: 2026-03-02, what: {en: set-up, zh: 开通费}}
spot: {interruptions_per_hour: 0.02, restart_hours: 0.25, source: page, seen: 2026-03-02}
access: {how: quota, stock: seen, seen: 2026-03-02, url: https://w.example/console}
traits:
  compliance: [iso27001, soc2]
  interconnect: [nvlink, infiniband]
  managed: false
  kubernetes: true
  jupyter: true
  windows: false
  sla: 99.9
  low_latency: true
  multi_node: true
  support: by ticket
notes: [{en: No site in China., zh: 中国没有机房。, source: page, seen: 2026-03-02, ledger: [a]}]
ledger: [b, c]
offers:
  - id: whole-a100
    sku: w.a100
    gpu: A100
    memory_gb: 80
    form: SXM
    gpus: 1
    sold_as: gpu
    max_gpus: 8
    max_machines: 2
    plan: on_demand
    regions: [us-iris-1, eu-lupin-1]
    billing: {step: hour}
    spot: {interruptions_per_hour: null}
    access: {how: sales}
    traits: {managed: true, compliance: []}
    notes: [{en: Old driver., zh: 驱动较旧。}]
    ledger: [d]
    prices:
      - {from: 2026-10-01, says: 1.29 USD/gpu-hour, source: page, seen: 2026-10-02, checked: 2026-11-28, ledger: [e]}
      - {from: 2026-10-01, says: 1.35 USD/gpu-hour, source: quote, seen: 2026-11-20, regions: [us-iris-1]}
      - {from: 2027-01-01, says: retired, source: page, seen: 2026-11-20}
    settled:
      - of: {page: 2026-10-01, quote: 2026-10-01}
        keep: page
        because: The letter is old.
        decided: 2026-11-28
  - {id: whole-bare, sku: bare, gpu: A100, gpus: 0.5, sold_as: machine, plan: serverless}
""",
    "guidance/scenarios/whole.yaml": """
id: whole-scenario
title: {en: A short experiment, zh: 短期实验}
applies: [question.hours <= 672, '("experiment" in question.workloads)']
options:
  - id: spot
    advice: {en: Take spot., zh: 用竞价实例。}
    condition: {en: It saves its work., zh: 会保存进度。}
    sources: [{kind: community, title: A thread, url: https://w.example/thread}]
    ledger: [f]
corrects: {en: That spot is always cheapest., zh: 竞价总是最便宜。}
reviewed: 2026-11-15
asks: {en: [two weeks on one A100], zh: [一张A100两周]}
ledger: [g]
""",
    "glossary.yaml": """
- id: egress
  title: {en: Egress, zh: 出网流量}
  terms: {en: [egress], zh: 出网流量}
  text: {en: Data that leaves is billed., zh: 流出的数据要计费。}
  costs: [transfer]
  sources: [{kind: official, title: Prices}]
  reviewed: 2026-11-15
  asks: {en: [what is egress]}
  ledger: [h]
""",
    "gpus.yaml": """
- model: A100
  vendor: NVIDIA
  aliases: [Tesla A100]
  device_names: [NVIDIA A100-SXM4-80GB]
  ledger: [i]
  notes: [{en: The dense figure., zh: 稠密算力。, source: {kind: official, title: Sheet}}]
  variants:
    - id: a100-sxm-80
      memory_gb: 80
      form: SXM
      bandwidth_gbps: 2039
      interconnect: NVLink 600 GB/s
      tdp_w: 400
      peaks: {fp16: 312, fp8: null}
      expect: {fp16: 255}
      source: {kind: official, title: Sheet, url: https://w.example/a100}
    - {memory_gb: null, form: null}
- {model: H100, vendor: NVIDIA, variants: [{memory_gb: 80}]}
- {model: L4, vendor: NVIDIA, variants: [{memory_gb: 24}]}
- {model: RTX4090, vendor: NVIDIA, variants: [{memory_gb: 24}]}
""",
}


def test_every_key_of_the_dictionary_is_read(tmp_path: Path) -> None:
    """A folder that uses every key there is reads without a problem."""
    world = whole_world(tmp_path)
    catalog, problems = read_folder(world)
    assert said(problems) == []
    offer = catalog.by_id["whole-a100"]
    assert offer.billing is not None
    assert (offer.billing.step, offer.max_gpus, offer.max_machines) == ("hour", Decimal(8), Decimal(2))
    assert offer.traits is not None
    assert (offer.traits.managed, offer.traits.compliance, offer.traits.interconnect) == (True, (), None)
    assert catalog.by_id["whole-bare"].regions == ()
    assert catalog.providers["whole"].traits.sla == Decimal("99.9")
    assert [fee.rate.unit for fee in catalog.providers["whole"].fees if fee.rate] == [
        "%",
        "month",
        "machine-hour",
        "once",
    ]
    assert catalog.providers["whole"].transfer_in[0].rate is None
    assert catalog.scenarios[0].asks == {"en": ("two weeks on one A100",), "zh": ("一张A100两周",)}
    assert catalog.topics[0].terms == {"en": ("egress",), "zh": ("出网流量",)}
    assert catalog.gpus["A100"].variants[0].peaks == {"fp16": Decimal(312), "fp8": None}
    assert catalog.gpus["A100"].variants[1].memory_gb is None
    assert [one for one, _, _ in catalog.ledger] == list("abcdefghi")


def whole_world(tmp_path: Path) -> Path:
    world = tmp_path / "world"
    shutil.copytree(SMALL, world)
    for name, text in WHOLE.items():
        (world / name).parent.mkdir(parents=True, exist_ok=True)
        (world / name).write_text(text.lstrip(), "utf-8")
    return world


@pytest.mark.parametrize("name", WHOLE)
def test_whatever_stands_at_a_key_is_read_or_said(name: str, tmp_path: Path) -> None:
    """Any value in the place of any other is read or reported, most are reported, and none raises."""
    world = tmp_path / "world"
    world.mkdir()
    shutil.copy(SMALL / "regions.yaml", world)
    file = world / name
    file.parent.mkdir(parents=True, exist_ok=True)
    tree = yaml.load(WHOLE[name], Loader=yaml.BaseLoader)  # every scalar as text
    outcomes = []
    for holder, key in [(tree, None), *holders(tree)]:
        kept = holder[key] if key is not None else None
        for odd in ("x", "-1", "null", [], ["x", "x"], {"x": "y"}) if key is not None else (None,):
            if key is not None:
                holder[key] = odd
            # JSON is YAML; words and numbers lose their quotes again
            file.write_text(re.sub(r'"([\w.-]+)"', r"\1", json.dumps(tree, ensure_ascii=False)), "utf-8")
            _, problems = read_folder(world, check_clauses=False)
            assert all(str(problem) and problem.place.file for problem in problems)
            outcomes.append(bool(problems))
        if key is not None:
            holder[key] = kept
    assert outcomes[0] is False
    assert sum(outcomes) > len(outcomes) / 2


def holders(tree: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ():
        yield tree, key
        yield from holders(tree[key])


def test_cut_and_garbled_files_never_raise(tmp_path: Path) -> None:
    """Wherever a file is cut and whichever byte is replaced, there is a catalogue and a list of problems."""
    text = (SMALL / "providers" / "corrievane.yaml").read_bytes()
    file = tmp_path / "providers" / "x.yaml"
    file.parent.mkdir()
    for at in range(0, len(text), 97):
        for garbled in (text[:at], text[:at] + b"\x00" + text[at:], text[:at] + b"[" + text[at + 1 :], text[at:]):
            file.write_bytes(garbled)
            _, problems = read_folder(tmp_path)
            assert all(isinstance(problem, Problem) and str(problem) for problem in problems)
