"""Cross-checks the production implementations that are installed beside it, then prints their exact losses.

`make crosscheck-real` runs this in an environment of its own. The results are kept in
snapref_crosscheck/production.json, for `snapref report`; production.schema.json describes them. The exit code is 0 if
every target could be judged. That they do not conform is the finding, which notes/production.md describes, and not an
error of this script.
"""

import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import losses

HERE = Path(__file__).parent
KEPT = HERE.parent / "snapref_crosscheck" / "production.json"
TARGETS = (
    "diffprivlib_target:Diffprivlib",
    "diffprivlib_target:DiffprivlibWithoutCrlibm",
    "diffprivlib_target:DiffprivlibUnitSensitivity",
    "smartnoise_target:Smartnoise",
    "smartnoise_target:SmartnoiseUnitSensitivity",
)
JUDGED = (0, 1)  # it conforms, or it does not


def main() -> int:
    if importlib.util.find_spec("crlibm") is None:
        print("crlibm is not installed: diffprivlib is checked with numpy's logarithm only", flush=True)
    codes, targets = [], []
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "result.json"
        for target in TARGETS:
            print(f"\n== {target}", flush=True)
            options = [target, "--json", str(file), *sys.argv[1:]]
            command = [sys.executable, "-m", "snapref_harness", "crosscheck", *options]
            codes.append(subprocess.run(command, cwd=HERE, check=False).returncode)
            if codes[-1] in JUDGED:
                targets.append(json.loads(file.read_text(encoding="utf-8")))
    print("\n== exact losses", flush=True)
    rows = losses.main()
    if not all(code in JUDGED for code in codes):
        return 2  # what was not judged is not kept
    text = json.dumps({"targets": targets, "losses": rows}, indent=1, ensure_ascii=False)
    KEPT.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
