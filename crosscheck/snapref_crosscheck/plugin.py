"""The pytest plugin: `pytest --snapref=module:target` adds one test item for each check of the cross-check.

    pytest --snapref=mypackage.dp:Snapping
    pytest --snapref-command='node target.js'

A check of an operation that the target does not offer, or that could not be judged, is skipped. Without the option
nothing is imported or collected.
"""

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from snapref_crosscheck.run import Session

GROUP = "snapref"
TROUBLE = pytest.StashKey[str]()  # why a worker of xdist could not open the target


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup(GROUP, "cross-check of a snapping mechanism")
    group.addoption("--snapref", metavar="TARGET", help="module:attribute, or a file that describes a C library")
    group.addoption("--snapref-command", metavar="CMD", help="a program that speaks the cross-check protocol")
    group.addoption("--snapref-releases", type=int, default=12_500, metavar="N", help="releases at each setting")
    group.addoption("--snapref-cases", type=int, default=300, metavar="N", help="searched cases for each operation")


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    if not (config.getoption("--snapref") or config.getoption("--snapref-command")):
        return
    from snapref_crosscheck.run import CHECKS

    target = Target.from_parent(session, name=GROUP, nodeid=GROUP)
    try:
        target.open()
    except pytest.UsageError as error:
        if not hasattr(config, "workeroutput"):
            raise
        config.workeroutput[GROUP] = str(error)  # a worker of xdist cannot end the run: it tells what does
        items.clear()
        return
    items.extend(CheckItem.from_parent(target, name=name) for name in CHECKS)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A worker of xdist has ended."""
    if told := getattr(node, "workeroutput", {}).get(GROUP):
        node.config.stash[TROUBLE] = told


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if TROUBLE in session.config.stash:
        raise pytest.UsageError(session.config.stash[TROUBLE])


class Target(pytest.Collector):
    """The target under check: opened when tests are collected, closed when pytest ends."""

    checks: "Session"

    def collect(self) -> list[pytest.Item]:
        return []

    def open(self) -> None:
        """Opens the target and greets it. One usage error, and no test, where that cannot be done."""
        from snapref_crosscheck.opening import open_target
        from snapref_crosscheck.protocol import AdapterError
        from snapref_crosscheck.run import Effort, Session

        option = self.config.getoption
        try:
            target = open_target(option("--snapref"), option("--snapref-command"))
        except ValueError as error:
            raise pytest.UsageError(f"--snapref: cannot open the target: {error}") from None
        self.config.add_cleanup(target.close)
        effort = Effort(search=option("--snapref-cases"), releases=option("--snapref-releases"))
        self.checks = Session(target, effort)
        try:
            self.checks.check("describe")
        except AdapterError as error:
            raise pytest.UsageError(f"--snapref: cannot check the target: {error}") from None


class CheckFailed(Exception):
    """A check of the target failed; the message is the counterexample."""


class CheckItem(pytest.Item):
    """One check."""

    def runtest(self) -> None:
        from snapref_crosscheck.protocol import AdapterError

        assert isinstance(self.parent, Target)
        try:
            result = self.parent.checks.check(self.name)
        except AdapterError as error:
            raise CheckFailed(f"cannot check the target: {error}") from None
        if result.status in ("unsupported", "not judged"):
            pytest.skip(f"{result.status}: {result.witness}")
        if result.status == "fail":
            raise CheckFailed(result.witness)
        if result.witness:
            self.add_report_section("call", GROUP, result.witness)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CheckFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        return GROUP, None, f"snapref: {self.name}"
