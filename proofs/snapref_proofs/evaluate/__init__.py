"""The evaluator: a library that computes the exact distribution of the mechanism's output, and its exact privacy loss.

It belongs to no document and proves no claim. The arguments in the other folders use it, and it imports none of them.
In the order to read it:

- `parameters` is the record of what runs: λ, Λ, B, the precision p, the law of the uniform draw U*.
- `dyadics` computes with exact binary numbers. `enclosure` encloses the exponential and the logarithm between two of
  them. `intervals` is the interface to two interval engines, and `boxes` uses it on whole boxes of parameters.
- `tails` computes the probability of an output below a threshold, by following the program backwards. `distribution`
  and `loss` follow from it. `bisection` checks `tails` by running the reference itself.
- `search` looks for large losses. `small_formats` goes through all values of a small floating-point format. `witness`
  is one example with a large loss, and replays it through the reference. `variants` are mechanisms that differ from the
  reference in one stage.
"""
