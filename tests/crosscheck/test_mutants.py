"""Every mutant is caught, by the check that it names; no two are alike."""

from collections import Counter

import pytest

from snapref_crosscheck import Effort, PythonTarget
from snapref_crosscheck.run import CHECKS, Session
from tests.mutants.honest import Honest
from tests.mutants.mechanisms import Mutant, all_mutants
from tests.mutants.subtle import HonestQuick, subtle_mutants

MUTANTS = [*all_mutants(), *subtle_mutants()]


@pytest.mark.parametrize("kind", MUTANTS, ids=lambda kind: f"{kind.__name__}-{kind.caught_by}")
def test_it_is_caught(kind: type[Mutant]) -> None:
    """Fixed cases decide about the stages, so that few searched ones will do. Nothing is drawn after the finding."""
    effort = Effort(search=30, releases=kind.releases, until=kind.caught_by)
    session = Session(PythonTarget(kind(seed=1)), effort)
    result = session.check(kind.caught_by)
    assert result.status == "fail", f"{kind.__name__} ({kind.__doc__}) passes {kind.caught_by}"
    assert result.witness
    assert result.findings


def test_there_are_enough_of_them_and_no_two_alike() -> None:
    assert len(MUTANTS) >= 30
    assert len({kind.__doc__ for kind in MUTANTS}) == len({kind.__name__ for kind in MUTANTS}) == len(MUTANTS)
    overrides = Counter(tuple(sorted(name for name in vars(kind) if not name.startswith("__"))) for kind in MUTANTS)
    assert len(overrides) >= 10  # they differ in where they are wrong, not only in how
    assert {kind.caught_by for kind in MUTANTS} == set(CHECKS) - {"describe"}


def test_what_they_are_made_from_is_honest() -> None:
    session = Session(PythonTarget(Honest(seed=1)), Effort(search=30, releases=500))
    assert [result.name for result in session.results() if result.status != "pass"] == []


def test_what_the_subtle_ones_are_made_from_passes_at_the_default_settings() -> None:
    session = Session(PythonTarget(HonestQuick(seed=1)), Effort())
    assert [result.name for result in session.results() if result.status not in ("pass", "unsupported")] == []
