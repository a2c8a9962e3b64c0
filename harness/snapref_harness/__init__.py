"""The harness: the command line `snapref`, and what it shows.

It is the only package that imports all the others. Its parts:

    cli       the verbs of the command line, one file each
    report    the dossier: one page with all claims, verdicts and figures (`snapref report`)
    sweep     grids of independent computations, on one machine or many (`snapref sweep`)
    bench     the performance table (`snapref bench`)
    mutants   the project with one mistake at a time, to see that `snapref verify` notices each (`make mutants`)
    schemas   a JSON schema for everything that the tool writes as JSON
    numbers   reads numbers as people write them
    api       writes notes/api.md
"""
