"""What the tests have in common: which of them need more than Python, and what a skip means."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest


def _has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


def _has_gpu() -> bool:
    if not _has_torch():
        return False
    import torch

    return bool(torch.cuda.is_available())


def _has_postgres() -> bool:
    debian = Path("/usr/lib/postgresql").glob("*/bin/initdb")  # Debian keeps it off the PATH
    return shutil.which("initdb") is not None or any(debian)


def _has_sshd() -> bool:
    found = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    return found is not None and importlib.util.find_spec("asyncssh") is not None


def _has_browser() -> bool:
    return any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))


def _has_ledger() -> bool:
    return Path(os.environ.get("GPU_BOT_LEDGER", "-")).is_file()


def _has_slack_peer() -> bool:
    from slack import peer

    return peer.program() is not None


# marker: (is it there?, the reason a reader sees otherwise)
NEEDS: dict[str, tuple[Callable[[], bool], str]] = {
    "gpu": (_has_gpu, "needs a GPU that torch can use"),
    "needs_torch": (_has_torch, "needs torch: pip install -e '.[torch]'"),
    "needs_sshd": (_has_sshd, "needs the OpenSSH server and asyncssh: pip install -e '.[bench]'"),
    "needs_postgres": (_has_postgres, "needs the PostgreSQL server programs"),
    "needs_browser": (_has_browser, "needs Chromium"),
    "needs_slack_peer": (_has_slack_peer, "needs the Slack peer: tests/slack/install.sh"),
    "needs_ledger": (_has_ledger, "needs an outside ledger of facts: GPU_BOT_LEDGER=FILE"),
}
SLOW = "takes many seconds, or installs packages: GPU_BOT_TEST_ALL=1 runs it"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all-must-run",
        action="store_true",
        default=os.environ.get("GPU_BOT_TEST_ALL", "") not in ("", "0"),
        help="run the slow tests too; a skip is a failure unless it is for a GPU or the ledger (or GPU_BOT_TEST_ALL=1)",
    )


@pytest.fixture(scope="session", autouse=True)
def _no_settings_from_outside(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The settings of whoever runs the tests are no part of them, and their data stay untouched."""
    for name in list(os.environ):
        if name.startswith(("GPU_BOT_", "SLACK_")):
            del os.environ[name]
    os.environ["GPU_BOT_HOME"] = str(tmp_path_factory.mktemp("home"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    missing = {name: reason for name, (is_there, reason) in NEEDS.items() if not is_there()}
    for item in items:
        for name, reason in missing.items():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))
        if item.get_closest_marker("slow") and not config.getoption("all_must_run"):
            item.add_marker(pytest.mark.skip(reason=SLOW))


def _fail_if_skipped(report: Any) -> None:
    if report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"every test must run, and this one did not. {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    excused = any(item.get_closest_marker(name) for name in ("gpu", "needs_ledger"))
    if item.config.getoption("all_must_run") and not excused:
        _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if collector.config.getoption("all_must_run"):
        _fail_if_skipped(report)
    return report
