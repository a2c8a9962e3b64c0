"""Cross-checks the production implementations that are installed beside it, then prints their exact losses.

`make crosscheck-real` runs this in an environment of its own. It ends with 0 when every target could be judged: that
they do not conform is the finding, described in notes/production.md, and no error of this script.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

import losses

HERE = Path(__file__).parent
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
    codes = []
    for target in TARGETS:
        print(f"\n== {target}", flush=True)
        command = [sys.executable, "-m", "snapref_harness", "crosscheck", target, *sys.argv[1:]]
        codes.append(subprocess.run(command, cwd=HERE, check=False).returncode)
    print("\n== exact losses", flush=True)
    losses.main()
    return 0 if all(code in JUDGED for code in codes) else 2


if __name__ == "__main__":
    sys.exit(main())
