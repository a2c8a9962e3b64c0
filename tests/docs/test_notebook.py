"""The notebook: its cells run from top to bottom, and show what its words say."""

import ast
import json
from typing import Any

from tests.docs.blocks import ROOT
from tests.harness.test_verify import Capture

NOTEBOOK = ROOT / "notes" / "release.ipynb"


def run(source: str, names: dict[str, Any]) -> Any:
    """Runs one cell. The value of its last expression is what a notebook would show."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(NOTEBOOK), "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)


def test_every_cell_runs(capsys: Capture) -> None:
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    assert notebook["nbformat"] == 4
    names: dict[str, Any] = {}
    shown = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []  # nothing is kept: a release differs each time
            shown.append(run("".join(cell["source"]), names))
        else:
            for link in ("".join(cell["source"])).split("](")[1:]:
                assert (ROOT / "notes" / link.partition(")")[0]).is_file()
    out = capsys.readouterr().out
    assert "B = 5000.0  Δ = 1.0" in out
    assert "larger than   25.00 with probability at most 0.01" in out
    assert "no loss exceeds the bound: True" in out
    assert [picture._repr_svg_()[:4] for picture in shown if picture is not None] == 2 * ["<svg"]
