"""`snapref snap`: one private release, with the certificate of the ε that it honours.

A release that nobody sees has spent its ε for nothing. So everything that does not depend on the draw is written first,
and has to arrive; what was drawn comes last, and if it cannot be written after all, the message has it.
"""

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from snapref_harness.cli.numbers import BoundOption, PrecisionOption, SensitivityOption, number, parse_number
from snapref_harness.cli.output import AS_EXPECTED, READER_LEFT, TROUBLE, Failure, JsonOption, json_text, print_fields
from snapref_harness.cli.streams import explained, settle, writer
from snapref_harness.numbers import decimal

if TYPE_CHECKING:
    from fractions import Fraction

    from snapref import Certificate, Mechanism

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
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print the released value alone; or nothing, with --json.")
    ] = False,
) -> int:
    """Release one value with differential privacy.

    Printed are a certificate and, last, the released value. The certificate names every parameter, the bound on the
    privacy loss, and the conditions under which that bound is proved.

    Numbers are decimal or C99 hex (0x1.8p-1). Others can see a value on the command line in the process list, and the
    shell keeps it in its history. To avoid both, give - as VALUE and write the value to standard input."""
    from snapref import Mechanism, SeededSource

    mechanism = Mechanism(epsilon, bound, sensitivity, precision)
    private = _private(value)
    mechanism.release(private, SeededSource(0))  # a rehearsal: if the value is refused, then before anything is written
    _release(mechanism, private, json, quiet)
    return AS_EXPECTED


def command(epsilon: float | str, bound: float, sensitivity: float, precision: int = 53) -> str:
    """The command line of a release, complete but for the private value. Python's decimals are read as they were."""
    extra = "" if sensitivity == 1 else f" --sensitivity {sensitivity!r}"
    extra += "" if precision == 53 else f" --precision {precision}"
    return f"snapref snap VALUE --epsilon {epsilon} --bound {bound!r}{extra}"


def _release(mechanism: "Mechanism", private: float, target: str | None, quiet: bool) -> None:
    """Writes the certificate, makes the release, and writes what was drawn."""
    from fractions import Fraction

    from snapref.certificate import exact_text, hexadecimal

    certificate, shown, spent = mechanism.certificate, target != "-" and not quiet, ""
    fields, precision = certificate.lines(), certificate.budget.precision
    labels = max(len(label) for label, _ in fields)
    try:
        with ExitStack() as stack:
            file = None if target is None else stack.enter_context(writer(target))
            if file is not None and target is not None:
                file.write(json_text({"certificate": certificate.as_json()}, target).removesuffix("\n}") + ",\n")
                settle(file)
            if shown:
                print_fields(fields)
                settle(sys.stdout)
            release = mechanism.release(private)
            exact = Fraction(*map(int, release.value.as_integer_ratio()))
            spent = f"released {exact_text(exact)}: ε = {exact_text(certificate.budget.epsilon)} is spent"
            if file is not None and target is not None:
                drawn = {"value": hexadecimal(exact), "randomness": release.randomness}
                decimals = {"decimal": _decimals(exact, certificate)}
                file.write(json_text({**drawn, **decimals}, target).removeprefix("{\n") + "\n")
                settle(file)
            if shown:
                print_fields([("randomness", release.randomness), ("released", exact_text(exact))], labels)
            elif target is None:
                print(decimal(exact, precision))
            settle(sys.stdout)
    except (Failure, OSError, KeyboardInterrupt) as error:
        if not spent:
            raise
        code = READER_LEFT if isinstance(error, BrokenPipeError) else TROUBLE
        if isinstance(error, OSError):
            error = explained(error)
        reason = str(error) or "interrupted"
        raise Failure(f"{spent}, but the result was not written: {reason}", code) from None


def _decimals(value: "Fraction", certificate: "Certificate") -> dict[str, str]:
    """The numbers of the JSON as decimals, for those who read it."""
    from snapref.budget import round_to_bits

    budget = certificate.budget
    names = ("epsilon", "inner_epsilon", "scale", "bound", "sensitivity", "padded_sensitivity")
    numbers = {"value": value, "lattice": certificate.lattice, **{name: getattr(budget, name) for name in names}}
    numbers["honoured"] = round_to_bits(budget.honoured, 53, up=True)
    return {name: decimal(number, budget.precision) for name, number in numbers.items()}


def _private(text: str) -> float:
    """The private value. An error message does not repeat it."""
    if text == "-":
        if sys.stdin is None:
            raise Failure("VALUE is - but standard input is closed")
        try:
            text = sys.stdin.read()
        except UnicodeDecodeError:
            raise Failure("VALUE is not a number: standard input is not text") from None
    try:
        return parse_number(text)
    except ValueError as error:
        raise Failure(f"VALUE {error}") from None
