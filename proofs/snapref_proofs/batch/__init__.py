"""Many releases at once, on arrays: bit for bit what the reference releases from the same random bits.

`draws` turns random words into signs, exponents and mantissas, `logarithm` takes their logarithms with a proved error
and says which of them it is not sure of, `mechanism` does the rest in hardware doubles. It stands here and not beside
the reference because it is an optimisation that has to be proved: `obligations` does so. `stages` puts each stage next
to the reference's and runs both on unknown inputs, with `lanes` for numpy's code and `integers` for the reference's;
`log_error` runs the logarithm on what is known of a cell. `scalar` puts the reference's own program on doubles beside
the batch path, `widening` doubles beside the reference's wider format; `symbols` finds the order in which a program
takes its stages. Needs numpy (snapref[batch]).
"""
