"""Certificates: accepted when the proof is whole, rejected when it is cut short or tampered with."""

import pytest
import z3

from snapref_smt.engine.certificates import Cnf, bit_blast, certify, check, drat_proof, parse_dimacs

A, B = z3.BitVecs("a b", 5)
HARD = [(A + 1) * (B + 1) != A * B + A + B + 1]


def test_a_whole_proof_is_accepted_and_a_truncated_one_rejected() -> None:
    cnf = bit_blast(HARD)
    proof = drat_proof(cnf)
    assert proof is not None
    assert check(cnf, proof)
    assert not check(cnf, proof[: len(proof) // 2])
    assert not check(cnf, [])
    assert not check(cnf, [*proof[: len(proof) // 2], "1 2"])  # the file ends in the middle of a step


def test_a_wrong_step_is_rejected() -> None:
    pigeons = parse_dimacs("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")
    assert check(pigeons, ["2 0", "0"])
    assert not check(parse_dimacs("p cnf 2 3\n1 2 0\n-1 2 0\n1 -2 0\n"), ["2 0", "0"])


def test_no_certificate_for_what_can_be_satisfied() -> None:
    assert certify([A + B == 5], 30).verdict == "sat"


def test_certify() -> None:
    answer = certify(HARD, 60)
    assert (answer.solver, answer.verdict) == ("cadical+dratify", "unsat")


def test_floating_point_is_certified() -> None:
    x = z3.FP("x", z3.FPSort(3, 4))
    doubled = z3.fpAdd(z3.RNE(), x, x)
    assert (
        certify([z3.fpGT(x, z3.FPVal(1, x.sort())), z3.fpLEQ(doubled, z3.FPVal(2, x.sort()))], 120).verdict == "unsat"
    )


def test_an_overrun_is_a_timeout() -> None:
    x, y = z3.BitVecs("x y", 40)
    answer = certify([(x + 1) * (y + 1) != x * y + x + y + 1], 0.5)
    assert (answer.verdict, answer.detail) == ("timeout", "used its limit of 1 s of processor time")
    assert 0.5 < answer.seconds < 2  # the kernel samples, by the tick
    assert certify([x != x], 0.0).verdict == "timeout"


def test_reals_have_none() -> None:
    assert certify([z3.Real("r") * z3.Real("r") < 0], 10).verdict == "unknown"


def test_variables_beyond_the_header_are_counted() -> None:
    cnf = parse_dimacs("p cnf 1 2\n1 -7 0\n7 0\nc 9 is a name\n")
    assert cnf == Cnf(7, ((1, -7), (7,)))
    assert cnf.dimacs().startswith("p cnf 7 2\n")
    with pytest.raises(ValueError, match="not a clause"):
        parse_dimacs("1 2\n")
