"""`snapref snap`: one private release, with the certificate of the ε that it honours."""

import sys
from typing import Annotated

import typer

from snapref_harness.cli.numbers import BoundOption, PrecisionOption, SensitivityOption, number, parse_number
from snapref_harness.cli.output import AS_EXPECTED, Failure, JsonOption, SilentOption, print_fields, write_json

EXAMPLE = "snapref snap 37.25 --epsilon 0.5 --bound 100"


def snap(
    value: Annotated[
        str, typer.Argument(metavar="VALUE", help="The private value, or - to read it from standard input.")
    ],
    epsilon: Annotated[float, typer.Option(parser=number, metavar="E", help="ε, the largest privacy loss allowed.")],
    bound: BoundOption,
    sensitivity: SensitivityOption = 1.0,
    precision: PrecisionOption = 53,
    json: JsonOption = None,
    quiet: SilentOption = False,
) -> int:
    """Release one value with differential privacy.

    Printed are the released value and a certificate. The certificate names every parameter, the bound on the privacy
    loss, and the conditions under which that bound is proved.

    Numbers are decimal or C99 hex (0x1.8p-1). Others can see a value on the command line in the process list, and the
    shell keeps it in its history. To avoid both, give - as VALUE and write the value to standard input."""
    from fractions import Fraction

    from snapref import Mechanism
    from snapref.certificate import exact_text, hexadecimal

    mechanism = Mechanism(epsilon, bound, sensitivity, precision)
    release = mechanism.release(_private(value))
    exact = Fraction(*map(int, release.value.as_integer_ratio()))
    result = {
        "value": hexadecimal(exact),
        "randomness": release.randomness,
        "certificate": release.certificate.as_json(),
    }
    if json is not None:
        write_json(result, json)
    if json != "-" and not quiet:
        certificate = release.certificate.lines()
        print_fields([("released", exact_text(exact)), *certificate, ("randomness", release.randomness)])
    return AS_EXPECTED


def _private(text: str) -> float:
    """The private value. An error message does not repeat it."""
    if text == "-":
        text = sys.stdin.read()
    try:
        return parse_number(text)
    except ValueError as error:
        raise Failure(f"VALUE {error}") from None
