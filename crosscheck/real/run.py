"""Cross-checks the production implementations, and keeps what came out for the dossier.

    python run.py [NAME=PATH…] [options of snapref crosscheck]

Without a NAME these are the libraries that are installed beside this script, and their exact losses (`make
crosscheck-real`, in an environment of its own). A NAME is one of CHECKOUTS, and PATH is what its adapter takes. The
results are kept in snapref_crosscheck/production.json, each in the place of the earlier one of the same adapter;
production.schema.json describes them. The exit code is 0 if every target could be judged. That they do not conform is
the finding, which notes/production.md describes, and not an error of this script.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import checkout
import losses

HERE = Path(__file__).parent
KEPT = HERE.parent / "snapref_crosscheck" / "production.json"
INSTALLED = (
    "diffprivlib_target:Diffprivlib",
    "diffprivlib_target:DiffprivlibWithoutCrlibm",
    "diffprivlib_target:DiffprivlibUnitSensitivity",
    "smartnoise_target:Smartnoise",
    "smartnoise_target:SmartnoiseUnitSensitivity",
)
CHECKOUTS = {
    "relm": "relm_target:Relm",
    "dpsniper": "dpsniper_target:LaplaceFixed",
    "google": "google_target:Google",
    "motion": "motion_target:Motion",
    "danrr": "danrr_target:SnappingMechanism",
    "ektelo": "ektelo_target:Ektelo",
    "covington": "covington_target:Covington",
    "dp_snapping_mech": "dp_snapping_mech_target:DpSnappingMech",
}
JUDGED = (0, 1)  # it conforms, or it does not


def judged(adapter: str, path: str | None, options: list[str]) -> dict[str, Any] | None:
    """What the cross-check says of one target; None if it could not be judged."""
    print(f"\n== {adapter}", flush=True)
    environment = {**os.environ, **({checkout.VARIABLE: os.path.abspath(path)} if path else {})}
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "result.json"
        command = [sys.executable, "-m", "snapref_harness", "crosscheck", adapter, "--json", str(file), *options]
        if subprocess.run(command, cwd=HERE, env=environment, check=False).returncode not in JUDGED:
            return None
        return dict(json.loads(file.read_text(encoding="utf-8")))


def keep(targets: dict[str, dict[str, Any]], rows: list[dict[str, Any]] | None) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    found = kept["targets"] | targets
    ordered = {adapter: found[adapter] for adapter in (*INSTALLED, *CHECKOUTS.values()) if adapter in found}
    text = json.dumps({"targets": ordered, "losses": rows or kept["losses"]}, indent=1, ensure_ascii=False)
    KEPT.write_text(text + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    named = {name: path for name, _, path in (a.partition("=") for a in arguments) if name in CHECKOUTS and path}
    options = [a for a in arguments if a.partition("=")[0] not in named]
    asked = {CHECKOUTS[name]: path for name, path in named.items()} or dict.fromkeys(INSTALLED)
    rows = None
    if not named and importlib.util.find_spec("crlibm") is None:
        print("crlibm is not installed: diffprivlib is checked with numpy's logarithm only", flush=True)
    results = {adapter: judged(adapter, path, options) for adapter, path in asked.items()}
    if not named:
        print("\n== exact losses", flush=True)
        rows = losses.main()
    found = {adapter: result for adapter, result in results.items() if result is not None}
    if len(found) < len(results):
        return 2  # then nothing is kept
    keep(found, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
