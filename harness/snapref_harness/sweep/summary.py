"""What a sweep found, in a few numbers. Everything but the times follows from the file of results alone."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from snapref_harness.sweep.pieces import STATUSES, Result, kind


class Summary:
    """How many results have each status, sums of what was covered, the largest constant, and the first bad results."""

    SHOWN = 5

    def __init__(self, name: str, results: Iterable[Result]) -> None:
        self.kind = name
        self.counts: Counter[str] = Counter()
        self.totals = dict.fromkeys(kind(name).COUNTS, 0)
        self.worst: Result | None = None
        self.bad: list[Result] = []
        for result in results:
            self._add(result)

    def _add(self, result: Result) -> None:
        self.counts[result["status"]] += 1
        for key in self.totals:
            self.totals[key] += result.get(key, 0)
        if "constant" in result and (self.worst is None or constant(result) > constant(self.worst)):
            self.worst = result
        if result["status"] in ("breaks", "undecided", "error") and len(self.bad) < self.SHOWN:
            self.bad.append(result)

    @property
    def judged(self) -> bool:
        """Whether anything was judged at all."""
        return self.counts["holds"] + self.counts["nothing_found"] + self.counts["breaks"] > 0

    def as_json(self) -> dict[str, Any]:
        worst = None if self.worst is None else {"id": self.worst["id"], "constant": self.worst["constant"]}
        counts = {status: self.counts[status] for status in STATUSES}
        return {"kind": self.kind, "counts": counts, "totals": self.totals, "worst": worst}


def constant(result: Result) -> float:
    """C of a result: loss = ε + C·B·ε·η + 2η."""
    return float.fromhex(result["constant"])
