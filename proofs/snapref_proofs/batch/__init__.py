"""That `snapref.batch` and the reference's program on doubles are the reference's program on patterns, bit for bit.

`stages` puts each stage of both programs side by side and runs them on unknown inputs, with `lanes` for numpy's code;
`log_error` runs the batch logarithm on what is known of a cell; `scalar` does the same for the program on doubles,
`widening` for the wider format; `symbols` finds the order in which a program takes its stages.
"""
