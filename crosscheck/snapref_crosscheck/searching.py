"""Searched questions: Hypothesis makes them up, and looks for a simple one that shows a mistake.

It is imported only where something is searched for. To import it takes a third of a check without a search.
"""

import contextlib
import random
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisException

from snapref_crosscheck.checks import Context
from snapref_crosscheck.protocol import OPERATIONS, Args
from snapref_crosscheck.strategies import requests

Attempt = Callable[[Args], None]


def generate(op: str, context: Context, attempt: Attempt) -> None:
    """Makes up arguments of an operation."""
    _search(op, context, attempt, (Phase.generate,))


def shrink(op: str, context: Context, attempt: Attempt) -> None:
    """Looks for the simplest arguments with which the attempt raises. What it raises then is raised here, too, unless
    Hypothesis finds that the attempt does not always do so."""
    with contextlib.suppress(HypothesisException):
        _search(op, context, attempt, (Phase.generate, Phase.shrink))


def _search(op: str, context: Context, attempt: Attempt, phases: tuple[Phase, ...]) -> None:
    """Runs Hypothesis over the arguments of an operation, the same ones every time for a seed."""
    told = context.told
    asked = requests(op, told.bound, told.min_bound)
    if op == "uniform" and told.uniform == "unbounded":
        asked = asked.filter(lambda args: args["exponent"] <= 1022)
    limits = settings(
        max_examples=context.effort.search,
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )

    def in_order(args: Args) -> None:
        attempt({name: args[name] for name in OPERATIONS[op]})

    run: Any = seed(random.Random(f"{context.effort.seed} {op}").getrandbits(64))(limits(given(asked)(in_order)))
    run()
