"""What runs inside a solver's own process: `python -P solver_process.py SOLVER SECONDS VARIABLE… < script.smt2`.

The script asks by (check-sat), once or several times. This prints the solver's answers. If variables are named, and
the only answer is `sat`, it also prints their values in SMT-LIB 2 notation. It imports the solver and nothing of ours,
so a solver that crashes, leaks or hangs harms no other process. The kernel ends it after SECONDS of processor time.
"""

import resource
import sys


def _z3(script: str, names: list[str]) -> None:
    """Calls z3's library itself. To import its Python package takes longer than most questions do."""
    import ctypes
    import os
    from importlib.util import find_spec

    package = find_spec("z3")
    assert package is not None
    folder = os.path.join(os.path.dirname(str(package.origin)), "lib")
    library = ctypes.CDLL(os.path.join(folder, min(n for n in os.listdir(folder) if "libz3" in n)))
    library.Z3_mk_config.restype = library.Z3_mk_context.restype = ctypes.c_void_p
    library.Z3_mk_context.argtypes = [ctypes.c_void_p]
    library.Z3_eval_smtlib2_string.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.Z3_eval_smtlib2_string.restype = ctypes.c_char_p
    context = library.Z3_mk_context(library.Z3_mk_config())

    def said(commands: str) -> str:  # where z3 finds an error, it ends this process with the status 1
        return str(library.Z3_eval_smtlib2_string(context, commands.encode()).decode()).strip()

    answer = said("(reset)\n".join(map(_z3_for_floats, script.split("(reset)\n"))))
    print(answer)
    if answer == "sat" and names:
        print(said(f"(get-value ({' '.join(names)}))"))


def _z3_for_floats(script: str) -> str:
    """Tells z3 how to decide a question about floats: as bits, at once. Its own way takes a third longer."""
    way = "(check-sat-using (then simplify fpa2bv simplify bit-blast sat))"
    return script.replace("(check-sat)", way) if "(set-logic QF_BVFP)" in script else script


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
    solver.setOption("fp-exp", "true")  # allow formats other than binary32 and binary64, which cvc5 calls experimental
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
    """Has the kernel end this process (SIGXCPU) after so many seconds of processor time, without a core dump."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds if hard == resource.RLIM_INFINITY else min(seconds, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    solver, seconds, *names = sys.argv[1:]
    _limit(int(seconds))
    {"z3": _z3, "bitwuzla": _bitwuzla, "cvc5": _cvc5}[solver](sys.stdin.read(), names)
    sys.stdout.flush()
