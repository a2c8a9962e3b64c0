"""How statements become obligations: `@proves` registers a function that returns statements.

`snapref verify` then decides the statements, and `snapref export` writes them as scripts.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from snapref_ledger.obligations import Expected, Outcome, Part, Run, obligation
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.statement import Family, Stated, Statement

Built = Stated | Iterable[Stated]
Beside = Callable[[Run], Iterable[str]]  # a computation that belongs to the statements: it yields what is wrong
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
    broken: Sequence[Beside] = (),
    count: int | None = None,
) -> Callable[[Builder], Builder]:
    """Registers a function that returns one or more statements. The obligation is to prove all of them.

    Where something has to be computed besides, `beside` does that first. The obligation is refuted if it yields
    anything: each line that it yields says what is wrong. `broken` is the same computation on something that is wrong:
    it must notice. `count` is how many different statements there must be.
    """

    def register(build: Builder) -> Builder:
        def check(run: Run) -> Outcome:
            computed = besides(beside(run), [one(run) for one in broken])
            return computed or decide_all(listed(build()), run, count)

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


def besides(wrong: Iterable[str], broken: Iterable[Iterable[str]]) -> Outcome | None:
    """What a computation beside the statements comes to, if it does not pass: it finds something wrong; or it does not
    see what is wrong in something broken."""
    if fault := next(iter(wrong), None):
        return Outcome("refuted", fault)
    if any(next(iter(one), None) is None for one in broken):
        return Outcome("error", "the computation beside the statements sees nothing wrong in something that is broken")
    return None


def listed(built: Built) -> list[Stated]:
    return [built] if isinstance(built, Statement | Family) else list(built)
