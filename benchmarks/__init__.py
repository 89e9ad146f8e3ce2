"""benchmarks: ours beside scikit-learn, on the same arrays, in one process.

    python -m benchmarks.run          everything, into benchmarks/results (`make bench`)
    python -m benchmarks.run --dry    the same on tiny tables, into a temporary folder

Promises   times only for answers that reached the accuracy; the memory a fresh process saw; every
           measured number in the JSON, dropped by nobody.
Knows      the public face of eigenlens and of scikit-learn.
Ignores    how either of them works.

`speed` measures time and memory, `accuracy` shows who is silently wrong, `limits` how often
ordinary rows are flagged, `drawing` how long figures take. `tables` makes the data,
`peers` names who takes part, `judge` says how good an answer is, `measure` and `memory` do the
measuring, `targets` sets the results beside what was promised, `report` writes them down.
"""
