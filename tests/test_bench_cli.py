"""The commands about GPU hosts, from the arguments to the exit status, with a program in the place of the real one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bench.events import run_on
from bench.turn import whole_host
from test_bench_connect import QUICK, READY

from benchmarks import bench_cpu
from bot import cli, cli_bench
from bot.bench import hosts as registry
from bot.bench.connect import Connector, Outcome
from bot.render.bench import headline
from rules.load import read_folder
from rules.model import Accelerator

if TYPE_CHECKING:
    from bench.sshd import Server

ROOT = Path(__file__).parent.parent
TABLE: dict[str, Accelerator] = dict(
    read_folder(ROOT / "knowledge", check_clauses=False, accelerators=True)[0].accelerators
)
H200 = TABLE["nvidia-h200-sxm"]
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKHEChAGXTsTKkUSxYSYfKi1wXBIUaVZEnsqUDHEPYxB"


def program(tflops: float) -> str:
    """A payload that says what an invented H200 would."""
    return f"""
import json, sys
seed = int(sys.argv[sys.argv.index("--seed") + 1])
for event in {run_on(H200, tflops)!r}:
    if event["ev"] == "start":
        event["seed"] = seed
    print(json.dumps(event), flush=True)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GPU_BOT_HOME", str(tmp_path / "home"))
    return tmp_path


def host_says(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Whatever host is measured runs this program."""

    def made() -> Connector:
        return Connector(QUICK, program=text.encode(), module="json")

    monkeypatch.setattr(cli_bench, "_connector", made)


def lock_at(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Runs of this test have a lock of their own, so that tests at the same time do not meet."""
    import dataclasses

    from bot.bench import connect

    monkeypatch.setattr(connect, "LOCAL", dataclasses.replace(connect.LOCAL, lock=str(path / "lock")))


def test_a_local_run_prints_its_verdict_first(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Healthy: status 0, both percentages, and it is kept."""
    host_says(monkeypatch, program(789.1))
    lock_at(monkeypatch, home)
    assert cli.run(["bench"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "HEALTHY: 789.1 TFLOPS bf16 on NVIDIA H200 (local)"
    assert cli.run(["bench", "history", "--gpu", "H200", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert (row["host"], row["gpu"], row["tflops"], row["verdict"]) == ("local", "nvidia-h200-sxm", 789.1, "healthy")
    assert cli.run(["bench", "history", "--host", "ml01"]) == 3


def test_json_is_one_object_a_line_and_the_record_last(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """600 of 789.1 is 0.76: it fails, and the status is 1."""
    host_says(monkeypatch, program(600.0))
    lock_at(monkeypatch, home)
    assert cli.run(["bench", "local", "--json", "--quick"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["ev"] for line in lines[:2]] == ["start", "identity"]
    record = lines[-1]
    assert (record["ev"], record["verdict"], record["state"], record["tflops"]) == ("record", "fail", "ok", 600)
    assert record["share_expected"] == 0.7604  # 600 / 789.1
    assert record["share_dense"] == 0.6064  # 600 / 989.5


@pytest.mark.parametrize(
    ("text", "status", "state", "verdict"),
    [
        (READY + "sys.exit(1)", 4, "failed", "inconclusive"),
        (READY + "say(ev='end', rc=2, why='refused')\nsys.exit(2)", 2, "failed", "inconclusive"),
        (READY + "say(ev='busy', gpus={'0': 'process'})\nsay(ev='end', rc=5, why='busy')", 4, "busy", "inconclusive"),
        ("raise SystemExit(3)", 4, "failed", "inconclusive"),
    ],
)
def test_what_could_not_be_measured_has_a_status(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, status: int, state: str,
    verdict: str,
) -> None:  # fmt: skip
    """The host is to blame for 4, the arguments for 2; the record stands there all the same."""
    host_says(monkeypatch, text)
    lock_at(monkeypatch, home)
    assert cli.run(["bench", "--json"]) == status
    record = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (record["state"], record["verdict"]) == (state, verdict)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["bench", "ml01"], "there is no host named ml01"),
        (["bench", "local", "--dtype", "int3"], "“int3” is no dtype"),
        (["bench", "local", "--gpus", "0,0"], "--gpus 0,0 names no GPUs"),
        (["bench", "local", "--gpus", "-1"], "--gpus -1 names no GPUs"),
        (["bench", "verdict", "/nowhere"], "/nowhere cannot be read as a reading"),
        (["bench", "history", "--gpu", "H1000"], "“H1000” is no accelerator"),
        (["bench", "--lang", "fr"], "“fr” is not a language"),
        (["hosts", "show", "ml01"], "there is no host named ml01"),
        (["hosts", "remove", "ml01"], "there is no host named ml01"),
    ],
)
def test_unusable_arguments_get_one_sentence(
    home: Path, capsys: pytest.CaptureFixture[str], argv: list[str], said: str
) -> None:
    """Status 2, one line, no traceback."""
    assert cli.run(argv) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_the_script_is_the_program_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """To paste or pipe."""
    assert cli.run(["bench", "script"]) == 0
    assert capsys.readouterr().out == (ROOT / "bot" / "bench" / "payload.py").read_text("utf-8")


def test_a_reading_of_somebody_else_is_marked(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Judged by the same gates, said to be self-reported, and never kept."""
    file = tmp_path / "reading.jsonl"
    file.write_text("motd\n" + "\n".join(json.dumps(one) for one in run_on(H200, 789.0)) + "\n", "utf-8")
    assert cli.run(["bench", "verdict", str(file), "--claim", "1979"]) == 0
    said = capsys.readouterr().out
    assert "Self-reported" in said
    assert "The vendor's 1,979 is the sparse (2:4), fp8 or int8 figure" in said
    assert cli.run(["bench", "verdict", str(file), "--ordered-as", "H100", "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert (record["verdict"], record["self_reported"]) == ("not_as_sold", True)
    assert cli.run(["bench", "history"]) == 3


def test_a_cut_off_file_is_inconclusive(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without its end line nothing is judged, and no script takes its status for a good one."""
    file = tmp_path / "reading.jsonl"
    file.write_text("\n".join(json.dumps(one) for one in run_on(H200, 80.0)[:-1]), "utf-8")
    assert cli.run(["bench", "verdict", str(file)]) == 1
    assert capsys.readouterr().out.startswith("INCONCLUSIVE: 80 TFLOPS bf16 on NVIDIA H200")


def test_this_machine_without_torch_is_told_only_what_to_do(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing ran, so nothing is said of an end or a method that did not come; status 4."""
    monkeypatch.setattr(cli_bench, "_connector", lambda: Connector(QUICK, program=b"", module="no_such_module"))
    lock_at(monkeypatch, home)
    assert cli.run(["bench", "local", "--quick"]) == 4
    said = capsys.readouterr().out
    assert said.startswith("No reading (local): no Python with torch was found on this machine; run ")
    assert " -m pip install -e '.[torch]' in the checkout" in said
    assert "--python" not in said  # an option of `hosts add` alone
    assert "end line" not in said
    assert "version" not in said
    assert cli.run(["bench", "local", "--quick", "--json"]) == 4
    record = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (record["state"], record["verdict"], record["findings"]) == ("no_torch", "inconclusive", [])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_without_torch_and_database_one_sentence_is_said(
    lang: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing was measured, so nobody is told that the reading was not stored."""
    monkeypatch.setattr(cli_bench, "_connector", lambda: Connector(QUICK, program=b"", module="no_such_module"))
    monkeypatch.setitem(sys.modules, "bot.store", None)
    lock_at(monkeypatch, home)
    assert cli.run(["bench", "local", "--quick", "--lang", lang]) == 4
    said = capsys.readouterr()
    assert said.err == ""
    assert len(said.out.strip().splitlines()) == 1


def test_a_host_without_torch_names_the_command_that_has_the_option() -> None:
    """`bench` has no --python; `hosts add` has."""
    said = headline({"verdict": "inconclusive", "state": "no_torch", "host": "ml01"}, "en")
    assert said.endswith("(gpu-bot hosts add … --python …)")


def test_a_file_of_a_run_without_torch_has_no_good_status(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing was measured: status 1, and what to do on the first line."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "bot" / "bench" / "payload.py"), "--quick"], stdout=subprocess.PIPE,
        timeout=30, check=False,
    )  # fmt: skip
    file = tmp_path / "reading.jsonl"
    file.write_bytes(done.stdout)
    assert cli.run(["bench", "verdict", str(file)]) == 1
    said = capsys.readouterr().out
    assert said.startswith("No reading: the Python that ran the script has no torch; run the script with one that has")
    assert "--python" not in said
    assert "end line" not in said
    assert cli.run(["bench", "verdict", str(file), "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert (record["state"], record["verdict"]) == ("no_torch", "unsupported")


# ---------------------------------------------------------------- the registry


@pytest.fixture
def private_key(tmp_path: Path) -> Path:
    path = tmp_path / "id"
    path.write_text("-----BEGIN OPENSSH PRIVATE KEY-----\n", "utf-8")
    return path


def add(private_key: Path, *more: str, name: str = "ml01", address: str = "ssh://bench@203.0.113.7:2222") -> int:
    return cli.run(["hosts", "add", name, address, "--key", str(private_key), *more])


def test_a_host_is_added_listed_shown_and_removed(
    home: Path, private_key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what was ordered and claimed; the path of the key, never the key."""
    more = ("--host-key", KEY, "--ordered-as", "h200", "--claim", "1979", "--python", "/opt/conda/bin/python")
    assert add(private_key, *more) == 0
    capsys.readouterr()
    assert cli.run(["hosts", "list", "--json"]) == 0
    [host] = json.loads(capsys.readouterr().out)
    assert (host["name"], host["address"], host["state"]) == ("ml01", "ssh://bench@203.0.113.7:2222", "ready")
    assert (host["ordered_as"], host["claim_tflops"], host["key_file"]) == ("H200", 1979, str(private_key))
    assert cli.run(["hosts", "show", "ml01"]) == 0
    shown = capsys.readouterr().out
    assert KEY in shown
    assert "PRIVATE KEY" not in shown
    assert add(private_key, *more) == 2
    assert "a host named ml01 is registered already" in capsys.readouterr().err
    assert cli.run(["hosts", "remove", "ml01"]) == 0
    assert cli.run(["hosts", "list", "--json"]) == 0
    assert capsys.readouterr().out.endswith("[]\n")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "Bad Name"}, "“Bad Name” is no name for a host"),
        ({"name": "local"}, "“local” is no name for a host"),
        ({"name": "history"}, "“history” is no name for a host"),
        ({"address": "bench@box"}, "“bench@box” is no address"),
        ({"address": "ssh://-oProxyCommand=x@box"}, "is no address"),
        ({"address": "ssh://bench@-box"}, "is no address"),
        ({"address": "ssh://bench@box:0"}, "is no address"),
        ({"address": "ssh://bench@box:65536"}, "is no address"),
        ({"more": ("--python", "python3; rm -rf /")}, "is no path of a Python"),
        ({"more": ("--host-key", "ssh-ed25519 x")}, "is no host key"),
        ({"more": ("--ordered-as", "H2000")}, "“H2000” is no accelerator; write an id or a model (did you mean H200?)"),
        ({"more": ("--offer", "no-such-offer")}, "“no-such-offer” is no offer"),
        ({"more": ("--claim", "-5")}, "“-5” is no rate"),
    ],
)
def test_what_cannot_be_registered_is_said(
    home: Path, private_key: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], said: str
) -> None:
    """One sentence with what would be right, and nothing is kept."""
    more = changes.pop("more", ())
    assert add(private_key, *([] if "--host-key" in more else ["--host-key", KEY]), *more, **changes) == 2
    assert said in capsys.readouterr().err
    assert cli.run(["hosts", "list", "--json"]) == 0
    assert capsys.readouterr().out == "[]\n"


def test_a_key_file_must_hold_a_private_key(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither a missing file nor a public key."""
    public = tmp_path / "id.pub"
    public.write_text(KEY, "utf-8")
    for path in (public, tmp_path / "missing"):
        assert add(path, "--host-key", KEY) == 2
        assert "cannot be read; name a private key" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ssh://root@box", registry.Address("root", "box", 22)),
        ("ssh://ubuntu@203.0.113.7:2222/", registry.Address("ubuntu", "203.0.113.7", 2222)),
        ("ssh://a@[2001:db8::1]:22", registry.Address("a", "2001:db8::1", 22)),
    ],
)
def test_an_address_is_read_whole(text: str, address: registry.Address) -> None:
    """User, host and port; written back as it was meant."""
    assert registry.parse_address(text) == address
    assert registry.parse_address(str(address)) == address


# ---------------------------------------------------------------- over SSH


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    from bench.sshd import Server

    folder = tmp_path / "server"
    folder.mkdir()
    one = Server(folder)
    one.start()
    yield one
    one.stop()


def address(server: Server) -> str:
    return f"ssh://{server.user}@127.0.0.1:{server.ports[0]}"


def own_lock(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Hosts of this test have a lock of their own."""
    import dataclasses

    whole = registry.look_at
    monkeypatch.setattr(registry, "look_at", lambda host: dataclasses.replace(whole(host), lock=str(path / "lock")))


@pytest.mark.needs_sshd
def test_a_host_from_its_key_to_its_verdict(
    home: Path, server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The key is shown and must be confirmed by a person; then the host is tested, measured, and has a history."""
    host_says(monkeypatch, program(789.1))
    own_lock(monkeypatch, home)
    assert add(server.key, address=address(server)) == 2
    err = capsys.readouterr().err
    assert server.host_key in err
    assert "SHA256:" in err
    assert "must be confirmed by a person" in err

    assert (
        add(server.key, "--host-key", server.host_key, "--ordered-as", "nvidia-h200-sxm", address=address(server)) == 0
    )
    assert cli.run(["hosts", "test", "ml01"]) == 0
    assert "ml01: ready, torch with" in capsys.readouterr().out
    assert cli.run(["bench", "ml01", "--json"]) == 0
    record = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (record["host"], record["verdict"], record["ordered_as"]) == ("ml01", "healthy", "nvidia-h200-sxm")
    assert cli.run(["hosts", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["last"] == "healthy"


@pytest.mark.needs_sshd
def test_a_changed_key_blocks_a_host_until_somebody_looks(
    home: Path, server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 4 and a word about rebuilt hosts; the next run is refused before anything is sent."""
    host_says(monkeypatch, program(789.1))
    own_lock(monkeypatch, home)
    assert add(server.key, "--host-key", KEY, address=address(server)) == 0
    assert cli.run(["bench", "ml01"]) == 4
    assert "the host showed another key than the registered one" in capsys.readouterr().out
    assert cli.run(["bench", "ml01"]) == 2
    assert "ml01 is not used until someone looks" in capsys.readouterr().err
    assert cli.run(["hosts", "test", "ml01"]) == 4


def test_a_host_that_may_still_be_busy_is_dirty(home: Path, private_key: Path) -> None:
    """It is not used again until a look says that nothing is left."""
    from bot.store import open_database

    now = datetime(2026, 11, 30, tzinfo=UTC)
    database = open_database(f"sqlite:///{home / 'x.db'}")
    kept = registry.Registry(database)
    where = registry.parse_address("ssh://bench@box")
    kept.add(registry.new_host("ml01", where, key_file=str(private_key), host_key=KEY, now=now, claim=Decimal(1979)))
    outcome = Outcome("0123456789abcdef", "lost", clean=False)
    _, made = registry.judged(outcome, TABLE, seed=1, now=now, host=kept.get("ml01"))
    kept.settle(kept.get("ml01"), outcome, made, now)
    host = kept.get("ml01")
    assert (host.state, registry.unfinished_run(host)) == ("dirty", "0123456789abcdef")
    with pytest.raises(registry.HostError):
        registry.target_of(host)
    assert kept.readings() == []  # nothing was measured
    database.close()


@pytest.mark.parametrize("state", ["lost", "timeout", "cancelled", "failed"])
def test_a_run_that_is_not_ok_is_never_healthy(state: str) -> None:
    """Every line of the payload came, and the agent's own end did not: nothing is said of the card."""
    outcome = Outcome("0123456789abcdef", state, tuple(run_on(H200, 789.0)))
    found, made = registry.judged(outcome, TABLE, seed=7, now=datetime(2026, 11, 30, tzinfo=UTC))
    assert (found.outcome, made["state"]) == ("inconclusive", state)


@pytest.mark.needs_torch
def test_the_whole_way_on_a_cpu(home: Path) -> None:
    """The real program in the real command: no GPU, a rate, status 0, and one JSON object a line."""
    command = [sys.executable, "-m", "bot", "bench", "local", "--quick", "--json"]
    with whole_host():
        done = subprocess.run(command, stdout=subprocess.PIPE, cwd=ROOT, check=False, timeout=90)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, lines[-1]["ev"], lines[-1]["verdict"]) in ((0, "record", "cpu"), (0, "record", "healthy"))
    assert lines[-1]["seconds"] < 60


@pytest.mark.parametrize("absent", ["numpy", "torch"])
def test_without_its_libraries_the_comparison_says_what_to_install(
    absent: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence and status 3, before anything is measured."""
    monkeypatch.setattr(bench_cpu, "find_spec", lambda name: None if name == absent else object())
    assert bench_cpu.main(["--check"]) == 3
    said = capsys.readouterr().out
    assert said.startswith(f"nothing was measured: {absent} is missing; run ")
    assert said.endswith(" -m pip install -e '.[torch]' in the checkout\n")


@pytest.mark.needs_torch
def test_numpy_reads_the_same_rate() -> None:
    """The same product by numpy, in turns: within a factor of two on whatever machine this is."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.bench_cpu", "--rounds", "3", "--guard"], stdout=subprocess.PIPE, cwd=ROOT,
        check=False, timeout=90,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.decode()
