"""What the dossier opens with: what was found, in a few sentences and two small tables. Everything is computed from the
ledger and from the results that are kept; nothing is written down twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snapref_harness.report import evidence
from snapref_harness.report.figures import constant, field, production
from snapref_ledger.ledger import Entry
from snapref_ledger.verdicts import Verdict

ORDER: tuple[Verdict, ...] = ("true", "conditional", "false", "open")


@dataclass(frozen=True)
class Found:
    """The findings, for the template."""

    exhibited: str  # the largest constant of the bound that an exact loss has
    proved: tuple[str, ...]  # the constants with a proof, the smallest first; the last is for every Δ
    documents: Sequence[tuple[str, str, Mapping[str, int]]]  # number, title, how many claims have each verdict
    implementations: int  # public ones that were judged
    breaking: int  # of them, those that break the ε that they promise
    conforming: int  # settings of production libraries that conform
    libraries: Sequence[tuple[str, int, int, str]]  # name, checks that passed, that failed, and which failed


def found(entries: Sequence[Entry]) -> Found:
    marks, targets = constant.marks(), production.results()["targets"]
    public = field.results()
    return Found(
        next(mark.label for mark in marks if mark.kind == "exhibited"),
        tuple(str(regime) for regime in constant.PROVED),
        [(id, title, _verdicts(entries, id)) for id, title in evidence.DOCUMENTS.items()],
        len(public),
        sum(field.breaks(implementation) for implementation in public),
        sum(target["conforms"] is True for target in targets),
        [_library(target) for target in targets],
    )


def _verdicts(entries: Sequence[Entry], document: str) -> dict[str, int]:
    """A claim that two documents make counts for both."""
    mine = [entry for entry in entries if document in evidence.documents(entry)]
    return {verdict: sum(entry.verdict == verdict for entry in mine) for verdict in ORDER}


def _library(target: dict[str, Any]) -> tuple[str, int, int, str]:
    failed = [check["name"] for check in target["checks"] if check["status"] == "fail"]
    passed = sum(check["status"] == "pass" for check in target["checks"])
    return target["target"], passed, len(failed), ", ".join(failed)
