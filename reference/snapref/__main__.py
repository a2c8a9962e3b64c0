"""`python -m snapref` is the command `snapref`."""

import runpy

runpy.run_module("snapref_harness", run_name="__main__", alter_sys=True)
