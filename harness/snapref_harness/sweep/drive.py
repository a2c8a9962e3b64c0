"""Runs a sweep: gives the workers what is still to be done, and stores what they answer."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

from snapref_harness.sweep import cluster, local
from snapref_harness.sweep.spec import Sweep
from snapref_harness.sweep.store import Store, difference
from snapref_harness.sweep.work import WorkError


@dataclass
class Progress:
    """How far a run is."""

    total: int
    before: int  # pieces that an earlier run had done
    done: int = 0
    work: float = 0.0  # seconds that the workers were busy


def drive(sweep: Sweep, store: Store, jobs: int, scheduler: str | None) -> Generator[Progress]:
    """Computes the missing pieces. Yields the progress at the start, after every piece and at the end. When all results
    are there, it puts the file in order."""
    progress = Progress(len(sweep.ids), len(store.places))
    missing = (piece for piece in sweep.pieces() if piece["id"] not in store.places)
    answers = local.run(missing, jobs) if scheduler is None else cluster.run(missing, scheduler)
    yield progress
    with closing(answers):
        for answer in answers if not store.complete else ():
            if answer["made_by"] != store.made_by:
                raise WorkError(f"a worker runs {difference(answer['made_by'], store.made_by)}; make them alike")
            store.add(answer["result"])
            progress.done += 1
            progress.work += answer["seconds"]
            yield progress
    if store.complete:
        store.put_in_order()
    yield progress
