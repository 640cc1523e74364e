"""Finding, keeping and reloading the catalogue."""

from __future__ import annotations

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
