"""Theorem 1 in a proof kernel: the obligation that runs the build of proofs/kernel, in which Coq checks every step.

It runs only with --thorough or by `make kernel`, and only where Coq is installed. No other obligation depends on it.
The page that it is about is explained in notes/kernel.md.
"""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

from snapref_ledger import Outcome, Run, obligation
from snapref_ledger.claims import notes_directory
from snapref_proofs.theorem1.obligations import CLAIM, RESTING

THEOREM = re.compile(r"^theorem (\S+): assumptions (\d+), all allowed$", re.MULTILINE)
INSTALL = "On Debian: apt-get install coq libcoq-flocq libcoq-interval libcoq-coquelicot"


def folder() -> Path | None:
    """proofs/kernel of the checkout; None where snapref is installed without one."""
    notes = notes_directory()
    found = notes.parent / "proofs" / "kernel" if notes else None
    return found if found and found.is_dir() else None


def inputs() -> dict[str, str]:
    """Every file of the folder, and the version of Coq."""
    sources = folder()
    if sources is None:
        return {}
    files = sorted(path for path in sources.iterdir() if path.suffix in {".v", ".sh", ".txt"})
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    coq = shutil.which("coqc")
    said = subprocess.run([coq, "--version"], capture_output=True, text=True, check=False).stdout if coq else ""
    return {**digests, "coqc": said}


@obligation(
    "kernel.theorem1",
    claim=CLAIM,
    kind="kernel",
    scope="all parameters of the statements in proofs/kernel/Statement.v: p ≥ 11, λ ≤ B, B·η/λ ≤ 2**-7; the constant "
    "12 (Δ a power of two or a multiple of the spacing at 2B; 11.7 for p ≥ 24, B·η/λ ≤ 2**-13), 16 (every Δ), and the "
    "certificate of a budget",
    also=RESTING,
    thorough=True,
    timeout=1800,
    inputs=inputs,
)
def theorem1(run: Run) -> Outcome:
    """Coq's kernel accepts the theorem, from the definition of the mechanism to the bound.

    It uses no axiom but those of Coq's real numbers.
    """
    sources = folder()
    if sources is None:
        return Outcome("undecided", "proofs/kernel is not here: it is in the repository, not in the wheel")
    if shutil.which("coqc") is None:
        return Outcome("undecided", f"Coq is not installed. {INSTALL}")
    built = subprocess.run(["bash", str(sources / "build.sh"), "--warm"], capture_output=True, text=True, check=False)
    found = dict(THEOREM.findall(built.stdout))
    if built.returncode != 0 or not found:
        last = (built.stderr or built.stdout).strip().splitlines()[-8:]
        return Outcome("undecided", "\n".join([f"the build ended with status {built.returncode}", *last]))
    detail = "; ".join(f"{name}, {count} axioms of the real numbers" for name, count in found.items())
    return Outcome("proved", detail, engines={"Coq": {"answer": f"{len(found)} theorems"}})
