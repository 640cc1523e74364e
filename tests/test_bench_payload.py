"""The program that runs on the GPU host: its method on a fake GPU of known rate, its reading of the driver, its end."""

from __future__ import annotations

import ast
import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench.fake_gpu import FakeGpu, FakeNode

from bot.bench import payload, verdict

ROOT = Path(__file__).parent.parent
PAYLOAD = ROOT / "bot" / "bench" / "payload.py"
BENCH = Path(__file__).parent / "bench"
FAKE_HOST = BENCH / "fake_host.py"


def run_on(gpu: FakeGpu, plan: payload.Plan = payload.FULL) -> tuple[int, list[dict[str, Any]]]:
    """All events of one worker on a fake GPU, as they would be printed."""
    events: list[dict[str, Any]] = []

    def emit(event: str, **more: Any) -> None:
        events.append(json.loads(payload.line_of(event, more)))

    return payload.Worker(gpu, plan, emit, began=0.0).run(), events


def steady(events: list[dict[str, Any]]) -> dict[str, Any]:
    [one] = [one for one in events if one["ev"] == "reading" and one["kind"] == "steady"]
    return one


# ---------------------------------------------------------------- the method


@pytest.mark.parametrize("tflops", [0.9, 42.0, 789.0, 1696.0])
def test_a_known_rate_is_read_within_one_percent(tflops: float) -> None:
    """From a T4 to a B200, and something slower than both."""
    _, events = run_on(FakeGpu(tflops), payload.QUICK)
    assert abs(steady(events)["tflops_median"] / tflops - 1) < 0.01


def test_a_slow_host_does_not_slow_the_reading() -> None:
    """A launch of 100 µs hides behind a product of 1.4 ms, because two batches are always queued."""
    _, events = run_on(FakeGpu(789.0, launch_s=1e-4), payload.QUICK)
    assert abs(steady(events)["tflops_median"] / 789.0 - 1) < 0.01


def test_a_cold_card_is_not_read() -> None:
    """0.6 of the rate in the first two seconds is over before the steady phase begins."""
    _, events = run_on(FakeGpu(789.0, cold=0.6))
    assert abs(steady(events)["tflops_median"] / 789.0 - 1) < 0.01
    assert abs(steady(events)["drift"]) < 0.01


def test_the_second_half_counts() -> None:
    """A card that is fast for 12 s and then holds 0.8 of it is read at 0.8: 3 s of warm-up, then half of 20 s."""
    gpu = FakeGpu(631.0, cold=1.25, warm_after=12.0)  # 788.75 at first
    _, events = run_on(gpu)
    assert abs(steady(events)["tflops_median"] / 631.0 - 1) < 0.01
    assert steady(events)["drift"] == pytest.approx(-0.2, abs=0.01)
    assert steady(events)["tflops_max"] == pytest.approx(788.75, rel=0.01)


def test_a_cycling_clock_shows_in_the_spread() -> None:
    """Up and down by a third every 0.4 s gives a CV over 5 %, which no verdict is built on."""
    _, events = run_on(FakeGpu(789.0, swing=0.33), payload.QUICK)
    assert steady(events)["cv"] > 0.05


def test_a_full_run_keeps_its_time_and_has_every_part() -> None:
    """At most 60 s by the clock of the device, with shapes, dtypes, copies, memory and a second check."""
    gpu = FakeGpu(789.0, others={"fp64": 34.0, "fp32": 51.0, "tf32": 400.0, "fp16_acc": 760.0, "fp8": 1400.0})
    rc, events = run_on(gpu)
    assert (rc, gpu.host < 60) == (0, True)
    sides = {one["dtype"] for one in events if one["ev"] == "reading" and one["kind"] == "side"}
    assert sides == {"fp16", "tf32", "fp32", "fp64", "fp8", "fp16_acc"}
    assert sum(one["ev"] == "reading" and one["kind"] == "shape" for one in events) == 3
    assert [one["when"] for one in events if one["ev"] == "check" and one["when"] != "side"] == ["before", "after"]
    assert {"copy", "memory"} <= {one["ev"] for one in events}
    assert all(one["protocol_version"] == payload.PROTOCOL for one in events if one["ev"] == "reading")


def test_a_quick_run_is_over_in_twenty_seconds() -> None:
    """The steady rate, copies and memory; neither shapes nor other dtypes."""
    gpu = FakeGpu(789.0)
    _, events = run_on(gpu, payload.QUICK)
    assert gpu.host < 20
    assert {one["kind"] for one in events if one["ev"] == "reading"} == {"steady"}
    assert steady(events)["mode"] == "quick"


def test_what_no_longer_fits_is_left_out_and_said() -> None:
    """A card at a hundredth of its rate takes 0.14 s a product: the main reading stays, the rest is skipped in time."""
    gpu = FakeGpu(0.5)
    _, events = run_on(gpu)
    assert steady(events)["tflops_median"] == pytest.approx(0.5, rel=0.01)
    assert "time" in {one["why"] for one in events if one["ev"] == "skipped"}


def test_a_dtype_that_the_library_lacks_is_left_out() -> None:
    """An old torch without fp8 costs the fp8 reading alone."""
    rc, events = run_on(FakeGpu(789.0, side_error=True))
    assert rc == 0
    [skipped] = [one for one in events if one["ev"] == "skipped"]
    assert (skipped["dtype"], skipped["why"][:10]) == ("fp8", "TypeError:")


def test_a_dtype_that_the_card_lacks_is_refused() -> None:
    """Emulated rates are never measured."""
    gpu = FakeGpu()
    gpu.dtypes = lambda: ("fp16", "fp32", "fp64")  # type: ignore[method-assign, assignment, return-value]
    rc, events = run_on(gpu, replace(payload.QUICK, dtype="bf16"))
    assert (rc, events[-1]["ev"], events[-1]["has"]) == (payload.RC_UNUSABLE, "refused", ["fp16", "fp32", "fp64"])


@pytest.mark.parametrize(("error", "said"), [(0.4, 0.4), (math.nan, None)])
def test_a_wrong_or_unwritten_result_is_said(error: float, said: float | None) -> None:
    """Before and after; NaN travels as null."""
    _, events = run_on(FakeGpu(789.0, error=error), payload.QUICK)
    checks = [one for one in events if one["ev"] == "check"]
    assert [(one["right"], one["rel_err"]) for one in checks] == [(False, said)] * 2


@pytest.mark.parametrize(("free", "size"), [(100, 8192), (2, 6144), (1, 4096)])
def test_the_product_fits_the_memory(free: int, size: int) -> None:
    """Less than 3 GiB free: a smaller product."""
    _, events = run_on(FakeGpu(789.0, free=free << 30), payload.QUICK)
    assert steady(events)["shape"] == [size] * 3


def test_percentiles_lie_between_the_values() -> None:
    """Of 0, 10, 20, 30 the median place is 15, and the ends are the ends."""
    values = [30.0, 0.0, 20.0, 10.0]
    assert [payload.percentile(values, share) for share in (0.0, 0.5, 1.0)] == [0.0, 15.0, 30.0]


# ---------------------------------------------------------------- between the GPUs of a node


def between(node: FakeNode, plan: payload.Plan = payload.FULL, began: float = 0.0) -> list[dict[str, Any]]:
    """All events of what is between the GPUs of a fake node, as they would be printed."""
    events: list[dict[str, Any]] = []

    def emit(event: str, **more: Any) -> None:
        events.append(json.loads(payload.line_of(event, more)))

    assert payload.Between(node, plan, emit, began).run() == 0
    return events


def links(events: list[dict[str, Any]]) -> dict[tuple[int, int], dict[str, Any]]:
    return {(one["from"], one["to"]): one for one in events if one["ev"] == "link"}


@pytest.mark.parametrize("gbps", [0.9, 11.7, 55.0, 390.0, 760.0])
def test_a_known_link_is_read_within_one_percent(gbps: float) -> None:
    """Each ordered pair of four GPUs, from a copy through the host to NVLink, though the first copy sets the way up."""
    found = links(between(FakeNode(range(4), gbps), replace(payload.FULL, deadline=500)))
    assert len(found) == 12  # 4 x 3
    assert all(abs(one["gbps"] / gbps - 1) < 0.01 for one in found.values())


def test_one_slow_direction_is_read_as_slow() -> None:
    """Only the copy from 2 to 1 is slow: no other pair suffers."""
    found = links(between(FakeNode(range(3), rates={(2, 1): 24.0})))
    assert found.pop((2, 1))["gbps"] == pytest.approx(24, rel=0.01)
    assert len(found) == 5
    assert all(one["gbps"] == pytest.approx(390, rel=0.01) for one in found.values())


@pytest.mark.parametrize(("count", "nccl"), [(2, True), (8, True), (8, False)])
def test_a_known_sum_is_read_within_one_percent(count: int, nccl: bool) -> None:
    """8 GPUs at 470 GB/s on the bus: 1 GiB in 4.0 ms, which is 470 x 8 / (2 x 7) = 268.6 GB/s of the array itself."""
    [found] = [one for one in between(FakeNode(range(count), nccl=nccl)) if one["ev"] == "all_reduce"]
    assert found["bus_gbps"] == pytest.approx(470, rel=0.01)
    assert found["algorithm_gbps"] == pytest.approx(470 * count / (2 * (count - 1)), rel=0.01)
    assert (found["method"], found["gpus"]) == ("nccl" if nccl else "copies", list(range(count)))


def test_a_copy_that_corrupts_is_said() -> None:
    """The words that arrived wrong, of that pair alone; and those of a wrong sum."""
    events = between(FakeNode(range(2), wrong={(0, 1): 3}, wrong_sum=7))
    assert {pair: one["wrong_words"] for pair, one in links(events).items()} == {(0, 1): 3, (1, 0): 0}
    assert events[-1]["wrong_words"] == 7


def test_a_pair_that_fails_costs_only_itself() -> None:
    """The other pairs and the sum are measured."""
    events = between(FakeNode(range(3), broken={(0, 2): "peer access is not supported"}, peer=False))
    found = links(events)
    assert (found[0, 2]["error"], "gbps" in found[0, 2]) == ("peer access is not supported", False)
    assert [one["peer"] for one in found.values()] == [False] * 6
    assert sum("gbps" in one for one in found.values()) == 5
    assert events[-1]["ev"] == "all_reduce"


def test_where_nccl_fails_copies_make_the_sum() -> None:
    """It is said that they did, and why."""
    events = between(FakeNode(range(2), nccl_error="NCCL Error 2"))
    assert (events[-1]["ev"], events[-1]["method"]) == ("all_reduce", "copies")
    [skipped] = [one for one in events if one["ev"] == "skipped"]
    assert (skipped["step"], skipped["method"], skipped["why"]) == ("all_reduce", "nccl", "NCCL Error 2")


def test_links_keep_their_time() -> None:
    """Eight GPUs at 2 GB/s, 0.13 s a copy, are more than fits: neighbours are in, the rest is counted as left out."""
    node = FakeNode(range(8), 2.0, at=49.0)
    events = between(node)
    found = links(events)
    assert node.host <= payload.FULL.deadline + 1
    assert {(gpu, (gpu + 1) % 8) for gpu in range(8)} <= set(found)
    [skipped] = [one for one in events if one["ev"] == "skipped" and one["step"] == "links"]
    assert (skipped["why"], skipped["pairs"], skipped["of"]) == ("time", 56 - len(found), 56)
    assert [one["ev"] for one in events if one.get("step") != "links" and one["ev"] != "link"][-1] == "all_reduce"


def test_a_quick_run_measures_links_in_what_time_is_left() -> None:
    """Two seconds before the end of a quick run the 56 pairs of an NVLink node still fit; after it nothing is begun."""
    node = FakeNode(range(8), at=16.5)
    assert len(links(between(node, payload.QUICK))) == 56
    assert node.host < 19
    assert [(one["ev"], one["why"]) for one in between(FakeNode(range(8), at=18.4), payload.QUICK)] == [
        ("skipped", "time"), ("skipped", "time"),
    ]  # fmt: skip


def test_several_gpus_leave_time_for_what_is_between_them() -> None:
    """Each GPU of a pair is done 6 s before the deadline of 55 s, whatever is left out for it."""
    gpu = FakeGpu(0.5, count=2)
    _, events = run_on(gpu)
    assert gpu.host < 49 + 4
    assert "time" in {one["why"] for one in events if one["ev"] == "skipped"}


# ---------------------------------------------------------------- the driver


def with_smi(monkeypatch: pytest.MonkeyPatch, **environ: str) -> None:
    monkeypatch.setenv("PATH", f"{BENCH}:{os.environ['PATH']}")
    for name, value in environ.items():
        monkeypatch.setenv(name, value)


def test_rows_of_the_driver_are_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are numbers, "[N/A]" is unknown, and a field this driver does not know costs only itself."""
    with_smi(monkeypatch)
    rows = payload.snapshot()
    assert rows is not None
    assert [row["uuid"] for row in rows] == ["GPU-fake-0", "GPU-fake-1"]
    assert (rows[0]["memory.total"], rows[0]["power.limit"], rows[0]["processes"]) == (143771, None, 0)
    assert "persistence_mode" not in rows[0]
    assert rows[0]["pci.device_id"] == "0x233510de"


def test_without_the_driver_there_are_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """No nvidia-smi is no error."""
    monkeypatch.setenv("PATH", "/nowhere")
    assert payload.snapshot() is None


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (None, None),
        ({"processes": 0, "utilization.gpu": 5, "memory.used": 600}, None),
        ({"processes": 1, "utilization.gpu": 0, "memory.used": 0}, "process"),
        ({"processes": 0, "utilization.gpu": 6, "memory.used": 0}, "utilisation"),
        ({"processes": 0, "utilization.gpu": None, "memory.used": 4000}, "memory"),
    ],
)
def test_somebody_else_is_noticed(row: dict[str, Any] | None, why: str | None) -> None:
    """A process, more than 5 % of utilisation or 2 GiB of memory before the start."""
    assert payload.busy(row) == why


def test_a_worker_finds_its_row() -> None:
    """By uuid with or without its prefix, by PCI address, by place only when nothing else is known."""
    rows = [
        {"uuid": "GPU-11aa", "pci.bus_id": "00000000:17:00.0"},
        {"uuid": "GPU-22bb", "pci.bus_id": "00000000:18:00.0"},
    ]
    assert payload.row_of({"uuid": "22bb"}, rows, 0, 2) is rows[1]
    assert payload.row_of({"uuid": "GPU-22BB"}, rows, 0, 2) is rows[1]
    assert payload.row_of({"pci": "0000:18:00.0"}, rows, 0, 2) is rows[1]
    assert payload.row_of({}, rows, 1, 2) is rows[1]
    assert payload.row_of({}, rows, 0, 1) is None  # some are hidden: the places do not match
    assert payload.row_of({"uuid": "33cc"}, rows, 0, 2) is None


def test_clocks_are_those_of_the_window() -> None:
    """Samples outside do not count; a reason is a share of the samples inside."""
    samples = [
        (0.0, {"clocks.current.sm": 210, "power.draw": 70.0, "clocks_event_reasons.active": "0x1"}),
        (2.0, {"clocks.current.sm": 1600, "power.draw": 690.0, "clocks_event_reasons.active": "0x4"}),
        (3.0, {"clocks.current.sm": 1700, "power.draw": None, "clocks_event_reasons.active": "0x24"}),
    ]
    found = payload.clocks(samples, (1.0, 4.0))
    assert (found["samples"], found["mean_mhz"], found["min_mhz"], found["mean_w"]) == (2, 1650, 1600, 690.0)
    assert found["throttle"] == {"power-cap": 1.0, "thermal": 0.5}
    assert payload.clocks(samples, (9.0, 10.0)) == {"samples": 0}


def test_new_faults_of_the_kernel_log_are_found(tmp_path: Path) -> None:
    """Only those after the start; a log that may not be read is unknown."""
    log = tmp_path / "kmsg"
    log.write_text("4,7,100,-;NVRM: Xid (PCI:0000:17:00): 63, old\n", "utf-8")
    xids = payload.Xids(str(log))
    assert xids.new() == []
    with log.open("a", encoding="utf-8") as file:
        file.write(
            "6,8,200,-;usb 1-1: new device\n SUBSYSTEM=usb\n4,9,300,-;NVRM: Xid (PCI:0000:17:00): 79, fell off\n"
        )
    assert xids.new() == ["NVRM: Xid (PCI:0000:17:00): 79, fell off"]
    assert payload.Xids(str(tmp_path / "none")).new() is None


def test_amd_clocks_come_from_the_kernel(tmp_path: Path) -> None:
    """MHz, watts and degrees of the card at a PCI address; another chip's sensors are not asked."""
    for address, name in (("0000:83:00.0", "amdgpu"), ("0000:01:00.0", "nvme")):
        folder = tmp_path / address / "hwmon" / "hwmon3"
        folder.mkdir(parents=True)
        for file, text in (("name", name), ("freq1_input", "2100000000"), ("power1_average", "740000000"),
                           ("temp2_input", "66000")):  # fmt: skip
            (folder / file).write_text(text + "\n", "utf-8")
    sampler = payload.AmdSampler(tmp_path)
    sampler.start()
    time.sleep(0.7)
    sampler.stop()
    sampler.join(2)
    found = payload.clocks(sampler.of(None, {"pci": "0000:83:00.0"}), (0, math.inf))
    assert (found["mean_mhz"], found["mean_w"], found["max_c"]) == (2100.0, 740.0, 66.0)
    assert sampler.of(None, {"pci": "0000:01:00.0"}) == []


# ---------------------------------------------------------------- the whole program


def start(*arguments: str, script: Path = FAKE_HOST, **environ: str) -> subprocess.Popen[bytes]:
    python = [sys.executable, "-u", str(script)]
    env = {**os.environ, "PATH": f"{BENCH}:{os.environ['PATH']}", **environ}
    return subprocess.Popen([*python, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)


def finished(process: subprocess.Popen[bytes]) -> tuple[int, list[dict[str, Any]]]:
    out, err = process.communicate(timeout=60)
    assert b"Traceback" not in err, err.decode()
    return process.returncode, [json.loads(line) for line in out.splitlines()]


SHORT = ("--quick", "--warm", "0.3", "--steady", "1.5")


def test_all_gpus_of_a_node_run_at_once() -> None:
    """Two GPUs in one go: each read and sampled, in little more than the time of one."""
    rc, events = finished(start("2", *SHORT, "--seed", "5"))
    assert (rc, events[-1]["ev"], events[-1]["gpus"]) == (0, "end", [0, 1])
    readings = {one["gpu"]: one for one in events if one["ev"] == "reading"}
    assert readings[0]["tflops_median"] == pytest.approx(780, rel=0.01)
    assert readings[1]["tflops_median"] == pytest.approx(781, rel=0.01)
    assert readings[1]["mean_mhz"] == 1650
    assert readings[1]["throttle"] == {"power-cap": 1.0}
    assert "window" not in readings[0]
    assert events[-1]["seconds"] < 6
    assert {pair: round(one["gbps"]) for pair, one in links(events).items()} == {(0, 1): 390, (1, 0): 390}
    assert [round(one["bus_gbps"]) for one in events if one["ev"] == "all_reduce"] == [470]


@pytest.mark.parametrize(("what", "step", "why"), [("dies", "links", "died"), ("hangs", "all_reduce", "time")])
def test_what_is_between_gpus_loses_no_reading(what: str, step: str, why: str) -> None:
    """The process for it is killed or hangs: both GPUs are read, the run ends well and a second after its deadline."""
    rc, events = finished(start("2", *SHORT, "--deadline", "9", FAKE_NODE=what))
    assert (rc, events[-1]["gpus"]) == (0, [0, 1])
    assert [(one["step"], one["why"]) for one in events if one["ev"] == "skipped"] == [(step, why)]
    assert events[-1]["seconds"] < 12


def test_one_gpu_can_be_chosen() -> None:
    """`--gpus 1` measures the second alone; a third does not exist."""
    _, events = finished(start("2", *SHORT, "--gpus", "1"))
    assert {one["gpu"] for one in events if one["ev"] == "reading"} == {1}
    assert not {"link", "all_reduce", "skipped"} & {one["ev"] for one in events}
    rc, events = finished(start("2", *SHORT, "--gpus", "2"))
    assert (rc, events[-1]["why"]) == (payload.RC_UNUSABLE, "gpus")


def test_a_busy_gpu_is_not_measured() -> None:
    """Somebody's process on the second GPU: nothing starts, and it is said which and why."""
    rc, events = finished(start("2", *SHORT, FAKE_SMI_APP="1"))
    assert (rc, events[-1]["why"]) == (payload.RC_BUSY, "busy")
    assert [one["gpus"] for one in events if one["ev"] == "busy"] == [{"1": "process"}]
    assert not [one for one in events if one["ev"] == "reading"]
    found = verdict.judge(verdict.collect(events), {})
    assert found.outcome == "inconclusive"


def test_a_worker_that_is_killed_leaves_an_end() -> None:
    """The out-of-memory killer takes one worker: the other is read, and the run says who died."""
    rc, events = finished(start("2", *SHORT, FAKE_DIES="1"))
    assert (rc, events[-1]["ev"], events[-1]["why"]) == (payload.RC_DIED, "end", "died")
    assert [(one["gpu"], one["signal"]) for one in events if one["ev"] == "died"] == [(1, 9)]


def children_of(pid: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def alive(pids: list[int]) -> list[int]:
    found = []
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.append(pid)
    return found


def gone(pids: list[int], seconds: float = 1.0) -> bool:
    deadline = time.monotonic() + seconds
    while alive(pids) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not alive(pids)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_ending_the_program_ends_its_workers(number: int) -> None:
    """Whether it is asked or killed, nothing is left a second later."""
    process = start("2", "--quick", "--steady", "30")
    assert process.stdout is not None
    for line in process.stdout:
        if b'"steady"' in line:
            break
    pids = children_of(process.pid)
    assert len(pids) >= 3  # two workers and the sampler
    process.send_signal(number)
    assert gone([process.pid, *pids])
    process.communicate()


def test_a_reader_that_goes_away_ends_the_program() -> None:
    """`| head` must not leave a GPU busy."""
    process = start("2", "--quick", "--steady", "30")
    assert process.stdout is not None
    for line in process.stdout:
        if b'"steady"' in line:
            break
    pids = [process.pid, *children_of(process.pid)]
    process.stdout.close()
    assert gone(pids, 3)  # at the next line of progress
    process.wait()
    assert process.stderr is not None
    process.stderr.close()


def test_without_torch_it_says_so() -> None:
    """From a pipe, as it is pasted or streamed; the end line has the reason."""
    program = PAYLOAD.read_bytes()
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-", "--quick"], input=program, stdout=subprocess.PIPE, timeout=30, check=False
    )
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, events[-1]["why"]) == (payload.RC_NO_TORCH, "no_torch")


@pytest.mark.parametrize("arguments", [["--gpus", "x"], ["--gpus", "0,0"], ["--gpus", ""], ["--dtype", "int1"]])
def test_unusable_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With a sentence and status 2."""
    with pytest.raises(SystemExit) as stopped:
        payload.plan_of(arguments)
    assert stopped.value.code == 2
    assert arguments[0] in capsys.readouterr().err


@pytest.mark.parametrize("name", ["payload.py", "agent.py"])
def test_it_runs_alone(name: str) -> None:
    """Only the standard library; torch in the payload alone, imported where it is used."""
    tree = ast.parse((ROOT / "bot" / "bench" / name).read_text("utf-8"))
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {one.name.split(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(str(node.module).split(".")[0])
    allowed = set(sys.stdlib_module_names) | ({"torch"} if name == "payload.py" else set())
    assert modules <= allowed


# ---------------------------------------------------------------- the CPU, with torch


@pytest.mark.needs_torch
@pytest.mark.parametrize("dtype", payload.CPU_DTYPES)
def test_a_right_product_is_right_and_a_wrong_one_wrong(dtype: str) -> None:
    """One entry among those compared is enough, and so is one NaN anywhere."""
    device = payload.TorchDevice(0, payload.Plan(device="cpu", threads=1))
    product = device.product(dtype, (96, 64, 128), seed=3)
    product.poison()
    assert math.isnan(product.error(0))  # nothing was written
    product.launch(0)
    assert product.error(0) < payload.TOLERANCE[dtype]
    assert product.error(1) > 0.5  # the other inputs
    product.out[5, 7] = math.nan
    assert math.isnan(product.error(0))
    product.launch(0)
    product.out.mul_(1.1)
    assert product.error(0) == pytest.approx(0.1, rel=0.1)


@pytest.mark.needs_torch
def test_inputs_are_random_and_come_from_the_seed() -> None:
    """Zeros would be faster; two runs with one seed have the same numbers, the two sets differ."""
    device = payload.TorchDevice(0, payload.Plan(device="cpu", threads=1))
    one, same = device.product("fp32", (32, 32, 32), 3), device.product("fp32", (32, 32, 32), 3)
    assert bool((one.sets[0][0] == same.sets[0][0]).all())
    assert not bool((one.sets[0][0] == one.sets[1][0]).any())
    assert abs(float(one.sets[0][0].std()) - 1) < 0.1


class CpuNode(payload.TorchNode):
    """Several parts of the host's memory in the place of GPUs: what is moved and added is the same."""

    def where(self, gpu: int) -> Any:
        return self.torch.device("cpu")

    def free_bytes(self, gpu: int) -> int:
        return 1 << 20

    def lane(self, gpu: int) -> Any:
        return contextlib.nullcontext()

    def on(self, lane: Any) -> Any:
        return lane

    def follow(self, lane: Any, other: Any) -> None:
        pass

    def join(self, gpu: int, lane: Any) -> None:
        pass

    def release(self) -> None:
        pass


@pytest.mark.needs_torch
def test_each_word_that_a_copy_changes_is_counted() -> None:
    """Nothing copied: all are wrong; a copy: none; two words changed: two. Another source sends other words."""
    node = CpuNode((0, 1))
    link = node.link(0, 1, seed=5)
    assert link.wrong() == link.bytes // 4 == 1 << 15  # an eighth of the memory of 1 MiB, four bytes a word
    link.launch()
    assert link.wrong() == 0
    link.target[7] ^= 1
    link.target[-1] = 0
    assert link.wrong() == 2
    assert len(link.source.unique()) == 1 << 15
    assert not bool((link.source == node.link(1, 0, seed=5).source).any())


@pytest.mark.needs_torch
@pytest.mark.parametrize("count", [2, 3, 8])
def test_a_ring_of_copies_leaves_the_sum_on_every_gpu(count: int) -> None:
    """GPU i holds i + 1 times the numbers: their sum is n (n + 1) / 2 times, and a word that differs is counted."""
    total = CpuNode(tuple(range(count))).total("copies")
    assert total.wrong() > 0
    total.launch()
    assert total.wrong() == 0
    assert all(int(array[3]) == 3 * count * (count + 1) // 2 for array in total.arrays)
    total.arrays[-1][5] += 1
    assert total.wrong() == 1
    total.fill()
    total.launch()
    assert total.wrong() == 0


@pytest.mark.needs_torch
def test_the_cpu_is_measured_by_the_same_program() -> None:
    """One reading, checked before and after, and an end; fp16 on a CPU is refused."""
    quick = ("--quick", "--device", "cpu", "--threads", "1", "--warm", "0.2", "--steady", "0.6")
    rc, events = finished(start(*quick, script=PAYLOAD))
    assert (rc, events[-1]["ev"], steady(events)["dtype"]) == (0, "end", "fp32")
    assert 0.001 < steady(events)["tflops_median"] < 10
    assert verdict.judge(verdict.collect(events), {}).outcome == "cpu"
    rc, events = finished(start(*quick, "--dtype", "fp16", script=PAYLOAD))
    assert (rc, events[-1]["why"]) == (payload.RC_UNUSABLE, "refused")


@pytest.mark.needs_torch
def test_a_gpu_that_torch_cannot_see_is_not_passed_over() -> None:
    """The driver shows GPUs and torch has none: unsupported, never a CPU rate in their place."""
    import torch

    if torch.cuda.is_available():
        pytest.skip("this torch sees a GPU")
    rc, events = finished(start("--quick", script=PAYLOAD))
    assert (rc, events[-1]["why"]) == (payload.RC_UNSUPPORTED, "unsupported")
    assert verdict.judge(verdict.collect(events), {}).outcome == "unsupported"


@pytest.mark.gpu
def test_a_real_gpu_is_measured() -> None:
    """The whole quick run on whatever GPU is here."""
    process = subprocess.Popen(
        [sys.executable, "-u", str(PAYLOAD), "--quick"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    rc, events = finished(process)
    assert rc == 0
    assert steady(events)["tflops_median"] > 1


def test_the_sampler_ends_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread and no process of it stays."""
    with_smi(monkeypatch)
    sampler = payload.Sampler()
    sampler.start()
    deadline = time.monotonic() + 5
    while not sampler.samples and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sampler.of({"uuid": "GPU-fake-1"}, {})
    sampler.stop()
    sampler.join(2)
    assert sampler not in threading.enumerate()
