"""Proofs about the snapping mechanism: exact privacy loss, small formats exhaustively, Figure 2 and Theorem 1 (004 §4).

Exact loss, in the order to read it: dyadics, enclosure, exact, distribution, loss; then bisection, which checks them
against the reference itself; search and small_formats, which use them; and the obligations.
"""
