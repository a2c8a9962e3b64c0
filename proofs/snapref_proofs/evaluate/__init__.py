"""The evaluator: a library for everything that is computed and not argued. No argument of the proofs is below it.

`parameters` is the one record of what runs; `tails` inverts the mechanism, `distribution` and `loss` follow from it,
`search` looks for large losses, `small_formats` goes through whole formats, `witness` replays what was found.
`dyadics`, `enclosure`, `intervals` and `boxes` are the arithmetic: exact binary numbers, and enclosures by two engines.
`bisection` checks `tails` by other means, `variants` are mechanisms that differ in one stage.
"""
