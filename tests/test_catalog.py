"""Finding, keeping and reloading the catalogue."""

from __future__ import annotations

import os
import pickle
import shutil
import threading
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from bot import catalog as room
from bot.catalog import Loaded, Reloader, errors, load, packaged_folder

SMALL = Path(__file__).parent / "worlds" / "small"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    target = tmp_path / "world"
    shutil.copytree(SMALL, target)
    return target


def said(loaded: Loaded) -> dict[str, object]:
    """Everything a catalogue says, so that two can be compared: a catalogue itself equals only itself."""
    catalog, problems = loaded
    return {"problems": problems, **{field.name: getattr(catalog, field.name) for field in fields(catalog)}}


def rewrite(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def test_packaged_knowledge_lies_beside_the_program() -> None:
    """Without a folder the packaged knowledge is read."""
    assert packaged_folder().name == "knowledge"
    catalog, _ = load()
    assert "A100" in catalog.gpus
    assert catalog.currencies


def test_a_world_takes_the_rest_from_the_packaged_knowledge() -> None:
    """The small world has no GPUs of its own and gets the packaged ones; its guidance replaces the packaged one."""
    catalog, problems = load(SMALL)
    assert problems == ()
    assert "A100" in catalog.gpus
    assert [rule.id for rule in catalog.rules] == ["small-spot-unsaved"]
    assert sorted(catalog.regions) == ["cn-peony-1", "eu-lupin-1", "us-iris-1"]


# ---------------------------------------------------------------- reload


def test_a_changed_file_is_taken_over(world: Path) -> None:
    """A new price is in the catalogue after the next look, and nothing is done when nothing changed."""
    current = Reloader(world)
    before = current.catalog
    assert current.refresh() is False
    assert current.catalog is before
    rewrite(world / "providers" / "qingtan.yaml", "12.60 CNY/gpu-hour", "13.00 CNY/gpu-hour")
    assert current.refresh() is True
    assert current.catalog.by_id["qingtan-a100-80"].prices[0].says == "13.00 CNY/gpu-hour"
    assert before.by_id["qingtan-a100-80"].prices[0].says == "12.60 CNY/gpu-hour"


def test_a_broken_file_keeps_the_last_good_catalogue(world: Path) -> None:
    """While someone edits, answers go on from what was sound, and the mistake is known."""
    current = Reloader(world)
    before = current.catalog
    rewrite(world / "providers" / "qingtan.yaml", "12.60 CNY/gpu-hour", "12.60 CNY/gpu-our")
    assert current.refresh() is False
    assert current.catalog is before
    assert [str(p.place) for p in errors(current.problems)] == ["providers/qingtan.yaml:26"]
    rewrite(world / "providers" / "qingtan.yaml", "12.60 CNY/gpu-our", "12.70 CNY/gpu-hour")
    assert current.refresh() is True
    assert current.problems == ()
    assert current.catalog.by_id["qingtan-a100-80"].prices[0].says == "12.70 CNY/gpu-hour"


def test_a_new_and_a_removed_file_are_noticed(world: Path) -> None:
    """Adding or removing a provider's file is a change."""
    current = Reloader(world)
    file = world / "providers" / "qingtan.yaml"
    text = file.read_text("utf-8")
    file.unlink()
    assert current.refresh() is True
    assert "qingtan" not in current.catalog.providers
    file.write_text(text, "utf-8")
    assert current.refresh() is True
    assert "qingtan" in current.catalog.providers


def test_a_changed_overlay_is_taken_over(world: Path, tmp_path: Path) -> None:
    """An overlay is part of what is looked at."""
    layer = tmp_path / "acme"
    layer.mkdir()
    (layer / "overlay.yaml").write_text("accounts: [qingtan]\n", "utf-8")
    current = Reloader(world, [layer])
    (layer / "overlay.yaml").write_text("accounts: [qingtan, bluestave]\n", "utf-8")
    assert current.refresh() is True
    assert current.catalog.accounts == ("qingtan", "bluestave")


def test_one_thread_reloads_and_the_others_go_on(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one thread reads the folder, another gets the old catalogue at once."""
    current = Reloader(world)
    reading, go_on = threading.Event(), threading.Event()
    real = room.load

    def slow(*args: Any) -> Loaded:
        reading.set()
        assert go_on.wait(10)
        return real(*args)

    monkeypatch.setattr(room, "load", slow)
    rewrite(world / "providers" / "qingtan.yaml", "12.60 CNY/gpu-hour", "13.00 CNY/gpu-hour")
    thread = threading.Thread(target=current.refresh)
    thread.start()
    assert reading.wait(10)
    assert current.refresh() is False
    assert current.catalog.by_id["qingtan-a100-80"].prices[0].says == "12.60 CNY/gpu-hour"
    go_on.set()
    thread.join(10)
    assert current.catalog.by_id["qingtan-a100-80"].prices[0].says == "13.00 CNY/gpu-hour"


# ---------------------------------------------------------------- the cache


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders whose YAML was read."""
    seen: list[Path] = []
    real = room._read

    def spy(folder: Path, *args: Any) -> Loaded:
        seen.append(folder)
        return real(folder, *args)

    monkeypatch.setattr(room, "_read", spy)
    return seen


def test_a_kept_catalogue_is_the_one_that_was_read(world: Path, tmp_path: Path, reads: list[Path]) -> None:
    """The second command gets an equal catalogue without reading the YAML."""
    cache = tmp_path / "cache"
    first = load(world, cache=cache)
    second = load(world, cache=cache)
    assert reads == [world]
    assert said(second) == said(first)
    assert said(second) == said(load(world))


def test_a_changed_byte_is_never_answered_from_the_cache(world: Path, tmp_path: Path, reads: list[Path]) -> None:
    """A price of the same length and the same time of change is still another price."""
    cache = tmp_path / "cache"
    load(world, cache=cache)
    file = world / "providers" / "qingtan.yaml"
    info = file.stat()
    rewrite(file, "12.60 CNY/gpu-hour", "13.60 CNY/gpu-hour")
    os.utime(file, ns=(info.st_atime_ns, info.st_mtime_ns))
    catalog, _ = load(world, cache=cache)
    assert catalog.by_id["qingtan-a100-80"].prices[0].says == "13.60 CNY/gpu-hour"
    assert reads == [world, world]


def test_an_overlay_has_its_own_place_in_the_cache(world: Path, tmp_path: Path) -> None:
    """A team's rates do not come out of a catalogue that was kept without them, nor the other way round."""
    layer, cache = tmp_path / "acme", tmp_path / "cache"
    layer.mkdir()
    (layer / "overlay.yaml").write_text("accounts: [qingtan]\n", "utf-8")
    assert load(world, [layer], cache=cache)[0].accounts == ("qingtan",)
    assert load(world, cache=cache)[0].accounts == ()
    assert load(world, [layer], cache=cache)[0].accounts == ("qingtan",)


def test_a_folder_with_errors_is_not_kept(world: Path, tmp_path: Path) -> None:
    """Mistakes are found again by every command until they are mended."""
    cache = tmp_path / "cache"
    rewrite(world / "providers" / "qingtan.yaml", "12.60 CNY/gpu-hour", "12.60 CNY/gpu-our")
    for _ in range(2):
        assert len(errors(load(world, cache=cache)[1])) == 1
    assert not cache.exists()


@pytest.mark.parametrize("content", [b"", b"garbage", pickle.dumps(("x", ())), pickle.dumps(os.getcwd)])
def test_a_damaged_or_foreign_cache_file_is_read_over(world: Path, tmp_path: Path, content: bytes) -> None:
    """What is no catalogue is not used, and nothing in it is run."""
    cache = tmp_path / "cache"
    first = load(world, cache=cache)
    [file] = cache.iterdir()
    file.write_bytes(content)
    assert said(load(world, cache=cache)) == said(first)


def test_a_cache_that_others_may_write_is_not_trusted(world: Path, tmp_path: Path, reads: list[Path]) -> None:
    """A file or folder that another user could have changed is not opened as a catalogue."""
    cache = tmp_path / "cache"
    load(world, cache=cache)
    [file] = cache.iterdir()
    assert file.stat().st_mode & 0o077 == 0
    file.chmod(0o622)
    load(world, cache=cache)
    file.chmod(0o600)
    cache.chmod(0o777)
    load(world, cache=cache)
    assert len(reads) == 3


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(world: Path, tmp_path: Path) -> None:
    """A file where the cache should be, or a folder without a parent's leave, changes no answer."""
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    assert said(load(world, cache=blocked)) == said(load(world))
    assert said(load(world, cache=blocked / "below")) == said(load(world))


def test_the_cache_keeps_a_few(world: Path, tmp_path: Path) -> None:
    """Old catalogues go when new ones come."""
    cache = tmp_path / "cache"
    for price in range(room.KEPT + 3):
        file = world / "providers" / "qingtan.yaml"
        lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("# n")]
        file.write_text("\n".join([*lines, f"# n{price}"]) + "\n", "utf-8")
        load(world, cache=cache)
    assert len(list(cache.iterdir())) == room.KEPT


def test_a_large_home_folder_is_not_hashed(tmp_path: Path) -> None:
    """A wrong path to a folder full of other things is looked at only where knowledge would lie."""
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.raw").write_bytes(b"x")
    assert [path.name for path in room._files([tmp_path])] == []
