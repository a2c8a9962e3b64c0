"""Runs obligations, but takes from the cache what it already knows."""

from collections.abc import Callable, Generator, Iterable

from snapref_ledger.cache import Cache
from snapref_ledger.obligations import Obligation, Run
from snapref_ledger.runner import Result, run_all


def verify(
    obligations: Iterable[Obligation],
    run: Run,
    jobs: int,
    cache: Cache | None,
    warn: Callable[[str], None] = lambda text: None,
) -> Generator[Result]:
    """First the results that the cache has, then the others as they come. If the cache cannot be written, `warn` is
    called once, and the run goes on."""
    todo: list[Obligation] = []
    keys: dict[str, str] = {}
    for obligation in obligations:
        known = cache.load(obligation, run) if cache else None
        if known:
            yield known
            continue
        todo.append(obligation)
        if cache:
            keys[obligation.id] = cache.key(obligation, run)
    for result in run_all(todo, run, jobs):
        if cache and keys:
            try:
                cache.store(keys[result.obligation.id], result)
            except OSError as error:
                warn(f"results are not kept: the cache {cache.directory} cannot be written ({error.strerror})")
                keys.clear()
        yield result
