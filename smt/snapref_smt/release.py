"""From the budget to the release: what the code around the stages does, at every precision and on both paths.

The programs run on names (engine/symbols.py): every stage is replaced by its name, p is unknown, and every question is
answered both ways. What a program can do is then a text, and below stands what it should be. Such a text says which
stage is called, with which precision, format, bound, scale and law of U*, and in which order; where the private value
goes; and what is refused. `if …: raise` and `unless …: raise` are refusals. (001/002 §2.2 and §3.)

What the stages do is decided elsewhere. That MPFR rounds as it is asked to is trusted.
"""

import inspect
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import gmpy2

import snapref
from snapref import arithmetic, binary64, doubles, errors, formats, mechanism
from snapref.errors import ParameterError
from snapref_ledger.obligations import Outcome, Run, obligation
from snapref_smt.engine.symbols import (
    Program,
    Symbol,
    asked_kind,
    judged,
    named,
    note,
    refusing,
    replaced,
    shown,
    ways,
)

code: Any = snapref  # without types: names and unknown integers take the place of numbers
CLAIM = "N-3-ops"
PRECISION = "every p, every value and every answer to each question that the code asks; stages are names"


def names(text: str) -> list[Any]:
    return [Symbol(name) for name in text.split()]


class _Float:
    """The type `float`, as a name: what is converted to a float, and where, is a line."""

    __name__ = "float"
    __float__ = staticmethod(named("float.__float__"))

    def __call__(self, number: Any) -> Any:
        return named("float")(number)


def checked(stage: str) -> Callable[..., Any]:
    """A check that lets the number through: it notes what it was asked, and returns the number."""

    def check(name: str, number: Any, **options: Any) -> Any:
        told = "".join(f", {key}={option}" for key, option in options.items())
        note(f"{stage}({name!r}, {shown(number)}{told})")
        return number

    return check


FLOAT = _Float()
CHECKS = {name: checked(name) for name in ("positive", "whole", "finite", "check_finite")}
PLANNED = {
    **CHECKS,
    "plan_budget": refusing("plan_budget", ParameterError, "budget"),
    "certified_loss": named("certified_loss", "loss", "constant"),
    "working_format": named("working_format"),
    "encoded": named("encoded"),
    "dyadic": named("dyadic"),
    "Uniform": named("Uniform"),
    "lattice_exponent": named("lattice_exponent", "m"),
    "Certificate": named("Certificate"),
    "doubles_have_room": named("doubles_have_room"),
    "doubles": Symbol("doubles"),
    "BINARY64": Symbol("BINARY64"),
    "float": FLOAT,
}
# The stages of one release
STAGES: dict[str, Any] = {
    "clamp": named("clamp"),
    "round_to_lattice": named("round"),
    "lattice_exponent": named("lattice_exponent"),
    "ln": named("LN"),
    "add": named("⊕"),
    "multiply": named("⊗"),
}
RELEASING = {
    **CHECKS,
    "draw": named("draw", "S", "u"),
    "snapped": named("snapped", "result"),
    "encoded": named("encoded"),
    "isinstance": asked_kind,
    "SYSTEM": Symbol("SYSTEM"),
    "float": FLOAT,
}


def constructed() -> Any:
    return vars(code.mechanism.Mechanism(*names("ε B Δ p")))


CONSTRUCTION = [
    Program(
        "Mechanism",
        mechanism,
        PLANNED,
        constructed,
        """
        positive('epsilon', ε)
        positive('bound', B)
        positive('sensitivity', Δ)
        whole('precision', p)
        budget = plan_budget(ε, B, Δ, p)
        if budget is refused: raise ParameterError
        working_format(p)
        encoded('bound', B, working_format(p))
        dyadic(budget)
        encoded('scale', dyadic(budget), working_format(p))
        Uniform(p)
        m = lattice_exponent(encoded('scale', dyadic(budget), working_format(p)), working_format(p))
        unless (BINARY64.min_exponent <= m): raise ParameterError
        unless (m <= BINARY64.max_exponent): raise ParameterError
        if (budget.bound >= 2**1024): raise ParameterError
        Certificate(budget, m)
        if (p == 53):
            doubles_have_room(budget.scale, budget.bound)
            if doubles_have_room(budget.scale, budget.bound):
                float(budget.scale)
                float(B)
                doubles.program(float(budget.scale), (2.0 ** m), float(B))
                return {PARAMETERS, _in_doubles: doubles.program(float(budget.scale), (2.0 ** m), float(B))}
            unless doubles_have_room(budget.scale, budget.bound):
                return {PARAMETERS, _in_doubles: None}
        unless (p == 53):
            return {PARAMETERS, _in_doubles: None}
        """.replace(
            "PARAMETERS",
            "_format: working_format(p), _bound: encoded('bound', B, working_format(p)), "
            "_scale: encoded('scale', dyadic(budget), working_format(p)), _uniform: Uniform(p), "
            "certificate: Certificate(budget, m)",
        ),
    ),
    Program(
        "dyadic",
        mechanism,
        {"scaled": named("scaled")},
        lambda: code.mechanism.dyadic(Symbol("budget")),
        """
        budget.scale.denominator.bit_length()
        scaled(budget.scale.numerator, (1 - budget.scale.denominator.bit_length()))
        return scaled(budget.scale.numerator, (1 - budget.scale.denominator.bit_length()))
        """,
    ),
    Program(
        "snap",
        mechanism,
        {"Mechanism": named("Mechanism")},
        lambda: code.mechanism.snap(*names("value ε B Δ p")),
        """
        Mechanism(ε, B, Δ, p)
        Mechanism(ε, B, Δ, p).release(value)
        return Mechanism(ε, B, Δ, p).release(value)
        """,
    ),
    Program(
        "certify",
        mechanism,
        PLANNED,
        lambda: vars(code.mechanism.certify(*names("λ B Δ p"))),
        """
        positive('scale', λ)
        positive('bound', B)
        positive('sensitivity', Δ)
        whole('precision', p)
        loss, constant = certified_loss(λ, B, Δ, p)
        working_format(p)
        encoded('scale', λ, working_format(p))
        working_format(p)
        encoded('bound', B, working_format(p))
        return {epsilon: loss, constant: constant}
        """,
    ),
    Program(
        "working_format",
        formats,
        {"Format": named("Format")},
        lambda: code.formats.working_format(Symbol("p")),
        """
        Format(p, exponent_bits=15)
        return Format(p, exponent_bits=15)
        """,
    ),
    Program(
        "doubles_have_room",
        formats,
        {"isinstance": asked_kind},
        lambda: bool(code.formats.doubles_have_room(*names("λ B"))),
        """
        if (λ >= 2**-900):
            if (λ <= 2**900):
                if (B >= 2**-900):
                    if (B <= 2**900):
                        return True
                    unless (B <= 2**900):
                        return False
                unless (B >= 2**-900):
                    return False
            unless (λ <= 2**900):
                return False
        unless (λ >= 2**-900):
            return False
        """,
    ),
]


def defaults() -> Iterator[str]:
    """What a release takes where nothing is said: Δ = 1, p = 53, the operating system's randomness, binary64."""
    for function in (code.mechanism.Mechanism, code.mechanism.snap, code.mechanism.certify):
        found = inspect.signature(function).parameters
        given = {name: p.default for name, p in found.items() if p.default is not p.empty}
        if given != {"sensitivity": 1.0, "precision": 53}:
            yield f"the defaults of {function.__name__} are {given}"
    if inspect.signature(code.mechanism.Mechanism.release).parameters["source"].default is not None:
        yield "another default source"
    if type(code.randomness.SYSTEM) is not code.randomness.SystemSource or code.randomness.SYSTEM.name != "system":
        yield "SYSTEM is not the operating system's randomness"
    if "not private" not in code.randomness.SeededSource(1).name:
        yield "a release with a seeded source does not say that it is not private"
    if code.formats.Format(53, 11) != code.formats.BINARY64:
        yield f"doubles are {code.formats.BINARY64}"


@obligation(
    "smt.release.parameters",
    claim=CLAIM,
    kind="algebra",
    decides=False,
    scope=f"Mechanism, snap, certify; {PRECISION}",
)
def parameters(run: Run) -> Outcome:
    """Each parameter is checked and goes where it belongs: λ from the budget, B, Λ, the format and U* of p bits."""
    return judged(CONSTRUCTION, defaults())


def released(in_doubles: bool, source: Any) -> Any:
    prepared = object.__new__(code.mechanism.Mechanism)
    format_, bound, scale, law, certificate, program = names("fmt B λ law certificate in_doubles")
    prepared._format, prepared._bound, prepared._scale, prepared._uniform = format_, bound, scale, law
    prepared.certificate, prepared._in_doubles = certificate, program if in_doubles else None
    return prepared.release(Symbol("value"), source)


ON_PATTERNS = """
encoded('value', value, fmt, private=True)
S, u = draw(SOURCE, law)
result = snapped(encoded('value', value, fmt, private=True), λ, B, S, u, fmt)
fmt.decode(result)
if (fmt.precision <= 53):
    float(fmt.decode(result))
    return Release(value=float(fmt.decode(result)), certificate=certificate, randomness=SOURCE.name)
unless (fmt.precision <= 53):
    return Release(value=fmt.decode(result), certificate=certificate, randomness=SOURCE.name)
"""
IN_DOUBLES = """
float.__float__(value)
S, u = draw(SOURCE, law)
in_doubles(float.__float__(value), S, u)
return Release(value=in_doubles(float.__float__(value), S, u), certificate=certificate, randomness=SOURCE.name)
"""


def indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip("\n").splitlines())


def releases(given: Any, source: str) -> list[Program]:
    checks = "check_finite('value', value, private=True)\n"
    both = (
        f"{checks}if in_doubles:\n    if isinstance(value, float):\n{indented(indented(IN_DOUBLES))}\n"
        f"    unless isinstance(value, float):\n{indented(indented(ON_PATTERNS))}\n"
        f"unless in_doubles:\n{indented(ON_PATTERNS)}"
    )
    expected = {True: both, False: checks + ON_PATTERNS.strip()}
    return [
        Program("release", mechanism, RELEASING, partial(released, path, given), text.replace("SOURCE", source))
        for path, text in expected.items()
    ]


def mechanisms(sign: int) -> list[Program]:
    value, scale, bound, u, fmt, p = names("x λ B u fmt p")
    noise = f"⊗(⊗({sign}, λ, p), LN(u, p), p)"
    noisy = "⊕(fmt.decode(clamp(x, B, fmt)), noise, fmt.precision)"
    rounded = f"round(fmt.encode({noisy}), lattice_exponent(λ, fmt), fmt)"
    signed = "λ" if sign == 1 else "-λ"
    total = f"(clamp(x, B) + ({signed} * float(LN(u, 53))))"
    return [
        Program(
            "noise",
            mechanism,
            STAGES,
            lambda: code.mechanism.noise(sign, scale, u, p),
            f"⊗({sign}, λ, p)\nLN(u, p)\n{noise}\nreturn {noise}",
        ),
        Program(
            "snapped",
            mechanism,
            {**STAGES, "noise": named("noise", "noise")},
            lambda: code.mechanism.snapped(value, scale, bound, sign, u, fmt),
            f"""
            clamp(x, B, fmt)
            fmt.decode(clamp(x, B, fmt))
            fmt.decode(λ)
            noise = noise({sign}, fmt.decode(λ), u, fmt.precision)
            {noisy}
            fmt.encode({noisy})
            lattice_exponent(λ, fmt)
            {rounded}
            clamp({rounded}, B, fmt)
            return clamp({rounded}, B, fmt)
            """,
        ),
        Program(
            "the program on doubles",
            doubles,
            {**STAGES, "nearest_integer": named("integer"), "float": FLOAT},
            lambda: code.doubles.program(scale, Symbol("Λ"), bound)(value, sign, u),
            f"""
            clamp(x, B)
            LN(u, 53)
            float(LN(u, 53))
            integer(({total} * (1 / Λ)))
            clamp((integer(({total} * (1 / Λ))) * Λ), B)
            return clamp((integer(({total} * (1 / Λ))) * Λ), B)
            """,
        ),
    ]


class _Real(float):
    """A kind of float."""


def kinds(x: float) -> list[Any]:
    """The number as a float and as kinds of it; numpy's where it is installed."""
    of_numpy: list[Any] = []
    if find_spec("numpy") is not None:
        import numpy as np

        of_numpy = [np.float64]
    renamed = type("float64", (float,), {"__module__": "numpy"})
    return [kind(x) for kind in (float, _Real, renamed, *of_numpy)]


NUMBERS = (0.0, -0.0, 1.5, -2.5, 0.1, -0.1, 5e-324, -1e308)


def wrong_floats() -> Iterator[str]:
    """Floats of some kind that do not reach the program on doubles as the same number, a plain float."""
    for value in (one for x in NUMBERS for one in kinds(x)):
        seen: list[Any] = []
        prepared = object.__new__(code.mechanism.Mechanism)
        prepared.certificate, prepared._uniform = names("certificate law")
        prepared._in_doubles = lambda *given, seen=seen: seen.append(given)
        with replaced(mechanism, draw=lambda source, law: ("S", "u")):
            prepared.release(value, Symbol("source"))
        ((given, *rest),) = seen
        if type(given) is not float or given.hex() != float.hex(value) or rest != ["S", "u"]:
            yield f"{value!r}, a {type(value)}, is released as {given!r}"


@obligation(
    "smt.release.stages", claim=CLAIM, kind="algebra", decides=False, scope=f"release, both paths, S = ±1; {PRECISION}"
)
def stages(run: Run) -> Outcome:
    """A release is clamp(round(clamp(f(D)) ⊕ S⊗λ⊗LN(U*))) at p bits, with fresh S and U*, on patterns and on doubles.

    The private value reaches the check that it is finite, the translation to a pattern, and the inner clamp. A release
    as a float is the value released.
    """
    source = Symbol("source")
    both = [program for sign in (1, -1) for program in mechanisms(sign)]
    return judged([*releases(source, "source"), *releases(None, "SYSTEM"), *both, as_float()], wrong_floats())


def as_float() -> Program:
    value, certificate, randomness = names("x certificate randomness")
    release = code.mechanism.Release(value, certificate, randomness)
    return Program("__float__", mechanism, {"float": FLOAT}, release.__float__, "float(x)\nreturn float(x)")


def unsaid() -> Iterator[str]:
    """Error messages that show a private value; there should be none."""
    value = Symbol("‹the private value›")
    stages = {"isinstance": asked_kind, "math": Symbol("math")}
    programs: list[tuple[str, Any, Callable[[], Any]]] = [
        (f"encoded, p = {fmt.precision}", mechanism, partial(code.mechanism.encoded, "value", value, fmt, private=True))
        for fmt in formats_of(_refuse)
    ]
    programs.append(("check_finite", errors, partial(code.errors.check_finite, "value", value, private=True)))
    for name, module, run in programs:
        told: list[str] = []
        with replaced(module, **stages):
            ways(partial(_told, run, told))
        if not told or any(str(value) in text for text in told):
            yield f"a message of {name} shows the value: {told}"


def formats_of(encode: Callable[[Any], Any]) -> list[Any]:
    """Formats of an unknown precision, and of some that are known, with this in place of `encode`."""
    sizes = [tuple(names("p largest")), *((p, 16383) for p in (1, 9, 53, 64, 113, 300, 4096))]
    return [SimpleNamespace(encode=encode, max_exponent=largest, precision=p) for p, largest in sizes]


def _refuse(number: Any) -> Any:
    raise ParameterError("no")


def _told(run: Callable[[], Any], told: list[str]) -> None:
    try:
        run()
    except ParameterError as error:
        told.append(f"{error} {error.__cause__} {error.__suppress_context__ or error.__context__}")


def encoded_in(fmt: Any) -> Any:
    return code.mechanism.encoded("x", NUMBER, fmt)


NUMBER = Symbol("x")
KINDS = {"isinstance": asked_kind, "math": Symbol("math"), "Fraction": named("Fraction"), "float": FLOAT}
CHECKING = [
    Program(
        "check_finite",
        errors,
        KINDS,
        lambda: code.errors.check_finite("x", NUMBER),
        """
        if isinstance(x, float):
            math.isfinite(x)
            unless math.isfinite(x): raise ParameterError
            return None
        unless isinstance(x, float):
            if isinstance(x, bool): raise ParameterError
            unless isinstance(x, int): raise ParameterError
            return None
        """,
    ),
    Program(
        "finite",
        errors,
        {**KINDS, "check_finite": checked("check_finite")},
        lambda: code.errors.finite("x", NUMBER),
        "check_finite('x', x)\nFraction(x)\nreturn Fraction(x)",
    ),
    Program(
        "positive",
        errors,
        {**KINDS, "finite": checked("finite"), "written": str},
        lambda: code.errors.positive("x", NUMBER),
        "finite('x', x)\nif (x <= 0): raise ParameterError\nreturn x",
    ),
    Program(
        "whole",
        errors,
        KINDS,
        lambda: code.errors.whole("x", NUMBER),
        """
        if isinstance(x, bool): raise ParameterError
        unless isinstance(x, int): raise ParameterError
        return x
        """,
    ),
    *(
        Program(
            "encoded",
            mechanism,
            {"written": str},
            partial(encoded_in, fmt),
            """
            encode(x)
            if encode(x) is refused: raise ParameterError
            return encode(x)
            """,
        )
        for fmt in formats_of(refusing("encode", ParameterError))
    ),
]


@obligation("smt.release.refusals", claim=CLAIM, kind="algebra", decides=False, scope="every kind of number")
def refusals(run: Run) -> Outcome:
    """A parameter must be a finite int or float (not a bool), or a positive one, or an int; no message shows the value.

    A number that the format does not hold is refused.
    """
    return judged(CHECKING, unsaid())


# MPFR is asked for p bits, to nearest

CONTEXTS = {"context": named("context"), "isinstance": asked_kind, "scaled": named("scaled")}
ARITHMETIC = [
    Program(
        "⊕",
        arithmetic,
        CONTEXTS,
        lambda: code.arithmetic.add(*names("a b p")),
        "context(p)\ncontext(p).add(a, b)\nreturn context(p).add(a, b)",
    ),
    Program(
        "⊗",
        arithmetic,
        CONTEXTS,
        lambda: code.arithmetic.multiply(*names("a b p")),
        "context(p)\ncontext(p).mul(a, b)\nreturn context(p).mul(a, b)",
    ),
    Program(
        "scaled",
        arithmetic,
        {"context": named("context", "exactly")},
        lambda: code.arithmetic.scaled(*names("n k")),
        """
        n.bit_length()
        if n.bit_length():
            exactly = context(n.bit_length())
            if (k >= 0):
                exactly.mul_2exp(n, k)
                return exactly.mul_2exp(n, k)
            unless (k >= 0):
                exactly.div_2exp(n, -k)
                return exactly.div_2exp(n, -k)
        unless n.bit_length():
            exactly = context(1)
            if (k >= 0):
                exactly.mul_2exp(n, k)
                return exactly.mul_2exp(n, k)
            unless (k >= 0):
                exactly.div_2exp(n, -k)
                return exactly.div_2exp(n, -k)
        """,
    ),
    Program(
        "exact",
        arithmetic,
        CONTEXTS,
        lambda: code.arithmetic.exact(Symbol("x")),
        """
        if isinstance(x, int):
            scaled(x, 0)
            return scaled(x, 0)
        unless isinstance(x, int):
            if isinstance(x, float):
                context(53)
                context(53).plus(x)
                return context(53).plus(x)
            unless isinstance(x, float):
                return x
        """,
    ),
]
PRECISIONS = range(1, 8193)


def wrong_contexts() -> Iterator[str]:
    """Every context of MPFR that is not what was asked for; there should be none."""
    room = gmpy2.get_max_precision(), gmpy2.context().emin, gmpy2.context().emax
    for precision in PRECISIONS:
        for mode in (None, gmpy2.RoundToNearest, gmpy2.RoundDown, gmpy2.RoundUp):
            found = code.arithmetic.context(precision) if mode is None else code.arithmetic.context(precision, mode)
            rounds = found.precision, found.round, found.subnormalize
            if rounds != (precision, gmpy2.RoundToNearest if mode is None else mode, False):
                yield f"context({precision}, {mode}) has {rounds[0]} bits and rounds to {rounds[1]}"
            if (found.emin, found.emax) != room[1:]:
                yield f"context({precision}, {mode}) has exponents from {found.emin} to {found.emax}"


def inexact() -> Iterator[str]:
    """Floats, ints and numbers of MPFR of which `exact` makes another number; there should be none."""
    ints = [sign * n for n in (0, 1, 3, 2**53 + 1, 2**70 + 1, 3**700) for sign in (1, -1)]
    for given in (*ints, *(one for x in NUMBERS for one in kinds(x))):
        found = code.arithmetic.exact(given)
        signed = math.copysign(1, given) < 0 if isinstance(given, float) else given < 0
        if Fraction(*found.as_integer_ratio()) != Fraction(given) or gmpy2.is_signed(found) != signed:
            yield f"{given!r}, a {type(given)}, becomes {found}"
    with gmpy2.context(precision=300):
        third = gmpy2.mpfr(-1) / 3
    if code.arithmetic.exact(third) is not third:
        yield "a number of MPFR is changed"


@obligation(
    "smt.release.arithmetic",
    claim=CLAIM,
    kind="algebra",
    decides=False,
    scope=f"⊕, ⊗, scaled, exact: {PRECISION}; contexts: every precision from 1 to {PRECISIONS[-1]}, one by one",
)
def mpfr(run: Run) -> Outcome:
    """For ⊕ and ⊗ MPFR is asked for p bits, to nearest; for an exact number, for as many bits as the number has.

    That MPFR then rounds correctly, and so gives a number that fits exactly, is trusted.
    """
    return judged(ARITHMETIC, (*wrong_contexts(), *inexact()))


# The stages as functions of floats


class _Numbers:
    """Functions of Python that return two numbers."""

    frexp, ldexp = staticmethod(named("frexp", "half", "k")), staticmethod(named("ldexp"))
    as_integer_ratio = staticmethod(named("ratio", "n", "d"))


def exact_value(name: str, number: Any) -> Any:
    """`finite`, which returns a fraction."""
    note(f"finite({name!r}, {shown(number)})")
    return _Numbers


FLOATS = {
    **CHECKS,
    "lattice_exponent": named("lattice_exponent"),
    "round_to_lattice": named("round_to_lattice"),
    "clamp_pattern": named("clamp_pattern"),
    "ln": named("ln"),
    "snapped": named("snapped"),
    "scaled": named("scaled"),
    "uniform_law": named("uniform_law"),
    "math": _Numbers,
    "BINARY64": Symbol("BINARY64"),
    "WIDE": Symbol("WIDE"),
    "float": FLOAT,
}


def snapped_floats(sign: int) -> Any:
    return code.binary64.snap(*names("x λ B"), sign, Symbol("u"))


def result_of(lines: str) -> str:
    """What a program does that calls stages one after the other and returns the last of them."""
    calls = [line.strip() for line in lines.strip().splitlines()]
    return "\n".join([*calls, f"return {calls[-1]}"])


BY_FLOATS = [
    Program(
        "lattice",
        binary64,
        FLOATS,
        lambda: code.binary64.lattice(Symbol("λ")),
        result_of(
            """
            BINARY64.encode(λ)
            lattice_exponent(BINARY64.encode(λ))
            ldexp(1.0, lattice_exponent(BINARY64.encode(λ)))
            """
        ),
    ),
    Program(
        "round",
        binary64,
        FLOATS,
        lambda: code.binary64.round(*names("x Λ")),
        """
        positive('lattice', Λ)
        half, k = frexp(Λ)
        if (half != 0.5): raise ParameterError
        BINARY64.encode(x)
        round_to_lattice(BINARY64.encode(x), (k - 1))
        BINARY64.decode(round_to_lattice(BINARY64.encode(x), (k - 1)))
        float(BINARY64.decode(round_to_lattice(BINARY64.encode(x), (k - 1))))
        return float(BINARY64.decode(round_to_lattice(BINARY64.encode(x), (k - 1))))
        """,
    ),
    Program(
        "clamp",
        binary64,
        FLOATS,
        lambda: code.binary64.clamp(*names("x B")),
        result_of(
            """
            BINARY64.encode(x)
            BINARY64.encode(B)
            clamp_pattern(BINARY64.encode(x), BINARY64.encode(B))
            BINARY64.decode(clamp_pattern(BINARY64.encode(x), BINARY64.encode(B)))
            float(BINARY64.decode(clamp_pattern(BINARY64.encode(x), BINARY64.encode(B))))
            """
        ),
    ),
    Program(
        "log",
        binary64,
        {**FLOATS, "exactly": named("exactly")},
        lambda: code.binary64.log(Symbol("u")),
        result_of("exactly(u)\nln(exactly(u), 53)\nfloat(ln(exactly(u), 53))"),
    ),
    Program(
        "uniform",
        binary64,
        {**FLOATS, "uniform_law": lambda *law: named(f"uniform_law{shown(law)}", "n", "d")},
        lambda: code.binary64.uniform(*names("e m")),
        """
        whole('exponent', e)
        whole('mantissa', m)
        n, d = uniform_law('binary64', 53)(e, m)
        scaled(n, d)
        float(scaled(n, d))
        return float(scaled(n, d))
        """,
    ),
    *(
        Program(
            f"snap, S = {sign}",
            binary64,
            {**FLOATS, "exactly": named("exactly")},
            partial(snapped_floats, sign),
            result_of(
                f"""
                WIDE.encode(x)
                WIDE.encode(λ)
                WIDE.encode(B)
                exactly(u)
                snapped({(done := f"WIDE.encode(x), WIDE.encode(λ), WIDE.encode(B), {sign}, exactly(u), WIDE")})
                WIDE.decode(snapped({done}))
                float(WIDE.decode(snapped({done})))
                """
            ),
        )
        for sign in (1, -1)
    ),
    *(
        Program(
            f"snap, S = {sign}",
            binary64,
            FLOATS,
            partial(snapped_floats, sign),
            "raise ParameterError",
        )
        for sign in (0, 2, -2)
    ),
    Program(
        "exactly",
        binary64,
        {**FLOATS, "finite": exact_value},
        lambda: code.binary64.exactly(Symbol("u")),
        """
        finite('u', u)
        n, d = ratio()
        d.bit_length()
        return Dyadic(significand=n, exponent=(1 - d.bit_length()))
        """,
    ),
]


def wide() -> Iterator[str]:
    if code.formats.Format(53, 15) != code.binary64.WIDE:
        yield f"snap computes in {code.binary64.WIDE}"


@obligation("smt.release.floats", claim=CLAIM, kind="algebra", decides=False, scope="every float; stages are names")
def floats(run: Run) -> Outcome:
    """The functions of binary64.py translate floats to patterns, call the stage of that name, and translate back."""
    return judged(BY_FLOATS, wide())
