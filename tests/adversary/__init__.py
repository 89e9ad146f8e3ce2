"""The standing adversary: tables made to break a certificate, and the truth to judge it by.

    registry.py    `@attack(term)`: a function from a generator to an `Attack`; importing registers
    kinds/         the attacks, one file per group of terms
    truth.py       eigenvalues, vectors, totals in extended precision
    judge.py       every statement of a certificate against the truth
    run.py         `make adversary`: as many fits as asked for, and the page of results

To add a kind, write a function that draws an `Attack` into a file of `kinds`, and decorate it with
the term of `eigenlens.table.roundings` (or of the argument) that it attacks.
"""
