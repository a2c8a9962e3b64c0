"""The test vectors: the fixed cases with their right answers, as JSON files in the style of the project Wycheproof.

There is one file for each operation, the same on every machine. The `result` of a test is one of

    valid        the answer must be `expected`
    acceptable   the answer must be `expected` or one of `alternatives`, where null stands for a refusal
    invalid      the target must refuse
"""

import json
from pathlib import Path
from typing import Any

from snapref.budget import round_to_bits
from snapref_crosscheck.cases import GENERATORS, Case, cases
from snapref_crosscheck.expected import expected, most_inner_epsilon, reference_inner_epsilon
from snapref_crosscheck.flags import FLAGS
from snapref_crosscheck.protocol import TIE_RULES, Description, description, to_wire

VERSION = 2  # of the vectors: it changes whenever a byte of them does
SCHEMA = "vectors.schema.json"
HEADER = [
    "Test vectors for the stages of the snapping mechanism (Mironov, CCS 2012).",
    "Floats are C99 hex strings, or the words inf, -inf and nan. Zeros compare equal, whatever their sign.",
    "sign 1 moves down: the noise is sign * scale * ln(u).",
]


def document(op: str) -> dict[str, Any]:
    """The vectors of one operation."""
    if op == "inner_epsilon":
        tests = [_inner_test(case) for case in cases(op)]
        groups: list[dict[str, Any]] = [{"type": "InnerEpsilonTest", "precision": 53, "tests": tests}]
    else:
        groups = [_group(op, ties) for ties in (TIE_RULES if op in ("round", "snap") else ("up",))]
    serial = 0
    for group in groups:
        for test in group["tests"]:
            serial += 1
            test["tcId"] = serial
    used = sorted({flag for group in groups for test in group["tests"] for flag in test["flags"]})
    return {
        "algorithm": "snapping mechanism",
        "operation": op,
        "schema": SCHEMA,
        "version": VERSION,
        "numberOfTests": serial,
        "header": HEADER,
        "notes": {flag: FLAGS[flag] for flag in used},
        "testGroups": groups,
    }


def _group(op: str, ties: str) -> dict[str, Any]:
    """The tests for one tie rule: all cases for the rule of the definition (up), and only ties for the others."""
    told = description({"ties": ties})
    asked = [case for case in cases(op) if ties == "up" or "Tie" in case.flags]
    name = f"{op.capitalize()}Test"
    return {"type": name, "ties": ties, "uniform": "binary64", "tests": [_test(case, told) for case in asked]}


def _test(case: Case, told: Description) -> dict[str, Any]:
    right = expected(case.op, case.args, told)
    answers: list[str | int | None] = [to_wire(x) for x in right.results]
    if right.refusal and answers:
        answers.append(None)
    result = "valid" if len(answers) == 1 else "acceptable" if answers else "invalid"
    test = {
        "tcId": 0,
        "comment": case.comment,
        "flags": list(dict.fromkeys(case.flags)),
        "args": {name: to_wire(x) for name, x in case.args.items()},
        "expected": answers[0] if answers else None,
        "result": result,
    }
    return {**test, "alternatives": answers[1:]} if len(answers) > 1 else test


def _inner_test(case: Case) -> dict[str, Any]:
    """A test of ε'. Several answers are right: `expected` is that of the reference, `most` the largest sound double."""
    epsilon, bound, sensitivity = (float(x) for x in case.args.values())
    most = round_to_bits(most_inner_epsilon(epsilon, bound, sensitivity, 53), 53, up=False)
    return {
        "tcId": 0,
        "comment": case.comment,
        "flags": list(dict.fromkeys(case.flags)),
        "args": {name: to_wire(x) for name, x in case.args.items()},
        "expected": to_wire(float(reference_inner_epsilon(epsilon, bound, sensitivity, 53))),
        "most": to_wire(float(most)),
        "result": "valid",
    }


def text(op: str) -> str:
    """The file of one operation. Each test is one line, so that changes are easy to see."""
    data = document(op)
    groups = data.pop("testGroups")
    parts = []
    for group in groups:
        tests = ",\n".join(f"        {json.dumps(test, ensure_ascii=False)}" for test in group.pop("tests"))
        head = json.dumps(group, ensure_ascii=False)[:-1]
        parts.append(f'    {head}, "tests": [\n{tests}\n    ]}}')
    outer = json.dumps(data, indent=2, ensure_ascii=False).removesuffix("\n}")
    return f'{outer},\n  "testGroups": [\n' + ",\n".join(parts) + "\n  ]\n}\n"


def write(directory: Path, schema: str) -> dict[str, int]:
    """Writes every file and the schema. Returns how many tests each file has."""
    directory.mkdir(parents=True, exist_ok=True)
    counts = {}
    for op in GENERATORS:
        content = text(op)
        (directory / f"{op}.json").write_text(content, encoding="utf-8")
        counts[op] = int(json.loads(content)["numberOfTests"])
    (directory / SCHEMA).write_text(schema, encoding="utf-8")
    return counts
