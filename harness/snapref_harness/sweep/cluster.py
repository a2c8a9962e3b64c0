"""Runs pieces on the workers of a Dask cluster (dask.distributed). If a worker dies, another one gets its pieces.

Orders and answers are text, and the client does not unpickle answers. But Dask itself trusts the machines that it talks
to: it unpickles their exceptions, and without TLS it does not check who they are. Use a cluster only on a network that
you trust.
"""

import asyncio
import importlib
import json
import logging
import pkgutil
import time
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from itertools import count, islice
from typing import Any
from uuid import uuid4

from snapref_harness.sweep.pieces import Piece
from snapref_harness.sweep.work import WorkError, do, failure
from snapref_ledger.worker import one_line

PATIENCE = 10.0  # seconds to reach the scheduler
ALONE = 60.0  # seconds that a cluster may be without any worker
PAUSE = 0.02  # seconds between two looks at what has arrived
AHEAD = 3  # bundles of pieces that are submitted for every thread of the cluster, but at least AT_LEAST in all
AT_LEAST = 64
BUNDLE = 10.0  # seconds of work in one bundle, which has at most MOST pieces
MOST = 1000


def run(pieces: Iterator[Piece], address: str) -> Generator[dict[str, Any]]:
    """Yields the answers as they come. However it ends, the scheduler drops what no worker has begun."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise WorkError("--scheduler needs dask.distributed; pip install 'snapref[dask]'") from None

    for name in list(logging.root.manager.loggerDict):  # what matters of it is said here, in one line
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):  # Dask, and the loops that it runs on
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    _check_scheduler(distributed, address)
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

    try:
        with distributed.Client(
            address, timeout=PATIENCE, set_as_default=False, deserializers=["msgpack", "error"]
        ) as client:
            _check_workers(client)
            window = _window(client)
            answers = distributed.as_completed(list(submit(window)), loop=client.loop)
            while given:
                future = _next(answers, client, address)
                status = future.status
                if status in ("pending", "lost"):  # it was done, and its worker died before it handed the answer over
                    answers.add(future)
                    continue
                bundle = given.pop(future.key)
                if status == "finished":
                    for answer in _read(future, bundle):
                        done, seconds = done + 1, seconds + answer["seconds"]
                        yield answer
                elif status == "error":
                    _check_death(future.exception(), distributed.KilledWorker)
                    if len(bundle) == 1:
                        yield failure(bundle[0], "every worker that tried it died; have all of them snapref?")
                    else:
                        alone.extend(bundle)
                else:
                    raise CancelledError
                if len(given) <= window // 2:
                    window = _window(client)
                    for more in submit(window - len(given)):
                        answers.add(more)
    except (OSError, CancelledError):
        raise WorkError(
            f"lost the scheduler {address}; what was done is kept, and the same command goes on from there"
        ) from None


def bundle_size(done: int, seconds: float) -> int:
    """How many pieces make a bundle. Dask needs some milliseconds for each bundle, so single pieces would be slow."""
    return 1 if not done else max(1, min(MOST, int(BUNDLE * done / max(seconds, 1e-9))))


def _check_scheduler(distributed: Any, address: str) -> None:
    """An error unless a scheduler answers there in time. (Dask's own client would wait for ever if nothing answers.)"""

    async def identity() -> Any:
        security = distributed.Security().get_connection_args("client")
        async with distributed.rpc(address, connection_args=security, deserializers=["msgpack"]) as there:
            return await asyncio.wait_for(there.identity(), PATIENCE)

    try:
        found = asyncio.run(identity())
    except TimeoutError:
        raise WorkError(f"cannot reach the scheduler {address}: no answer within {PATIENCE:g} s") from None
    except Exception as error:  # process boundary: whatever Dask makes of an address, or of what is there
        raise WorkError(f"cannot reach the scheduler {address}: {one_line(error)}") from None
    if not isinstance(found, dict) or found.get("type") != "Scheduler":
        raise WorkError(f"cannot reach the scheduler {address}: what answers there is none")


def _check_workers(client: Any) -> None:
    """An error if a worker does not have snapref. Such a worker would die at its first piece without saying why."""
    name = f"{do.__module__}:{do.__qualname__}.__name__"
    for worker, found in client.run(pkgutil.resolve_name, name, on_error="return").items():
        if isinstance(found, ImportError | AttributeError):
            raise WorkError(f"the worker {worker} cannot do the work: {one_line(found)}; it needs the same snapref")


def _next(answers: Any, client: Any, address: str) -> Any:
    """Waits for the next future that is done. An error if the cluster has no workers for too long."""
    seen = looked = time.monotonic()
    while not answers.has_ready():
        time.sleep(PAUSE)
        now = time.monotonic()
        if now - looked < ALONE / 10:
            continue
        looked = now
        if client.nthreads():
            seen = now
        elif now - seen > ALONE:
            raise WorkError(f"the scheduler {address} has no workers; start some: the same command goes on from there")
    return next(answers)


def _check_death(error: object, killed: type) -> None:
    """An error unless the task failed because its workers died one after the other. Any other failure concerns the
    whole cluster."""
    if not isinstance(error, killed):
        said = one_line(error) if isinstance(error, BaseException) else type(error).__name__
        raise WorkError(f"the cluster cannot do the work ({said[:300]}); scheduler and workers need the same snapref")


def _read(future: Any, bundle: list[Piece]) -> list[dict[str, Any]]:
    """The answers to the pieces of a bundle. An error if they are anything else."""
    try:
        answers: list[dict[str, Any]] = json.loads(future.result())
        told = [(answer["result"]["id"], type(answer["seconds"]), type(answer["made_by"])) for answer in answers]
    except (TypeError, ValueError, KeyError):
        raise WorkError("a worker answered with something else than JSON text of this version") from None
    if told != [(piece["id"], float, dict) for piece in bundle]:
        raise WorkError("a worker answered something else than what it was asked")
    return answers


def _window(client: Any) -> int:
    threads: int = sum(client.nthreads().values())
    return max(AT_LEAST, AHEAD * threads)
