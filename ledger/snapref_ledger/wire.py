"""Outcomes as JSON: how they travel from a worker and rest in the cache. What does not decode exactly is refused."""

import json
from collections.abc import Mapping
from typing import Any, get_args

from snapref_ledger.obligations import Outcome, Status

STATUSES: tuple[str, ...] = get_args(Status)


def encode(outcome: Outcome) -> dict[str, Any]:
    """The outcome as plain JSON data; an outcome that the rest of the harness could not trust is a ValueError."""
    if not isinstance(outcome, Outcome):
        raise ValueError(f"the check returned {type(outcome).__name__} instead of an Outcome")
    data = {
        "status": outcome.status,
        "detail": outcome.detail,
        "witness": outcome.witness,
        "solvers": outcome.solvers,
    }
    try:
        decode(json.loads(json.dumps(data, allow_nan=False)))
    except TypeError as error:
        raise ValueError(f"the outcome cannot be written as JSON: {error}") from None
    return data


def decode(data: object) -> Outcome:
    """The outcome that `encode` wrote; anything else is a ValueError."""
    if not isinstance(data, Mapping) or set(data) != {"status", "detail", "witness", "solvers"}:
        raise ValueError("not an outcome")
    status, detail, witness, solvers = data["status"], data["detail"], data["witness"], data["solvers"]
    if status not in STATUSES:
        raise ValueError(f"the outcome has the unknown status {status!r}")
    if not (isinstance(detail, str) and isinstance(witness, str)):
        raise ValueError("the outcome's detail and witness must be text")
    if not isinstance(solvers, dict):
        raise ValueError("the outcome's solvers must be a dictionary")
    return Outcome(status, detail, witness, solvers)
