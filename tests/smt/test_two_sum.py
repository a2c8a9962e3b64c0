"""What a rounded sum loses: the statement needs its hypothesis."""

from dataclasses import replace

from snapref_smt.two_sum import fast_two_sum
from tests.breaking import fails_on_bits


def test_the_order_of_the_numbers_matters() -> None:
    statement = fast_two_sum()
    assert fails_on_bits(replace(statement, hypotheses=statement.hypotheses[:-1]))
