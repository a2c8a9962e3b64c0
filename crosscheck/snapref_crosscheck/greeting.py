"""The first questions to a target: whether it speaks the protocol, and what it offers.

One ordinary question for each operation. An answer that is no answer here is a mistake in the adapter, and not in the
implementation behind it: an AdapterError that shows the exchange and what was expected.
"""

from snapref_crosscheck.parameters import suited
from snapref_crosscheck.protocol import (
    AdapterError,
    Args,
    Broken,
    Description,
    OutOfTime,
    Refused,
    TooSlow,
    Unsupported,
    sent,
    to_wire,
)
from snapref_crosscheck.targets import Target

EXAMPLES: dict[str, tuple[Args, str]] = {
    "lattice": ({"scale": 1.5}, '"result": "0x1p+1"'),
    "round": ({"x": 2.75, "lattice": 1.0}, '"result": "0x1.8p+1"'),
    "clamp": ({"x": 12.5, "bound": 10.0}, '"result": "0x1.4p+3"'),
    "log": ({"u": 0.5}, '"result": "-0x1.62e42fefa39efp-1"'),
    "uniform": ({"exponent": 1, "mantissa": 0}, '"result": "0x1p-1"'),
    "snap": ({"value": 1.0, "scale": 1.5, "bound": 10.0, "sign": 1, "u": 0.5}, '"result": "0x0p+0"'),
    "inner_epsilon": ({"epsilon": 1.0, "bound": 10.0, "sensitivity": 1.0}, '"result": "0x1.fffffffffff82p-1"'),
}


def described(target: Target) -> Description:
    """What the target says of itself. An AdapterError if it does not answer as the protocol says."""
    try:
        return target.describe()
    except (Broken, TooSlow) as trouble:
        expected = '{"id": 1, "name": "…"}, or {"id": 1, "unsupported": true}'
        raise AdapterError(
            f'{target.name} does not speak the protocol: asked {{"id": 1, "op": "describe"}}, it {trouble}; '
            f"expected {expected} (notes/protocol.md)"
        ) from None


def greet(target: Target, op: str, told: Description) -> str | Unsupported | None:
    """None if the operation is offered and answers as it should; else why it cannot be judged. An AdapterError if the
    answer has the wrong form."""
    args, result = _example(op, told)
    try:
        target.call(op, args)
    except Unsupported as unsupported:
        return unsupported
    except (Refused, OutOfTime):
        return None
    except TooSlow as slow:
        return str(slow)
    except Broken as broken:
        question = ", ".join(f'"{name}": {_json(x)}' for name, x in sent(args, told).items())
        otherwise = '{"id": N, "unsupported": true}'
        raise AdapterError(
            f'{op}: asked {{"id": N, "op": "{op}", {question}}}, the target {broken}; '
            f'expected {{"id": N, {result}}}, or {otherwise} if it does not offer {op} (notes/protocol.md)'
        ) from None
    return None


def _example(op: str, told: Description) -> tuple[Args, str]:
    if op == "release":
        return {**suited(told)[0], "count": 2}, '"results": ["0x1p+1", "-0x1p+2"]'
    args, result = EXAMPLES[op]
    if "bound" in args and (told.bound is not None or told.min_bound is not None):
        return {**args, "bound": told.bound or max(told.min_bound or 0.0, float(args["bound"]))}, '"result": "…"'
    return args, result


def _json(x: float | int) -> str:
    wire = to_wire(x)
    return f'"{wire}"' if isinstance(wire, str) else str(wire)
