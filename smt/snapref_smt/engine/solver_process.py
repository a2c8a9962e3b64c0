"""What runs inside a solver's own process: `python -P solver_process.py SOLVER SECONDS VARIABLE… < script.smt2`.

The script asks by (check-sat), once or several times. Printed are the solver's answers and, if variables are named and
the one answer is `sat`, their values in SMT-LIB 2 notation. The solver is all that is imported: one that crashes, leaks
or hangs takes nothing with it. When it has used SECONDS of processor time, the kernel ends it.
"""

import resource
import sys


def _z3(script: str, names: list[str]) -> None:
    import z3

    context = z3.main_ctx().ref()
    answer = z3.Z3_eval_smtlib2_string(context, script).strip()
    print(answer)
    if answer == "sat" and names:
        print(z3.Z3_eval_smtlib2_string(context, f"(get-value ({' '.join(names)}))"))


def _bitwuzla(script: str, names: list[str]) -> None:
    import bitwuzla

    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    if not names:  # its own (check-sat) prints the answers
        parser.parse(script, False, False)
        return
    parser.parse(script, True, False)
    solver = parser.bitwuzla()
    answer = str(solver.check_sat())
    print(answer)
    if answer == "sat":
        values = {f.symbol(): solver.get_value(f) for f in parser.get_declared_funs()}
        print("(" + " ".join(f"({name} {values[name]})" for name in names) + ")")


def _cvc5(script: str, names: list[str]) -> None:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    solver.setOption("incremental", "true" if "(push 1)" in script else "false")
    solver.setOption("fp-exp", "true")  # formats other than binary32 and binary64; what it says there needs a second
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    symbols = parser.getSymbolManager()
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer += command.invoke(solver, symbols)
    print(answer.strip())
    if answer.strip() == "sat" and names:
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(get-value ({' '.join(names)}))", "values")
        print(parser.nextCommand().invoke(solver, symbols))


def _limit(seconds: int) -> None:
    """Ends this process by SIGXCPU when it has computed for so long, without a dump of its memory."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds if hard == resource.RLIM_INFINITY else min(seconds, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    solver, seconds, *names = sys.argv[1:]
    _limit(int(seconds))
    {"z3": _z3, "bitwuzla": _bitwuzla, "cvc5": _cvc5}[solver](sys.stdin.read(), names)
    sys.stdout.flush()
