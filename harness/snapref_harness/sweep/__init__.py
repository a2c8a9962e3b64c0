"""Sweeps: a declarative file, cut into independent pieces, done by many workers, the results in one file.

    spec.toml ── spec ──> pieces ── local or cluster ──> work.do on some worker ──> store (JSON lines) ──> summary

A piece is a small dictionary that says everything its result depends on, its seed included; so the results are the
same whoever computes them, in whatever order, and a sweep that was interrupted goes on from what is on disk.
"""
