"""Bad input in Python: always a clear error, never a release, and never the private value."""

import math
import traceback

import pytest

from snapref import Mechanism, ParameterError, snap

GOOD = {"epsilon": 1.0, "bound": 10.0, "sensitivity": 1.0, "precision": 53}


@pytest.mark.parametrize("name", ["epsilon", "bound", "sensitivity"])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 0.0, -0.0, -1.0, 0, "1", "1.0", True, None, 1j, [1.0]])
def test_public_parameters(name: str, bad: object) -> None:
    with pytest.raises(ParameterError, match=name):
        Mechanism(**(GOOD | {name: bad}))  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [53.0, "53", True, None, math.nan])
def test_precision_is_an_int(bad: object) -> None:
    with pytest.raises(ParameterError, match="precision must be an int"):
        Mechanism(**(GOOD | {"precision": bad}))  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, "3.25", True, None, 1j, 2**60 + 1])
def test_the_private_value(bad: float) -> None:
    with pytest.raises(ParameterError, match="value must be"):
        snap(bad, epsilon=1.0, bound=10.0)


@pytest.mark.parametrize("secret", [2**60 + 1234567, "1234567"])
def test_no_error_shows_the_private_value(secret: object) -> None:
    with pytest.raises(ParameterError) as error:
        snap(secret, epsilon=1.0, bound=10.0)  # type: ignore[arg-type]
    assert "1234567" not in "".join(traceback.format_exception(error.value))


def test_an_int_is_a_number() -> None:
    assert abs(snap(3, epsilon=1, bound=10).value) <= 10
