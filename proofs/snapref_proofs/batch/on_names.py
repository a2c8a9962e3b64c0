"""The batch program on names (snapref_smt.engine.symbols): what it does, whatever λ, Λ, B, chunks and words are.

rows.py looks at the same functions on small arrays. Obligation: proofs.batch.rows.
"""

import inspect
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

from snapref.batch import mechanism
from snapref.randomness import SYSTEM
from snapref.uniform import Uniform
from snapref_smt.engine.symbols import Program, Symbol, named, note, refusing, shown


def prepared() -> Any:
    return vars(mechanism.BatchMechanism(Symbol("ε"), Symbol("B"), Symbol("Δ")))  # type: ignore[arg-type]


BUDGET = "Mechanism(ε, B, Δ).certificate.budget"
EXACT = (f"{BUDGET}.scale", "Mechanism(ε, B, Δ).certificate.lattice", f"{BUDGET}.bound")
ROUNDED = [f"Fraction(float({x}))" for x in EXACT]
CONSTRUCTION = Program(
    "BatchMechanism",
    mechanism,
    {
        "Mechanism": named("Mechanism"),
        "room": lambda *numbers: [Symbol(f"room of {', '.join(map(str, numbers))}")],
        "Fraction": named("Fraction"),
        "float": named("float"),
    },
    prepared,
    "\n".join(
        [
            "Mechanism(ε, B, Δ)",
            f"unless room of {', '.join(EXACT)}: raise ParameterError",
            *(line for x, y in zip(EXACT, ROUNDED, strict=True) for line in (f"float({x})", y)),
            *(f"unless ({x} == {y}): raise ParameterError" for x, y in zip(EXACT, ROUNDED, strict=True)),
            *(f"float({x})" for x in EXACT),
            "return {certificate: Mechanism(ε, B, Δ).certificate, parameters: Doubles(" + ", ".join(
                f"{name}={value}"
                for name, value in {
                    "scale": f"float({EXACT[0]})",
                    "lattice": f"float({EXACT[1]})",
                    "inverse": f"(1 / float({EXACT[1]}))",
                    "bound": f"float({EXACT[2]})",
                }.items()
            ) + ")}",
        ]
    ),
)  # fmt: skip


SNAPPED = Program(
    "snapped",
    mechanism,
    {"composed": named("composed"), "rounded_logarithms": named("LN")},
    lambda: mechanism.snapped(*(Symbol(name) for name in ("values", "parameters", "words", "source"))),  # type: ignore[arg-type]
    """
    LN(words, source)
    composed(values, parameters, LN(words, source), words[(None to None, 0)])
    return composed(values, parameters, LN(words, source), words[(None to None, 0)])
    """,
)


class Results:
    """The array of results, as a name: what is put where is a line."""

    def __setitem__(self, place: Any, values: Any) -> None:
        note(f"results[{shown(place)}] = {shown(values)}")

    def reshape(self, shape: Any) -> Symbol:
        return Symbol(f"results as {shown(shape)}")


def rounds(*given: Any) -> list[Symbol]:
    """`range`, of which one place stands for all."""
    note(f"at some place of range({', '.join(map(shown, given))})")
    return [Symbol("start")]


def released() -> Any:
    batch = object.__new__(mechanism.BatchMechanism)
    batch.certificate, batch.parameters = Symbol("certificate"), Symbol("parameters")  # type: ignore[assignment]
    return vars(batch.release(Symbol("values"), Symbol("source")))  # type: ignore[arg-type]


CHUNKS_OF_ANY = Program(
    "release",
    mechanism,
    {
        "checked": named("checked", "numbers"),
        "np": SimpleNamespace(empty=lambda size: Results()),
        "range": rounds,
        "CHUNK": Symbol("CHUNK"),
        "random_words": named("random_words", "words"),
        "snapped": named("snapped", "snapped"),
    },
    released,
    """
    numbers = checked(values)
    numbers.ravel()
    at some place of range(0, numbers.ravel().size, CHUNK)
    words = random_words(source, numbers.ravel()[start to (start + CHUNK)].size)
    snapped = snapped(numbers.ravel()[start to (start + CHUNK)], parameters, words, source)
    results[start to (start + CHUNK)] = snapped
    return {values: results as numbers.shape, certificate: certificate, randomness: source.name}
    """,
)


def element(kind: str | None) -> Any:
    """`double` of a number, or of one of numpy's of this kind."""
    of_numpy = SimpleNamespace(dtype=SimpleNamespace(kind=kind), item=lambda: Symbol("number"))
    return mechanism.double(Symbol("number") if kind is None else of_numpy)


ELEMENTS = [
    Program(
        f"double, {kind}",
        mechanism,
        {
            "isinstance": lambda thing, kinds: not isinstance(thing, Symbol),
            "check_finite": named("check_finite"),
            "float": refusing("float", OverflowError),
        },
        partial(element, kind),
        """
        check_finite('values', number, private=True)
        float(number)
        if float(number) is refused: raise ParameterError
        unless (float(number) == number): raise ParameterError
        float(number)
        return float(number)
        """,
    )
    for kind in (None, "i", "u", "f")
]


def faults() -> Iterator[str]:
    """`release` draws fresh words for each chunk; `snapped` takes LN(U*) and the signs from the same words, and hands
    all to `composed`. An element of a list becomes the double that is equal to it."""
    for program in (CHUNKS_OF_ANY, SNAPPED, CONSTRUCTION, *ELEMENTS):
        yield from program.differences()
    defaults = inspect.signature(mechanism.BatchMechanism).parameters["sensitivity"].default
    if defaults != 1.0 or inspect.signature(mechanism.BatchMechanism.release).parameters["source"].default is not None:
        yield "other defaults"
    code: Any = mechanism
    if code.Uniform is not Uniform or code.SYSTEM is not SYSTEM:
        yield "another law, or another source"
