"""What a worker does, wherever it runs: it gets pieces and gives answers, both as JSON text.

They are text so that the client has to trust nothing else. An answer also says which code and which versions made it,
because results of other code or other libraries must not be mixed with these.
"""

import hashlib
import json
import platform
import threading
import time
from functools import cache
from typing import Any

from snapref_harness.sweep.pieces import KINDS, Piece, Result, kind, result
from snapref_ledger.cache import version
from snapref_ledger.sources import Sources
from snapref_ledger.worker import one_line

# The distributions whose version can change what a piece finds.
ENGINES = ("gmpy2", "mpmath", "python-flint", "hypothesis")
# mpmath and Arb keep their precision in global variables: one piece at a time, also where a worker has many threads.
_ONE_AT_A_TIME = threading.Lock()


class WorkError(Exception):
    """The workers cannot do the work. This concerns all of them, and not a single piece."""


def do(order: str) -> str:
    """The answers to a list of pieces. Each is {"result", "seconds", "made_by"}."""
    return json.dumps([_answer(piece) for piece in json.loads(order)])


def _answer(piece: Piece) -> dict[str, Any]:
    with _ONE_AT_A_TIME:
        started = time.perf_counter()
        found = attempt(piece)
        seconds = time.perf_counter() - started
    return {"result": found, "seconds": seconds, "made_by": made_by(piece["kind"])}


def attempt(piece: Piece) -> Result:
    """The result of a piece. If it raises, the result is an `error`, and other pieces are not affected."""
    try:
        return kind(piece["kind"]).run(piece)
    except Exception as error:  # process boundary
        return result(piece, "error", why=one_line(error))


def failure(piece: Piece, why: str) -> dict[str, Any]:
    """The answer to a piece for which the worker could not give one."""
    return {"result": result(piece, "error", why=why), "seconds": 0.0, "made_by": made_by(piece["kind"])}


@cache
def made_by(name: str) -> dict[str, str]:
    """The code behind a kind of sweep, as a hash, and the versions of what it runs on."""
    sources = Sources().digests([KINDS[name], __name__])
    versions = {"code": hashlib.sha256(json.dumps(sources).encode()).hexdigest()}
    versions["python"] = ".".join(platform.python_version_tuple()[:2])
    return versions | {engine: version(engine) or "none" for engine in ENGINES}
