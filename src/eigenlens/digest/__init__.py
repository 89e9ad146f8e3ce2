"""Digest: what there is to say about a model and its rows, computed once for every front end.

Promises     `digest_of(model, data, rows)` computes nothing until it is asked; what was asked once
             is kept. Screen, JSON, Markdown and HTML page take the same digest.
Knows        tables and findings of `explain`, the questions of `eigenlens.questions`.
Knows not    pictures, pages, the command line.
One more     a quantity is a cached property of `Digest`; a question that takes time goes into
             `sampled_questions.py`, which asks a sample of the rows.
"""
