"""Sweeps of the kind `crosscheck`: a long cross-check of a production implementation (as `snapref crosscheck`), with
one piece for each check and seed.

Keys of the specification (an *axis* is one value, a list, or a range):

    command or target      as for `snapref crosscheck`; every worker has to find it from the directory where it runs
    seed                   axis of whole numbers: what Hypothesis searches, and which share of the fixed cases is asked
    check                  axis; by default all but release
    cases                  how many cases a piece searches; by default 300
    releases               how many releases at each setting of a `release` piece; by default 12500
    alpha                  the probability with which a correct target may fail, over the whole sweep; by default 1e-6
    timeout                seconds for one request; by default 10

Each seed asks its share of the fixed cases. The sweep does not notice when the target itself changes: start a new file
of results then. A deterministic target gives the same results every time, except for `release`, which tests the
target's own randomness.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis.configuration import set_hypothesis_home_dir

from snapref_crosscheck import releases
from snapref_crosscheck.budget import NAME as BUDGET
from snapref_crosscheck.checks import Result as Checked
from snapref_crosscheck.opening import open_target
from snapref_crosscheck.parameters import NAME as PARAMETERS
from snapref_crosscheck.process import CommandTarget
from snapref_crosscheck.protocol import COMPONENTS
from snapref_crosscheck.run import Effort, Session
from snapref_harness.sweep.exact_loss import number
from snapref_harness.sweep.pieces import Piece, Result, Status, piece, result
from snapref_harness.sweep.table import SpecError, Table, shown

COUNTS = ("cases",)
RELEASE = "release"
ONCE = ("inner_epsilon", PARAMETERS, BUDGET)  # they have no seed, so more pieces would ask the same again
EXACT = (*COMPONENTS, *ONCE)
STATUS: dict[str, Status] = {
    "pass": "nothing_found",
    "fail": "breaks",
    "unsupported": "unsupported",
    "not judged": "undecided",
}


def pieces(table: Table) -> Iterator[Piece]:
    target, command = table.text("target", _check_target), table.text("command", CommandTarget)
    if (target is None) == (command is None):
        raise SpecError("target or command is missing: name one of them, and not both")
    seeds = table.integers("seed", least=0, most=999_999_999)
    chosen = table.words("check", (*EXACT, RELEASE), EXACT)
    cases = table.integer("cases", 300, least=0, most=10**7)
    count = table.integer("releases", 12_500, least=1, most=10**9)
    alpha = table.positive("alpha", Fraction(1e-6), most=1)
    timeout = table.positive("timeout", Fraction(10), most=86_400)
    table.finish()
    if alpha == 1:
        raise SpecError("alpha = 1 is not allowed: a number between 0 and 1")
    if len({seed % len(seeds) for seed in seeds}) != len(seeds):
        raise SpecError(
            f"seed = {shown(seeds)} is not allowed: consecutive numbers, which share the listed cases out evenly"
        )
    fixed = {
        **({"target": target} if command is None else {"command": command}),
        "cases": cases,
        "releases": count,
        "alpha": float(alpha / len(seeds)).hex(),
        "timeout": float(timeout).hex(),
        "shares": len(seeds),
    }
    for name, seed in product(chosen, seeds):
        if name not in ONCE or seed == seeds[0]:
            yield piece("crosscheck", {"check": name, "seed": seed}, fixed)


def _check_target(name: str) -> None:
    if ":" not in name and Path(name).suffix not in (".toml", ".json"):
        raise ValueError("module:attribute, or a .toml or .json file that describes a library")


def run(piece: Mapping[str, Any]) -> Result:
    """One check of the target, in a process of its own."""
    effort = Effort(
        search=piece["cases"],
        releases=piece["releases"],
        alpha=float(number(piece["alpha"])),
        seed=piece["seed"],
        stride=piece["shares"],
    )
    with TemporaryDirectory() as scratch:
        set_hypothesis_home_dir(scratch)  # nothing is left where the worker runs
        target = open_target(piece.get("target"), piece.get("command"), float(number(piece["timeout"])))
        with closing(target):
            session = Session(target, effort)
            names = tuple(releases.NAMES.values()) if piece["check"] == RELEASE else (piece["check"],)
            return _told(piece, [session.describe()[0], *(session.check(name) for name in names)])


def _told(piece: Mapping[str, Any], found: list[Checked]) -> Result:
    """One result of several: a failure if there is one, else a pass, else `unsupported`. That the target describes
    itself is no pass, but if it cannot, that is a failure."""
    described, checks = found[0], found[1:]
    failed = [r for r in found if r.status == "fail"]
    passed = [r for r in checks if r.status == "pass"]
    told = (failed or passed or checks)[0]
    if told.status == "pass" and not any(r.cases for r in checks):
        return result(piece, "undecided", cases=0, why="there was nothing to ask: fewer seeds, or more cases")
    if told.status == "not judged":
        return result(piece, "undecided", cases=told.cases, why=told.witness or "not judged")
    more = {"witness": told.witness} if failed else {"remark": told.witness} if told.witness else {}
    return result(piece, STATUS[told.status], cases=max(r.cases for r in checks), target=described.witness, **more)
