"""Sweeps (`snapref sweep`): a file says what to compute; it is cut into pieces, and many workers compute them.

    spec.toml ── spec ──> pieces ── local or cluster ──> work.do on some worker ──> store (JSON lines) ──> summary

A *piece* is a small dictionary with everything that its result depends on, its seed included. So the results are the
same whoever computes them, and in whatever order. A sweep that was interrupted goes on from what is on disk.

Read in this order: `pieces` (what all kinds of sweeps share), `table` and `spec` (reading the file), one of the kinds
(`loss_pieces`, `search_pieces`, `small_pieces`, `boxes_pieces`, `crosscheck_pieces`, with `exact_loss`, which several
share), `work` (what a worker does), `local` and `process` (workers on this machine), `cluster` (workers of Dask),
`store` (the file of results), `drive` (all of it together), `summary`.
"""
