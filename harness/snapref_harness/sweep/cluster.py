"""Workers of a Dask cluster (dask.distributed): the scheduler gives the pieces of a worker that died to another one.

Orders and answers are text, and the client does not unpickle an answer. Dask itself trusts the machines that it talks
to (it unpickles their exceptions, and without TLS it asks nobody who they are): a cluster belongs on one's own network.
"""

import importlib
import json
import logging
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from itertools import count, islice
from typing import Any
from uuid import uuid4

from snapref_harness.sweep.pieces import Piece
from snapref_harness.sweep.work import do, failure

PATIENCE = 10  # seconds to reach the scheduler
AHEAD = 3  # bundles in flight for every thread of the cluster; and AT_LEAST so many
AT_LEAST = 64
BUNDLE = 10.0  # seconds of work that travel together, of at most MOST pieces
MOST = 1000


class ClusterError(Exception):
    """The cluster cannot do the work."""


def run(pieces: Iterator[Piece], address: str) -> Generator[dict[str, Any]]:
    """The answers, as they come."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise ClusterError("--scheduler needs dask.distributed; pip install 'snapref[dask]'") from None

    for name in list(logging.root.manager.loggerDict):  # what matters of it is said here, in one line
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False, deserializers=["msgpack", "error"])
    except (OSError, ValueError, ImportError) as error:
        raise ClusterError(f"cannot reach the scheduler {address}: {type(error).__name__}") from None
    given: dict[str, list[Piece]] = {}
    alone: deque[Piece] = deque()  # pieces of bundles that killed their workers: which of them was it?
    run_id, serial = uuid4().hex, count()  # no answer of another run is taken for one of this
    done, seconds = 0, 0.0

    def submit(most: int) -> Iterator[Any]:
        for _ in range(most):
            bundle = [alone.popleft()] if alone else list(islice(pieces, bundle_size(done, seconds)))
            if not bundle:
                return
            key = f"snapref-{run_id}-{next(serial)}"
            given[key] = bundle
            yield client.submit(do, json.dumps(bundle), key=key)

    with client:
        try:
            window = _window(client)
            answers = distributed.as_completed(list(submit(window)), loop=client.loop)
            for future in answers:
                status = future.status
                if status in ("pending", "lost"):  # it was done, and its worker died before it handed the answer over
                    answers.add(future)
                    continue
                bundle = given.pop(future.key)
                if status == "finished":
                    for answer in _read(future):
                        done, seconds = done + 1, seconds + answer["seconds"]
                        yield answer
                elif status == "error":
                    _check_death(future.exception(), distributed.KilledWorker)
                    if len(bundle) == 1:
                        yield failure(bundle[0], "every worker that tried it died")
                    else:
                        alone.extend(bundle)
                else:
                    raise CancelledError
                if len(given) <= window // 2:
                    window = _window(client)
                    for more in submit(window - len(given)):
                        answers.add(more)
        except (OSError, CancelledError):
            raise ClusterError(f"lost the scheduler {address}; what was done is kept") from None


def bundle_size(done: int, seconds: float) -> int:
    """How many pieces travel together: Dask spends some milliseconds on whatever it hands out."""
    return 1 if not done else max(1, min(MOST, int(BUNDLE * done / max(seconds, 1e-9))))


def _check_death(error: object, killed: type) -> None:
    """The scheduler gives a task up when its workers died one after the other. Anything else concerns them all."""
    if not isinstance(error, killed):
        raise ClusterError(f"a worker cannot do the work: {type(error).__name__}; has it snapref?")


def _read(future: Any) -> list[dict[str, Any]]:
    try:
        return json.loads(future.result())  # type: ignore[no-any-return]
    except (TypeError, ValueError):
        raise ClusterError("a worker answered with something else than JSON text") from None


def _window(client: Any) -> int:
    threads: int = sum(client.nthreads().values())
    return max(AT_LEAST, AHEAD * threads)
