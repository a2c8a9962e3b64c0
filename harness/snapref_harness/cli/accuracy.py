"""`snapref accuracy`: how far a release may be from the true value, as 002 §6.2 prints it, corrected, and exactly."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from snapref_harness.cli.numbers import BoundOption, PrecisionOption, number
from snapref_harness.cli.output import (
    AS_EXPECTED,
    JsonOption,
    PlotOption,
    QuietOption,
    print_wrapped,
    save_plot,
    width,
    write_json,
)
from snapref_harness.cli.snap import command
from snapref_harness.numbers import rounded_up

if TYPE_CHECKING:
    from fractions import Fraction

    from snapref.budget import Budget
    from snapref_proofs.accuracy.compare import ErrorBound

EXAMPLE = "snapref accuracy --epsilon 0.5 --bound 100 --alpha 0.05 --value 95"
WIDE = 97  # columns that the table needs
WORDS = {True: "sound", False: "NOT SOUND", None: "not decided"}


def accuracy(
    epsilon: Annotated[float, typer.Option(parser=number, metavar="E", help="The privacy parameter ε.")],
    bound: BoundOption,
    alpha: Annotated[
        float, typer.Option(parser=number, metavar="A", help="α, the probability with which the error may be larger.")
    ],
    sensitivity: Annotated[
        float, typer.Option(parser=number, metavar="S", help="Δ, how far one person can move the value.")
    ] = 1.0,
    value: Annotated[
        float | None,
        typer.Option(parser=number, metavar="GUESS", help="A guess of the value f(D). It is printed: do not use data."),
    ] = None,
    precision: PrecisionOption = 53,
    plot: PlotOption = None,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> int:
    """Show how large the error of a release may be.

    An error bound is a number a such that the error |f(D) - release| exceeds a with probability at most α. Shown are
    the bounds that the documents print, the corrected ones, and the exact ones. Beside each stands the true probability
    of a larger error, at the guess or at the worst f(D) that was found, and whether the bound is sound. The noise scale
    λ is that of a release with these parameters."""
    from snapref.budget import plan_budget
    from snapref.errors import positive
    from snapref_proofs.accuracy import check_alpha, check_guess
    from snapref_proofs.accuracy.compare import compare
    from snapref_proofs.accuracy.program import program_of

    exact = positive("epsilon", epsilon), positive("bound", bound), positive("sensitivity", sensitivity)
    budget = plan_budget(*exact, precision)
    level = check_alpha(alpha)
    program = program_of(budget)
    guess = None if value is None else check_guess(value, program)
    rows = compare(program, level, guess)
    if json is not None:
        write_json(_as_json(budget, program.ideal.lattice, level, guess, rows), json)
    if plot is not None:
        from snapref_harness.report.figures.error_by_epsilon import draw

        save_plot(draw(budget, level), plot)
    if json != "-" and not quiet:
        _print(budget, program.ideal.lattice, level, guess, rows)
    return AS_EXPECTED


def _print(
    budget: "Budget", lattice: "Fraction", alpha: "Fraction", guess: "Fraction | None", rows: "list[ErrorBound]"
) -> None:
    from snapref.budget import show

    given = (
        f"ε = {show(budget.epsilon)}, B = {show(budget.bound)}, Δ = {show(budget.sensitivity)}, p = {budget.precision}"
    )
    print_wrapped(f"{given}: λ = {float(budget.scale)!r}, Λ = {show(lattice)}")
    print_wrapped(f"an error N = |f(D) - release| larger than a, with probability at most α = {show(alpha)}")
    if guess is None:
        print_wrapped("no guess of f(D) was given: the bounds hold, or do not, for every float f(D) in [-B, B]")
    else:
        print_wrapped(f"f(D) is guessed to be {show(guess)}, by you; no data was looked at")
    print()
    if width() < WIDE:
        for row in rows:
            print_wrapped(_sentence(row))
    else:
        _print_table(rows)
    exact = float(budget.epsilon), float(budget.bound), float(budget.sensitivity)
    print(f"\nrelease: {command(*exact, budget.precision)}")


def _print_table(rows: "list[ErrorBound]") -> None:
    from snapref.budget import show

    print(f"{'':10}{'':24}{'for f(D) =':12}{'a':>12}  {'P(N > a)':>12}  {'at f =':>10}")
    for row in rows:
        where = "the guess" if row.uses_guess else "anything"
        numbers = f"{rounded_up(row.accuracy):>12}  {_probability(row):>12}  {show(row.at):>10}"
        print(f"{row.source:10}{row.name:24}{where:12}{numbers}  {WORDS[row.sound]}")


def _probability(row: "ErrorBound") -> str:
    return rounded_up(row.probability.enclosure(256)[1]) if float(row.probability) > 0 else "0"


def _sentence(row: "ErrorBound") -> str:
    """A row of the table as a sentence, for a terminal that is too narrow for the table."""
    from snapref.budget import show

    where = "the guess" if row.uses_guess else "anything"
    return (
        f"{WORDS[row.sound]}: {row.source} {row.name}, for f(D) = {where}: a = {rounded_up(row.accuracy)}, "
        f"P(N > a) = {_probability(row)} at f = {show(row.at)}"
    )


def _as_json(
    budget: "Budget", lattice: "Fraction", alpha: "Fraction", guess: "Fraction | None", rows: "list[ErrorBound]"
) -> dict[str, Any]:
    from snapref.certificate import hexadecimal

    return {
        "epsilon": hexadecimal(budget.epsilon),
        "inner_epsilon": hexadecimal(budget.inner_epsilon),
        "scale": hexadecimal(budget.scale),
        "lattice": hexadecimal(lattice),
        "bound": hexadecimal(budget.bound),
        "sensitivity": hexadecimal(budget.sensitivity),
        "precision": budget.precision,
        "alpha": hexadecimal(alpha),
        "guess": None if guess is None else hexadecimal(guess),
        "bounds": [
            {
                "name": row.name,
                "source": row.source,
                "law": row.law,
                "uses_guess": row.uses_guess,
                "accuracy": hexadecimal(row.accuracy),
                "probability": _decimal(row),
                "at": hexadecimal(row.at),
                "sound": row.sound,
            }
            for row in rows
        ],
    }


def _decimal(row: "ErrorBound") -> str:
    """P(N > a) as 20 digits of an upper bound on it."""
    from snapref_proofs.evaluate.loss import decimal_text

    return decimal_text(row.probability.enclosure(256)[1], 20)
