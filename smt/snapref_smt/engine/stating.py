"""How statements become obligations: `@proves` registers a function that states them, and `snapref export` finds it."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from snapref_ledger.obligations import Expected, Outcome, Part, Run, obligation
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.statement import Family, Stated, Statement

Built = Stated | Iterable[Stated]
Beside = Callable[[Run], Iterable[str]]  # what is computed beside the statements: it yields what is wrong
Builder = TypeVar("Builder", bound=Callable[[], Built])
STATED: dict[str, Callable[[], Built]] = {}  # id of the obligation → what it states


def proves(
    id: str,
    *,
    claim: str,
    scope: str,
    expected: Expected = "proved",
    part: Part = "printed",
    decides: bool = True,
    timeout: float | None = None,
    thorough: bool = False,
    also: tuple[tuple[str, Part], ...] = (),
    beside: Beside = lambda run: (),
) -> Callable[[Builder], Builder]:
    """Registers a function that makes a statement, or several, as an obligation to prove all of them.

    Where numbers have to be computed beside the statements, `beside` does so first, and yields what is wrong with them.
    """

    def register(build: Builder) -> Builder:
        def check(run: Run) -> Outcome:
            if wrong := next(iter(beside(run)), None):
                return Outcome("refuted", wrong)
            return decide_all(listed(build()), run)

        check.__doc__, check.__module__ = build.__doc__, build.__module__
        check.__qualname__ = check.__name__ = build.__name__
        obligation(
            id,
            claim=claim,
            kind="smt",
            scope=scope,
            expected=expected,
            part=part,
            decides=decides,
            timeout=timeout,
            thorough=thorough,
            also=also,
        )(check)
        STATED[id] = build
        return build

    return register


def listed(built: Built) -> list[Stated]:
    return [built] if isinstance(built, Statement | Family) else list(built)
