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
    items.extend(CheckItem.from_parent(target, name=name) for name in CHECKS)


class Target(pytest.Collector):
    """The target under check: opened by the first item that runs, closed when the session ends."""

    _session: "Session | None" = None
    _error = ""  # why it cannot be opened

    def collect(self) -> list[pytest.Item]:
        return []

    def opened(self) -> "Session":
        if self._error:
            raise pytest.UsageError(self._error)
        if self._session is None:
            from snapref_crosscheck.opening import open_target
            from snapref_crosscheck.run import Effort, Session

            option = self.config.getoption
            try:
                target = open_target(option("--snapref"), option("--snapref-command"))
            except ValueError as error:
                self._error = f"--snapref: cannot open the target: {error}"
                raise pytest.UsageError(self._error) from None
            effort = Effort(search=option("--snapref-cases"), releases=option("--snapref-releases"))
            self._session = Session(target, effort)
            self.session.config.add_cleanup(target.close)
        return self._session


class CheckFailed(Exception):
    """A check of the target failed; the message is the counterexample."""


class CheckItem(pytest.Item):
    """One check."""

    def runtest(self) -> None:
        assert isinstance(self.parent, Target)
        session = self.parent.opened()
        from snapref_crosscheck.protocol import AdapterError

        try:
            result = session.check(self.name)
        except AdapterError as error:
            raise pytest.UsageError(f"--snapref: cannot check the target: {error}") from None
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
