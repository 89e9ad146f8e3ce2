"""search: from a table, a rule for k and a target to a proven subspace.

Promises   a solver never decides when to stop, a rule never computes, a proof never trusts the
           solver; the records of one fit are drawn in `search.py`.
Knows      tables, solvers, certificates, rules, the model.
Knows not  where the data came from, nor what people make of the model.
"""
