"""The budget (001/002 §5): the reference's own code meets the specification, for all rationals and every precision.

Each function of `snapref.budget` is run as it is on unknown rationals ε, B, Δ, λ > 0 and an unknown p, path by path
(engine/rationals.py). Where it calls another function of the module, what is proved of that one takes its place
(`contracts`). Together the obligations say: what `plan_budget` accepts meets every condition of Theorem 1, and what it
refuses does not; the loss that it promises is the theorem's bound for the padded Δ, and at most ε.

The constants and their conditions have one home, `snapref.budget.PROVED`. Theorem 1 is proved for its rows
(theorem.*), the obligations here are about its rows, and `smt.budget.constants` compares it with what the claims say.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_CEILING
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import z3

from snapref import budget
from snapref import certificate as certificate_module
from snapref.errors import ParameterError
from snapref_ledger import load_claims
from snapref_ledger.claims import claims_file
from snapref_ledger.obligations import Outcome, Run, obligation
from snapref_smt.budget_spec import Row, Specification, exact
from snapref_smt.engine.executor import decide, demand, paths, rebound
from snapref_smt.engine.rationals import Exponent, Numbers, Rational, lifted
from snapref_smt.engine.statement import Statement, largest
from snapref_smt.engine.stating import proves

# What is proved. A test may put a broken copy in its place.
SUBJECT: ModuleType = budget
CERTIFICATE: ModuleType = certificate_module
DIGITS = 13  # after the point, of a double in hexadecimal
CLAIM = "N-5-mir"
ALL = "all rationals ε, B, Δ, λ > 0 and every precision p"
LONG = 1000  # characters of a formula
STEPS = 2_000_000  # z3's own count, not seconds: the same on a busy machine
# Of what a path returned (None where it raised): what must hold, and a twin; and so on
Goal = Callable[[Any], tuple[Any, ...]]


class Unknowns:
    """The unknown inputs of one obligation, and the functions of the budget, ready to be run on them."""

    def __init__(self, *contracts: str) -> None:
        self.numbers = Numbers()
        self.eta = self.numbers.power("eta")
        self.precision = Exponent({self.eta: -1}, 0, self.numbers)
        self.terms = {name: z3.Real(name) for name in ("epsilon", "bound", "sensitivity", "scale", "x")}
        self.epsilon, self.bound, self.sensitivity, self.scale, self.x = (
            Rational(term, self.numbers) for term in self.terms.values()
        )
        self.domain: list[Any] = [term > 0 for term in (self.eta, *self.terms.values())]
        self.spec = Specification(self.numbers, self.eta)
        self.rows = [Row(row.constant, row.min_precision, row.max_beta) for row in SUBJECT.PROVED]
        self.constant = exact(self.rows[0].constant)
        proved = {name: getattr(self, name) for name in contracts}
        self.code = rebound(SUBJECT, {"Fraction": self.fraction, "show": marked, "suggest": suggested, **proved})

    def fraction(self, over: Any, under: Any = 1) -> Rational:
        return Rational(lifted(over), self.numbers).__truediv__(under)

    # What is proved of a function, in its place

    def floor_log2(self, x: Any) -> Exponent:
        demand("x > 0", lifted(x) > 0)
        return Exponent({self.numbers.power_below(lifted(x)): 1}, 0, self.numbers)

    def round_to_bits(self, x: Any, precision: Any, up: bool) -> Rational:
        demand("x > 0, p ≥ 1", z3.And(lifted(x) > 0, self._eta(precision) <= exact(Fraction(1, 2))))
        return Rational(self._at(precision).rounded(lifted(x), up), self.numbers)

    def padded_sensitivity(self, sensitivity: Any, bound: Any, precision: Any) -> Rational:
        demand("Δ > 0, B > 0", z3.And(lifted(sensitivity) > 0, lifted(bound) > 0))
        return Rational(self._at(precision).padded(lifted(sensitivity), lifted(bound)), self.numbers)

    def inner_epsilon(self, epsilon: Any, bound: Any, sensitivity: Any, precision: Any) -> Rational:
        given = lifted(epsilon), lifted(bound), lifted(sensitivity)
        demand("ε, B, Δ > 0", z3.And(*(x > 0 for x in given)))
        if decide(given[0] <= 2 * self._eta(precision)):
            raise ParameterError("ε ≤ 2η")
        return Rational(self._at(precision).inner(*given, self.constant), self.numbers)

    def _at(self, precision: Any) -> Specification:
        return Specification(self.numbers, self._eta(precision))

    def _eta(self, precision: Any) -> Any:
        return power_of(-precision)

    # Statements

    def statements(self, program: Callable[[], Any], goal: Goal, discrete: bool = False) -> list[Statement]:
        """On every path the goal holds; every input takes some path; and each step is one that Python can take."""

        def stated(name: str, given: Sequence[Any], conclusion: Any, twin: Any) -> Statement:
            known = self.numbers.known([*self.domain, *given, conclusion], discrete)
            return Statement(name, needed([*self.domain, *known, *given], conclusion), conclusion, twin)

        found = paths(program, 1, [*self.domain, *self.numbers.known(self.domain)], ParameterError)
        statements: list[Statement] = []
        for n, path in enumerate(found, 1):
            name, owed = f"path {n}, {'refused' if path.error else 'returns'}", goal(path.result)
            for conclusion, twin in zip(owed[::2], owed[1::2], strict=True):
                statements.append(stated(name, path.decisions, conclusion, twin))
        if len(found) > 1:
            taken = [path.condition for path in found]
            statements.append(stated("every input takes a path", (), z3.Or(*taken), z3.Or(*taken[1:])))
        sides = {(side.reached.get_id(), side.condition.get_id()): side for path in found for side in path.sides}
        for n, side in enumerate(sides.values(), 1):
            statements.append(stated(f"step {n}: {side.what}", side.decisions, side.condition, z3.BoolVal(False)))
        return statements


def marked(x: Any) -> str:
    """In place of `show`: the name of an unknown number."""
    return f"{x}" if isinstance(x, Rational) else f"⟨{x}⟩"


def suggested(x: Any, precision: Any, up: bool) -> str:
    return "advice"


def power_of(exponent: Any) -> Any:
    """2**k, for an unknown integer or a known one."""
    return exponent.power.term if isinstance(exponent, Exponent) else exact(Fraction(2) ** exponent)


def needed(hypotheses: Sequence[Any], conclusion: Any) -> list[Any]:
    """The hypotheses from which z3 finds the conclusion to follow; all of them, where it does not.

    Fewer hypotheses make a stronger statement. The solvers then decide it as any other. Numbers of a thousand digits
    (2**-4096) slow z3 down, so it is asked without them first, unless the conclusion has one.
    """
    short = [h for h in hypotheses if len(h.sexpr()) < LONG]
    for tried in (short, hypotheses) if len(conclusion.sexpr()) < LONG else (hypotheses,):
        names = {f"hypothesis {n}": hypothesis for n, hypothesis in enumerate(tried)}
        apart = z3.Context()  # of its own: how long z3 takes depends on which terms it has seen before
        solver = z3.Solver(ctx=apart)
        solver.set("rlimit", STEPS)
        for name, hypothesis in names.items():
            solver.assert_and_track(hypothesis.translate(apart), name)
        solver.add(z3.Not(conclusion).translate(apart))
        if solver.check() == z3.unsat:
            core = {str(name) for name in solver.unsat_core()}
            return [hypothesis for name, hypothesis in names.items() if name in core]
    return list(hypotheses)


# Roundings


@proves("smt.budget.floor_log2", claim=CLAIM, part="conditional", decides=False, scope="every rational x > 0")
def floor_log2() -> list[Statement]:
    """floor_log2(x) is the largest k with 2**k ≤ x. From what bit_length means for numerator and denominator."""
    u = Unknowns()

    def goal(k: Any) -> tuple[Any, Any]:
        power = power_of(k)
        return z3.And(power <= u.terms["x"], u.terms["x"] < 2 * power), u.terms["x"] == power

    return u.statements(lambda: u.code.floor_log2(u.x), goal)


def _round_to_bits(up: bool) -> list[Statement]:
    u = Unknowns("floor_log2")
    u.domain.append(u.eta <= exact(Fraction(1, 2)))
    x = u.terms["x"]
    multiple = u.spec.multiple(x, u.spec.spacing(x), up)

    def goal(r: Any) -> tuple[Any, Any]:
        return z3.And(r.term == multiple, x <= r.term if up else r.term <= x), r.term == x

    return u.statements(lambda: u.code.round_to_bits(u.x, u.precision, up=up), goal, discrete=True) + nearest(up)


def nearest(up: bool) -> list[Statement]:
    """The multiple n·s of the spacing s at x is a p-bit number, and no p-bit number y = m·V lies between it and x.

    Lengths are in units of s. With h = 2**(p-1), an integer, x is in [h, 2h). V is a power of two. If V ≥ s, y is an
    integer; else V ≤ s/2, and y ≤ m/2 ≤ h.
    """
    n, h, m, x, y = z3.Reals("n h m x y")
    rounded = [h >= 1, h <= x, x < 2 * h, *([n - 1 < x, x <= n] if up else [n <= x, x < n + 1])]
    between = z3.And(x <= y, y < n) if up else z3.And(n < y, y <= x)

    def apart(a: Any, b: Any) -> Any:
        return z3.Or(a == b, a + 1 <= b, b + 1 <= a)

    return [
        Statement("p bits", [*rounded, apart(n, h), apart(n, 2 * h)], z3.And(h <= n, n <= 2 * h), n < 2 * h - 1),
        Statement("none between, V ≥ s", [*rounded, apart(n, y)], z3.Not(between), n == y),
        Statement(
            "none between, V < s",
            [*rounded, apart(n, h), m > 0, m <= 2 * h, y > 0, y <= m / 2],
            z3.Not(between),
            n == y,
        ),
        Statement("positive", [*rounded, apart(n, h)], n > 0, n > 1),
    ]


@proves(
    "smt.budget.rounded_up",
    claim=CLAIM,
    part="conditional",
    decides=False,
    scope="every rational x > 0 and every p ≥ 1",
)
def rounded_up() -> list[Statement]:
    """round_to_bits(x, p, up=True) is the least number with p significant bits that is at least x."""
    return _round_to_bits(up=True)


@proves(
    "smt.budget.rounded_down",
    claim=CLAIM,
    part="conditional",
    decides=False,
    scope="every rational x > 0 and every p ≥ 1",
)
def rounded_down() -> list[Statement]:
    """round_to_bits(x, p, up=False) is the largest number with p significant bits that is at most x."""
    return _round_to_bits(up=False)


# The bound and its conditions


@proves("smt.budget.eta", claim="N-5-eta", decides=False, scope="every p")
def eta() -> list[Statement]:
    """eta(p) is 2**-p."""
    u = Unknowns()
    return u.statements(lambda: u.code.eta(u.precision), lambda h: (h.term == u.eta, h.term == 2 * u.eta))


@proves("smt.budget.precision", claim=CLAIM, part="conditional", decides=False, scope="every p")
def precision() -> list[Statement]:
    """check_precision refuses exactly what lies outside 11 ≤ p ≤ 4096."""
    u = Unknowns()
    accepted = u.spec.precise(u.rows[0].min_precision)

    def program() -> bool:
        u.code.check_precision(u.precision)
        return True

    return u.statements(program, lambda ok: (accepted, u.eta == 1) if ok else (z3.Not(accepted), accepted))


@proves("smt.budget.loss_bound", claim=CLAIM, part="conditional", decides=False, scope=f"{ALL}; every constant C")
def loss_bound() -> list[Statement]:
    """loss_bound is Δ/λ + C·B·η/λ + 2η; without a C, that of the first row."""
    u = Unknowns()
    given = u.scale, u.bound, u.sensitivity, u.precision
    scale, bound, sensitivity, c = (*(u.terms[name] for name in ("scale", "bound", "sensitivity")), z3.Real("C"))

    def goal(constant: Any) -> Goal:
        owed = sensitivity + constant * bound * u.eta + 2 * u.eta * scale
        return lambda loss: (loss.term * scale == owed, loss.term * scale == owed + u.eta)

    return [
        *u.statements(lambda: u.code.loss_bound(*given, Rational(c, u.numbers)), goal(c)),
        *u.statements(lambda: u.code.loss_bound(*given), goal(u.constant)),
    ]


@proves("smt.budget.padding", claim=CLAIM, part="conditional", decides=False, scope=f"{ALL} ≥ 1")
def padding() -> list[Statement]:
    """padded_sensitivity meets the theorem's condition on Δ: a power of two, or a multiple of the spacing at 2B.

    It is Δ where that is a power of two, else the least multiple that is at least Δ. From one spacing on, no power of
    two that is at least Δ is smaller.
    """
    u = Unknowns("floor_log2")
    u.domain.append(u.eta <= exact(Fraction(1, 2)))
    bound, delta = u.terms["bound"], u.terms["sensitivity"]
    step, power = u.spec.spacing(2 * bound), u.numbers.power("Q")
    multiple = u.spec.multiple(delta, step, up=True)
    is_power = delta == u.numbers.power_below(delta)

    def goal(result: Any) -> tuple[Any, Any]:
        d = result.term
        regular = z3.If(is_power, d == delta, d == multiple)
        every_power = z3.Implies(power == delta, d == delta)
        cost = z3.And(d < delta + step, step <= 4 * bound * u.eta)  # in the bound on the loss, less than 4Bη/λ
        return z3.And(regular, every_power, delta <= d, cost), d >= 2 * delta

    program = lambda: u.code.padded_sensitivity(u.sensitivity, u.bound, u.precision)  # noqa: E731
    return u.statements(program, goal, discrete=True) + least_multiple()


def least_multiple() -> list[Statement]:
    """The multiple n that is next above Δ > 0 is the least one, in units of the spacing.

    A power of two Q ≥ 1 is a multiple, too: so from Δ = 1 on, no power of two that is at least Δ is smaller.
    """
    n, m, delta = z3.Reals("n m Delta")
    hypotheses = [delta > 0, n - 1 < delta, delta <= n, delta <= m, z3.Or(n == m, n + 1 <= m, m + 1 <= n)]
    return [Statement("the least multiple", hypotheses, n <= m, n < m)]


@proves("smt.budget.inner_epsilon", claim="N-5-alg", decides=False, scope=f"{ALL} ≥ 1")
def inner_epsilon() -> list[Statement]:
    """inner_epsilon refuses exactly ε ≤ 2η. Else it is (ε - 2η)/(Δ'/Δ + 12(B/Δ)η), rounded down to p bits.

    So ε'·(Δ' + 12·B·η) ≤ (ε - 2η)·Δ.
    """
    u = Unknowns("round_to_bits", "padded_sensitivity")
    u.domain.append(u.eta <= exact(Fraction(1, 2)))
    given = u.terms["epsilon"], u.terms["bound"], u.terms["sensitivity"], u.constant
    exactly = u.spec.before_rounding(*given)
    accepted = u.terms["epsilon"] > 2 * u.eta

    def goal(result: Any) -> tuple[Any, Any]:
        if result is None:
            return z3.Not(accepted), accepted
        owed = z3.And(accepted, result.term == u.spec.rounded(exactly, up=False), *u.spec.is_inner(*given, result.term))
        return owed, result.term == exactly

    return u.statements(lambda: u.code.inner_epsilon(u.epsilon, u.bound, u.sensitivity, u.precision), goal)


@proves("smt.budget.certified", claim=CLAIM, part="conditional", also=(("F-T1", "printed"),), decides=False, scope=ALL)
def certified() -> list[Statement]:
    """certified_loss gives the theorem's bound for the padded Δ, with the smallest constant whose conditions hold.

    It refuses exactly where no row's conditions hold, or p > 4096.
    """
    u = Unknowns("padded_sensitivity")
    scale, bound, sensitivity = (u.terms[name] for name in ("scale", "bound", "sensitivity"))
    covered = z3.Or(*(row.covers(u.eta, bound, scale) for row in u.rows))
    accepted = z3.And(u.spec.precise(0), covered)
    padded = u.spec.padded(sensitivity, bound)

    def goal(result: Any) -> tuple[Any, Any]:
        if result is None:
            return z3.Not(accepted), scale > 2 * bound
        loss, constant = result
        owed = padded + exact(constant) * bound * u.eta + 2 * u.eta * scale
        smallest = u.spec.smallest(u.rows, constant, bound, scale)
        return z3.And(accepted, smallest, loss.term * scale == owed), loss.term * scale < owed

    return u.statements(lambda: u.code.certified_loss(u.scale, u.bound, u.sensitivity, u.precision), goal)


@proves(
    "smt.budget.plan",
    claim=CLAIM,
    part="conditional",
    also=(("N-5-alg", "printed"),),
    decides=False,
    timeout=300.0,
    scope=ALL,
)
def plan() -> list[Statement]:
    """plan_budget accepts exactly what meets every condition of the theorem; what it promises is at most ε.

    λ is Δ/ε' rounded up to p bits, and `honoured` is the theorem's bound for this λ and the padded Δ. The conditions
    that it writes down name these numbers.
    """
    u = Unknowns("floor_log2", "round_to_bits", "padded_sensitivity", "inner_epsilon")
    epsilon, bound, sensitivity = (u.terms[name] for name in ("epsilon", "bound", "sensitivity"))
    inner = u.spec.inner(epsilon, bound, sensitivity, u.constant)
    scale = u.spec.rounded(u.numbers.quotient(sensitivity, inner), up=True)
    padded = u.spec.padded(sensitivity, bound)
    row = u.rows[0]
    accepted = z3.And(u.spec.precise(row.min_precision), epsilon > 2 * u.eta, row.covers(u.eta, bound, scale))

    def goal(result: Any) -> tuple[Any, ...]:
        if result is None:
            return z3.Not(accepted), scale > 2 * bound
        result, told = result
        promised = padded + u.constant * bound * u.eta + 2 * u.eta * scale
        wanted = {
            "epsilon": epsilon,
            "inner_epsilon": inner,
            "scale": scale,
            "bound": bound,
            "sensitivity": sensitivity,
            "padded_sensitivity": padded,
        }
        fields = [getattr(result, name).term == term for name, term in wanted.items()]
        honoured = result.honoured.term
        right = z3.And(accepted, *fields, honoured * scale == promised, z3.BoolVal(told))
        return right, scale == bound, honoured <= epsilon, honoured < epsilon / 2

    def program() -> tuple[Any, bool]:
        result = u.code.plan_budget(u.epsilon, u.bound, u.sensitivity, u.precision)
        return result, _told(result, u) and result.precision is u.precision

    return u.statements(program, goal)


def _told(result: Any, u: Unknowns) -> bool:
    """Whether the conditions of a budget say what was checked, with the right numbers in their places."""
    row, scale, bound = u.rows[0], marked(result.scale), marked(result.bound)
    beta = marked(result.bound * u.code.eta(u.precision) / result.scale)
    most = f"2**{row.max_beta.numerator.bit_length() - row.max_beta.denominator.bit_length()}"
    return [(c.name, c.statement) for c in result.conditions] == [
        ("precision", f"{row.min_precision} ≤ p = {u.precision}"),
        ("epsilon", f"ε = {marked(result.epsilon)} > 2η = 2**{1 - u.precision}"),
        ("bound against scale", f"λ = {scale} ≤ B = {bound}"),
        ("bound against precision", f"B·η/λ = {beta} ≤ {most}"),
        ("honoured", f"Δ/λ + {row.constant}·B·η/λ + 2η ≤ ε, as ε' is rounded down and λ up"),
    ]


@proves("smt.budget.notes_precision", claim="N-5-p", part="conditional", decides=False, scope="every rational ε > 0")
def notes_precision() -> list[Statement]:
    """notes_precision is m + 2 for the smallest power of two 2**-m ≥ ε, and at least 118, or at least what is asked."""
    u = Unknowns("floor_log2")
    epsilon, power_m, asked = u.terms["epsilon"], u.numbers.power("2^m"), u.numbers.power("asked")
    u.domain += [epsilon * power_m <= 1, 2 * epsilon * power_m > 1]  # 2**-m / 2 < ε ≤ 2**-m

    def goal(floor: Any) -> Goal:
        def owed(result: Any) -> tuple[Any, Any]:
            power = power_of(result)
            return power == largest(4 * power_m, floor), power == 4 * power_m + floor

        return owed

    bits = Exponent({asked: 1}, 0, u.numbers)
    return [
        *u.statements(lambda: u.code.notes_precision(u.epsilon), goal(exact(2**118)), discrete=True),
        *u.statements(lambda: u.code.notes_precision(u.epsilon, bits), goal(asked), discrete=True),
    ]


# The constants, and what is written down


def _claimed() -> dict[str, str]:
    return {"claims.toml": hashlib.sha256(claims_file().read_bytes()).hexdigest()}


ROW = re.compile(r"C = ([0-9.]+) for p ≥ ([0-9]+) and B ≤ 2\^\(p-([0-9]+)\) λ")


@obligation(
    "smt.budget.constants",
    claim="F-T1",
    kind="algebra",
    also=((CLAIM, "conditional"),),
    decides=False,
    scope="every row of the table of constants and conditions in snapref.budget",
    inputs=_claimed,
)
def constants(run: Run) -> Outcome:
    """The table that the reference uses, and Theorem 1 is proved for, is the one that the claims state.

    Its first row has the documents' constant and the weakest conditions.
    """
    claims, rows = load_claims(), SUBJECT.PROVED
    table = [(row.constant, row.min_precision, row.max_beta) for row in rows]
    stated = [(Fraction(c), int(p), Fraction(1, 2 ** int(k))) for c, p, k in ROW.findall(claims["F-T1"].corrected)]
    printed = re.search(r"1 \+ ([0-9]+)Bη", " ".join(claims[CLAIM].statement.split()))
    short = [f"for p ≥ {p} and B ≤ 2^(p-{_bits(beta)}) λ" for _, p, beta in table[1:]]
    short += [f"λ ≤ B ≤ 2^(p-{_bits(table[0][2])}) λ; p ≥ {table[0][1]};", f"Then {table[0][0]} suffices"]
    condition = " ".join(claims[CLAIM].condition.split())
    wrong = [
        (table != stated, f"F-T1 says {stated}, the table {table}"),
        (printed is None or int(printed[1]) != table[0][0], "the first row does not have the documents' constant"),
        (any(text not in condition for text in short), f"{CLAIM} does not say {short}"),
        (any(row.eta != Fraction(1, 2**row.min_precision) for row in rows), "a row's η is not 2**-p for its least p"),
        (any(row.most != f"2**-{_bits(row.max_beta)}" for row in rows), "a row does not write down its largest B·η/λ"),
    ]
    faults = [text for fault, text in wrong if fault]
    return Outcome("refuted", "\n".join(faults)) if faults else Outcome("proved", f"{len(table)} rows")


def _bits(beta: Fraction) -> int:
    """k, for β = 2**-k."""
    return beta.denominator.bit_length() - 1


@obligation(
    "smt.budget.certificate",
    claim=CLAIM,
    kind="algebra",
    part="conditional",
    decides=False,
    scope="every budget and every lattice; the names of unknown numbers in place of their digits",
)
def certificate(run: Run) -> Outcome:
    """Each line of a certificate, and each field of its JSON, has the number that it names, `honoured` rounded up. A
    number is written in hexadecimal, beside the decimal of the double that it is, or else of about six digits."""
    faults = [*_misprinted(), *_misquoted()]
    return Outcome("refuted", "\n".join(faults)) if faults else Outcome("proved", "every line and every field")


def _misprinted() -> Iterator[str]:
    u = Unknowns("floor_log2", "round_to_bits")
    names = ("epsilon", "inner_epsilon", "scale", "bound", "sensitivity", "padded_sensitivity", "honoured")
    fields = {name: Rational(z3.Real(name), u.numbers) for name in names}
    lattice = Exponent({u.numbers.power("Lambda"): 1}, 0, u.numbers)
    conditions = (budget.Condition("name", "statement"),)

    def tagged(tag: str) -> Callable[[Any], str]:
        return lambda x: f"{tag}{x}"

    writers = {name: tagged(name) for name in ("exact_text", "hexadecimal", "upper_text", "show")}
    code = rebound(CERTIFICATE, {"Fraction": u.fraction, "round_to_bits": u.round_to_bits, **writers})
    exactly, hexa, upper = (writers[name] for name in ("exact_text", "hexadecimal", "upper_text"))

    def program() -> Iterator[tuple[str, Any, Any]]:
        given = budget.Budget(**fields, precision=u.precision, conditions=conditions)  # type: ignore[arg-type]
        made = code.Certificate(given, lattice)
        padded = f"{exactly(fields['sensitivity'])}, padded to {exactly(fields['padded_sensitivity'])}"
        same = decide(fields["padded_sensitivity"].term == fields["sensitivity"].term)
        lines = {
            "epsilon ε": exactly(fields["epsilon"]),
            "honoured": f"{upper(fields['honoured'])} (an upper bound of the loss)",
            "inner epsilon ε'": exactly(fields["inner_epsilon"]),
            "scale λ": exactly(fields["scale"]),
            "lattice Λ": f"2**{lattice} = show{lattice.power}",
            "bound B": exactly(fields["bound"]),
            "sensitivity Δ": exactly(fields["sensitivity"]) if same else padded,
            "precision p": f"{u.precision} bits, η = 2**-{u.precision}",
            "condition: name": "statement",
        }
        yield from (("line", item, told) for item, told in zip(lines.items(), made.lines()[:-1], strict=True))
        yield "basis", f"loss ≤ Δ/λ + {SUBJECT.PROVED[0].constant}·B·η/λ + 2η", made.basis.partition(":")[0]
        yield "basis", ("rests on", made.basis), made.lines()[-1]
        rounded = u.round_to_bits(fields["honoured"], 53, up=True)
        wanted: dict[str, Any] = {name: hexa(fields[name]) for name in names} | {"honoured": hexa(rounded)}
        wanted |= {"lattice": hexa(lattice.power), "basis": made.basis}
        wanted |= {"conditions": [{"name": "name", "statement": "statement"}]}
        written = made.as_json()
        yield "precision", "p", "p" if written.pop("precision") is u.precision else "another number"
        yield "JSON", wanted, written

    for path in paths(lambda: list(program()), 1, [z3.Real(name) > 0 for name in names]):
        yield from (f"{what}: {told} in place of {owed}" for what, owed, told in path.result if told != owed)


def _misquoted() -> Iterator[str]:
    """`exact_text` of a number that is a double, of one that is not, and of one that is too large for `float`. The
    number is only handed on, so it may be anything; what is asked of it here and not there is an error."""
    number, other, double = object(), object(), object()
    for digits, nearest, decimal in (
        ("1.5", number, repr(double)),
        ("1.5", other, "1.5"),
        ("2**2000", None, "2**2000"),
    ):
        meanings: dict[str, dict[object, Any]] = {
            "show": {number: digits},
            "hexadecimal": {number: "hex"},
            "float": {number: double} if nearest else {},
            "Fraction": {double: nearest},
        }
        code = rebound(CERTIFICATE, {name: meaning.__getitem__ for name, meaning in meanings.items()})
        if (told := code.exact_text(number)) != (owed := f"{decimal} (hex)"):
            yield f"exact_text: {told} in place of {owed}"


@proves(
    "smt.budget.hexadecimal",
    claim=CLAIM,
    part="conditional",
    decides=False,
    scope=f"every number whose text has at most {DIGITS} hexadecimal digits after the point: every double; 88 "
    "numbers of up to 1024 digits",
    beside=lambda run: _miswritten(),
)
def hexadecimal() -> list[Statement]:
    """The hexadecimal text of a number has its sign and value exactly, and its digits are digits.

    A number other than 0 is ±m·2**k with 1 ≤ m < 2.
    """
    return [statement for sign in (1, -1, 0) for statement in _hexadecimal(sign)]


def _miswritten() -> Iterator[str]:
    """Numbers with many digits. Python writes an int in hexadecimal; the digits of 1.d₁d₂… are those of 1d₁d₂… ."""
    for count, exponent, sign in product((0, 1, 2, 13, 14, 39, 40, 41, 75, 256, 1024), (-1074, -3, 0, 1023), (1, -1)):
        digits = f"{pow(7, 2 * count + 9) % 16**count | 1:0{count}x}" if count else ""
        x = sign * Fraction(int(f"1{digits}", 16), 16**count) * Fraction(2) ** exponent
        wanted = f"{'-' if sign < 0 else ''}0x1{'.' if digits else ''}{digits}p{exponent:+d}"
        if (found := CERTIFICATE.hexadecimal(x)) != wanted:
            yield f"{found} in place of {wanted}"


def _hexadecimal(sign: int) -> list[Statement]:
    u = Unknowns()
    m, power, digits = z3.Real("m"), u.numbers.power("2^k"), list[Any]()
    u.domain += [m >= 1, m < 2, power > 0]
    u.numbers.integers += [z3.RealVal(0), z3.RealVal(15)]
    k = Exponent({power: 1}, 0, u.numbers)

    def floor_log2(x: Rational) -> Exponent:
        demand("the argument is m·2**k", x.term == m * power)
        return k

    def digit(number: Rational) -> Rational:
        if len(digits) == DIGITS:
            raise ParameterError("more digits")
        digits.append(number.term)
        return number

    code = rebound(CERTIFICATE, {"Fraction": u.fraction, "floor_log2": floor_log2, "int": digit})

    def program() -> tuple[str, list[Any]]:
        digits.clear()
        return code.hexadecimal(Rational(sign * m * power, u.numbers)), list(digits)

    def goal(result: Any) -> tuple[Any, ...]:
        if result is None:
            return ()
        text, found = result
        point = "." if found else ""
        names = "".join(f"{Rational(d, u.numbers):x}" for d in found)
        wanted = f"{'-' if sign < 0 else ''}0x1{point}{names}p{k:+d}" if sign else "0x0p+0"
        value = sum((d * exact(Fraction(1, 16**n)) for n, d in enumerate(found, 1)), z3.RealVal(1))
        right = z3.And(m == value, *(z3.And(d >= 0, d <= 15) for d in found)) if sign else z3.BoolVal(not found)
        return z3.And(z3.BoolVal(text == wanted), right), z3.BoolVal(False)

    return u.statements(program, goal, discrete=True)


@proves(
    "smt.budget.upper",
    claim=CLAIM,
    part="conditional",
    decides=False,
    scope="every rational x > 0",
    beside=lambda run: _downward(),
)
def upper() -> list[Statement]:
    """What `upper_text` writes is an upper bound: x rounded up to 53 bits, and in decimal that divided, rounded up.

    That the decimal module rounds a quotient up when it is told to is trusted.
    """
    u = Unknowns("round_to_bits")
    written: dict[str, Any] = {}

    def hexa(number: Rational) -> str:
        written["hex"] = number.term
        return "hex"

    class Upward:
        def divide(self, a: Rational, b: Rational) -> str:
            written["decimal"] = (a / b).term
            return "decimal"

    code = rebound(
        CERTIFICATE, {"round_to_bits": u.round_to_bits, "hexadecimal": hexa, "UPWARD": Upward(), "Decimal": lambda n: n}
    )

    def program() -> tuple[Any, Any, bool]:
        text = code.upper_text(u.x)
        return written["hex"], written["decimal"], text == "decimal (hex)"

    x = u.terms["x"]
    goal = lambda r: (z3.And(x <= r[0], r[0] == r[1], z3.BoolVal(r[2])), r[0] == x)  # noqa: E731
    return u.statements(program, goal)


def _downward() -> Iterator[str]:
    if CERTIFICATE.UPWARD.rounding != ROUND_CEILING:
        yield "decimals are not rounded up"
