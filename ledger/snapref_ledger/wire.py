"""Outcomes as JSON. Workers send them in this form, and the cache keeps them in it. Anything malformed is refused."""

import json
from collections.abc import Mapping
from typing import Any, get_args

from snapref_ledger.obligations import Outcome, Status

STATUSES: tuple[str, ...] = get_args(Status)


def encode(outcome: Outcome) -> dict[str, Any]:
    """The outcome as plain JSON data. A ValueError where a check returned something else, or something malformed."""
    if not isinstance(outcome, Outcome):
        raise ValueError(f"the check returned {type(outcome).__name__} instead of an Outcome")
    data = {
        "status": outcome.status,
        "detail": outcome.detail,
        "witness": outcome.witness,
        "engines": outcome.engines,
    }
    try:
        decode(json.loads(json.dumps(data, allow_nan=False)))
    except TypeError as error:
        raise ValueError(f"the outcome cannot be written as JSON: {error}") from None
    return data


def decode(data: object) -> Outcome:
    """The outcome that `encode` wrote; anything else is a ValueError."""
    if not isinstance(data, Mapping) or set(data) != {"status", "detail", "witness", "engines"}:
        raise ValueError("not an outcome")
    status, detail, witness, engines = data["status"], data["detail"], data["witness"], data["engines"]
    if status not in STATUSES:
        raise ValueError(f"the outcome has the unknown status {status!r}")
    if not (isinstance(detail, str) and isinstance(witness, str)):
        raise ValueError("the outcome's detail and witness must be text")
    if not isinstance(engines, dict):
        raise ValueError("the outcome's engines must be a dictionary")
    return Outcome(status, detail, witness, engines)
