"""Results of `snapref verify` as JUnit XML, for build servers: one test case for each obligation."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from snapref_harness.cli.output import AS_EXPECTED, REFUTED
from snapref_harness.cli.verify_report import WORDS, code_of
from snapref_ledger.runner import Result

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def document(results: Sequence[Result], seconds: float) -> str:
    codes = [code_of(result) for result in results]
    failures = codes.count(REFUTED)
    counts = {
        "tests": str(len(results)),
        "failures": str(failures),
        "errors": str(len(codes) - failures - codes.count(AS_EXPECTED)),
        "time": f"{seconds:.3f}",
    }
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "snapref verify", **counts})
    for result in results:
        suite.append(_case(result))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(result: Result) -> ElementTree.Element:
    obligation, outcome, code = result.obligation, result.outcome, code_of(result)
    group = obligation.id.rpartition(".")[0] or obligation.id
    case = ElementTree.Element("testcase", {"classname": group, "name": obligation.id, "time": f"{result.seconds:.3f}"})
    if code != AS_EXPECTED:
        message = f"{outcome.status}, expected {obligation.expected}"
        tag = "failure" if code == REFUTED else "error"
        element = ElementTree.SubElement(case, tag, {"type": WORDS[code], "message": message})
        element.text = _NOT_XML.sub("?", "\n".join(text for text in (outcome.detail, outcome.witness) if text))
    return case
