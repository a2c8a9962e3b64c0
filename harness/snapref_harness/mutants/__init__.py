"""Mutants: the project with one small mistake at a time, each put before the obligations of a plain `snapref verify`.

An obligation that cannot fail proves nothing. So every statement of the reference, of the batch program and of the
formulas of Theorem 1 is changed in every way that `changes` knows, and each mutant gets one of these fates:

    refuted      an obligation comes out the other way
    undecided    an obligation is not proved any more: the solvers find a counterexample that no code replays, say
    error        an obligation, or the import of its module, ends in an error
    equivalent   two solvers prove that the mutant returns and refuses what the original does
    stronger     a mutant of the proof, and two solvers prove that it states at least what the original states
    listed       it survives, and survivors.toml says why that does no harm
    survived     it survives, and nobody has said why: a hole in the obligations
    open         put off: with --patience, a mutant that takes long is left for another run

Read the modules in this order:

    changes       the mistakes: what can be changed in an expression or a statement
    source        the mutants of a file: changes of its text that keep every line where it is
    answers       what the solvers said, so that nothing is asked twice
    trial         a process that puts mutants before obligations
    footprints    which blocks of the code each obligation runs: a mutant is shown to those that run it
    order         which obligation is asked first; record.json has what became of mutants before
    equivalence   mutants of the three exact functions that change nothing
    scout         a first look at a mutant of the proof: a statement that fails
    stronger      mutants of the proof that prove at least as much
    survivors     the list of those that may survive
    quick         the few that are tried in a quick look
    campaign      all of it together; `python -m snapref_harness.mutants` runs it
"""
