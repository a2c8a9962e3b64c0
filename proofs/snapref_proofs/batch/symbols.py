"""Numbers that are only formulas: a program runs on them, and its result says which stages it took, and in which order.

For that run the stages are replaced by names. A question about a number (a comparison, a branch, a look at its parts)
raises an error, because the order of the stages would depend on the answer.
"""

from collections.abc import Callable
from typing import Any, NoReturn


class Symbol:
    def __init__(self, text: str) -> None:
        self.text = text

    def __add__(self, other: "Symbol") -> "Symbol":
        return Symbol(f"({self.text} ⊕ {other.text})")

    def __mul__(self, other: "Symbol") -> "Symbol":
        return Symbol(f"({self.text} ⊗ {other.text})")

    def __rtruediv__(self, one: int) -> "Symbol":
        return Symbol(f"{one}/{self.text}")

    def __neg__(self) -> "Symbol":
        return Symbol(f"-{self.text}")

    def _asked(self, *_: object) -> NoReturn:
        raise TypeError(f"the order of the stages depends on {self.text}")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _asked
    __bool__ = __hash__ = __iter__ = __len__ = __index__ = __float__ = _asked


def named(stage: str) -> Callable[..., Symbol]:
    """A stage that returns its name with its arguments."""
    return lambda *given: Symbol(f"{stage}({', '.join(getattr(x, 'text', str(x)) for x in given)})")


def taken(program: Callable[..., Any], *given: Any) -> str:
    """The formula of what the program returns, or the error message if it asked a question about a number."""
    try:
        return str(program(*given).text)
    except (TypeError, AttributeError) as error:
        return str(error)
