"""`snapref loss`: the exact privacy loss of the floating-point mechanism, output by output (004 §4, Theorem 1)."""

from typing import TYPE_CHECKING, Annotated

import typer

from snapref_harness.cli.numbers import PrecisionOption, number, whole_number
from snapref_harness.cli.output import (
    AS_EXPECTED,
    REFUTED,
    Failure,
    JsonOption,
    PlotOption,
    QuietOption,
    check_target,
    complain,
    save_plot,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from markupsafe import Markup

    from snapref.arithmetic import Dyadic
    from snapref_harness.cli.loss_report import Request
    from snapref_proofs.evaluate.parameters import Parameters

EXAMPLE = "snapref loss --scale 1 --bound 10 --a 3.25 --b 4.25"
MICROSECONDS_PER_OUTPUT = 60  # for the estimate only
MAX_OUTPUTS = 2_000_000
MAX_JSON_BYTES = 10**9


def loss(
    scale: Annotated[float | None, typer.Option(parser=number, metavar="L", help="λ, the scale of the noise.")] = None,
    bound: Annotated[
        float | None, typer.Option(parser=number, metavar="B", help="Values are clamped to [-B, B].")
    ] = None,
    a: Annotated[float | None, typer.Option(parser=number, metavar="X", help="The one value, f(a).")] = None,
    b: Annotated[float | None, typer.Option(parser=number, metavar="Y", help="The other value, f(a').")] = None,
    sensitivity: Annotated[
        float, typer.Option(parser=number, metavar="S", help="How far apart the two values may be.")
    ] = 1.0,
    uniform: Annotated[
        str, typer.Option(metavar="KIND", help="The distribution of U*: unbounded, binary64 or bounded:EMIN.")
    ] = "unbounded",
    precision: PrecisionOption = 53,
    output: Annotated[float | None, typer.Option(parser=number, metavar="X", help="Look at this output only.")] = None,
    max_outputs: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="Refuse to work through more outputs than this.")
    ] = MAX_OUTPUTS,
    search: Annotated[
        bool,
        typer.Option(
            "--search", help="Search for the largest loss over those of --scale, --bound, --a, --b not given."
        ),
    ] = False,
    seed: Annotated[int, typer.Option(parser=whole_number, metavar="N", help="The seed of the search.")] = 0,
    budget: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="How many sets of parameters the search tries.")
    ] = 5000,
    plot: PlotOption = None,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> int:
    """Compute the exact privacy loss, output by output.

    The loss at an output x is |ln(P(x|a)/P(x|b))|: how much x tells about which of two values, a or b, was released.
    The probabilities are those of the floating-point program itself, as exact rational numbers. Nothing is sampled or
    estimated. It takes about a second for 15000 outputs, and --search about a millisecond for each set of parameters.
    Exit code: 0 if the loss is at most S/L + 12·B·η/L + 2η (η = 2^-P) at every output, 1 if it is not."""
    from snapref import ParameterError
    from snapref_harness.cli.loss_report import check_json_size, print_summary, summarise, write_report

    check_target(json)
    given = {"scale": scale, "bound": bound, "a": a, "b": b}
    try:
        _check_precision(precision)
        if search:
            given = _searched(given, sensitivity, uniform, precision, seed, budget, quiet or json == "-")
        request = _request(given, sensitivity, uniform, precision, output)
        _check_work(request, max_outputs)
        if json is not None:
            check_json_size(request, MAX_JSON_BYTES)
        summary = summarise(request, quiet) if json is None else write_report(request, json, quiet)
    except ParameterError as error:
        raise Failure(str(error)) from None
    if plot is not None:
        save_plot(_picture(request, summary.bound), plot)
    if json != "-" and not (quiet and summary.judge.all_hold):
        print_summary(summary)
    return AS_EXPECTED if summary.judge.all_hold else REFUTED


def _picture(request: "Request", limit: "Fraction") -> "Markup":
    from snapref_harness.report.figures.distributions import draw

    m = request.parameters
    return draw(m, list(request.entries()), request.sensitivity / m.scale, limit)


def _check_precision(precision: int) -> None:
    from snapref.budget import MAX_PRECISION

    if not 2 <= precision <= MAX_PRECISION:
        raise Failure(f"--precision {precision} is out of range: 2 to {MAX_PRECISION} bits")


def _request(
    given: dict[str, float | None], sensitivity: float, uniform: str, precision: int, output: float | None
) -> "Request":
    from fractions import Fraction

    from snapref_harness.cli.loss_report import Request
    from snapref_proofs.evaluate.dyadics import to_fraction
    from snapref_proofs.evaluate.parameters import Parameters

    missing = [f"--{name}" for name, value in given.items() if value is None]
    if missing:
        raise Failure(f"missing {', '.join(missing)} (or --search, to have the worst found)")
    scale, bound = (_held(name, given[name], precision, positive=True) for name in ("scale", "bound"))
    _held("sensitivity", sensitivity, precision, positive=True)
    parameters = Parameters(to_fraction(scale), to_fraction(bound), precision, uniform)
    a, b = (_clamped(name, given[name], bound, precision) for name in ("a", "b"))
    _check_distance(a, b, sensitivity)
    k = None if output is None else _output_number(parameters, output)
    request = Request(parameters, a, b, Fraction(sensitivity), k)
    if k is not None and not list(request.entries()):
        raise Failure(f"--output {output} is impossible from a and from b: there is no loss to speak of")
    return request


def _held(name: str, value: float | None, precision: int, positive: bool = False) -> "Dyadic":
    """The number, exactly. An error unless it is finite and `precision` bits hold it."""
    from math import isfinite

    from snapref_proofs.evaluate.dyadics import from_fraction, is_held

    if value is None or not isfinite(value) or (positive and value <= 0):
        raise Failure(f"--{name} must be a finite{' and positive' if positive else ''} number, not {value}")
    exact = from_fraction(value)
    if not is_held(exact, precision):
        raise Failure(f"--{name} {value} must be a number that {precision} bits hold exactly")
    return exact


def _clamped(name: str, value: float | None, bound: "Dyadic", precision: int) -> "Dyadic":
    """The value, clamped to [-B, B], with a warning where that changes it. An infinite one goes to ±B."""
    from math import isinf

    from snapref.arithmetic import Dyadic
    from snapref.certificate import hexadecimal
    from snapref_proofs.evaluate.dyadics import to_fraction
    from snapref_proofs.evaluate.loss import clamped

    if value is not None and isinf(value):
        inside = bound if value > 0 else Dyadic(-bound.significand, bound.exponent)
    else:
        exact = _held(name, value, precision)
        inside = clamped(exact, bound)
        if inside == exact:
            return exact
    complain(f"warning: --{name} {value} is outside [-B, B] and was clamped to {hexadecimal(to_fraction(inside))}")
    return inside


def _check_distance(a: "Dyadic", b: "Dyadic", sensitivity: float) -> None:
    from fractions import Fraction

    from snapref.budget import show
    from snapref.certificate import hexadecimal
    from snapref_proofs.evaluate.dyadics import subtract, to_fraction

    distance = abs(to_fraction(subtract(a, b)))
    if distance > Fraction(sensitivity):
        raise Failure(
            f"|a - b| = {show(distance)} ({hexadecimal(distance)}) is more than the sensitivity {sensitivity}: "
            "the bound says nothing about such a pair; move a and b together, or raise --sensitivity"
        )


def _output_number(m: "Parameters", x: float) -> int:
    from snapref_proofs.evaluate.distribution import output
    from snapref_proofs.evaluate.dyadics import add, subtract
    from snapref_proofs.evaluate.loss import nearest

    exact, (_, bound) = _held("output", x, m.precision), m.held
    k = nearest(m, exact)
    if subtract(exact, bound).significand == 0:
        k = m.last
    elif add(exact, bound).significand == 0:
        k = -m.last
    if abs(k) > m.last or subtract(output(m, k), exact).significand:
        raise Failure(f"--output {x} is not an output: -B, B and the multiples of Λ between them are")
    return k


def _check_work(request: "Request", max_outputs: int) -> None:
    count = 2 * request.parameters.last + 1
    if request.output is None and count > max_outputs:
        seconds = count * MICROSECONDS_PER_OUTPUT // 10**6
        size, time = (str(n) if n < 10**15 else f"2^{n.bit_length()}" for n in (count, seconds))
        raise Failure(
            f"there are about {size} outputs (2B/Λ + 1), more than --max-outputs {max_outputs}: about {time} seconds "
            "of work; raise --max-outputs, take a smaller --bound or a larger --scale, or ask for one --output X"
        )


def _searched(
    given: dict[str, float | None],
    sensitivity: float,
    uniform: str,
    precision: int,
    seed: int,
    budget: int,
    silent: bool,
) -> dict[str, float | None]:
    """The parameters, where those that were not given are the worst that the search found."""
    from fractions import Fraction

    from snapref.certificate import hexadecimal
    from snapref_proofs.evaluate.dyadics import to_fraction
    from snapref_proofs.evaluate.search import Search

    if not 1 <= budget <= 10**7:
        raise Failure(f"--budget {budget} is out of range: 1 to 10^7 sets of parameters, about 1 ms each")
    _held("sensitivity", sensitivity, precision, positive=True)
    fixed = {
        name: to_fraction(_held(name, value, precision, positive=name in ("scale", "bound")))
        for name, value in given.items()
        if value is not None
    }
    found = Search(precision, uniform, Fraction(sensitivity), fixed).run(budget, seed)
    point = {name: float(number) for name, number in found.pair.numbers.items()}
    if not silent:
        command = " ".join(f"--{name} {hexadecimal(Fraction(value))}" for name, value in point.items())
        print(f"worst of {budget} sets of parameters, seed {seed}:")
        print(f"  loss = ε + {found.excess:.4f} η = ε + 2η + {found.constant:.4f} B·ε·η")
        print(f"  snapref loss {command} --precision {precision} --uniform {uniform} --sensitivity {sensitivity}\n")
    return dict(point)
