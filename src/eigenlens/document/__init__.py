"""Document: what there is to read, as plain records, and one renderer for each medium.

Promises     a `Verdict`, a `Table` and a `Page` hold content and no layout; `text.py` (rich),
             `markdown.py`, `html.py` and `json_values.py` render the same records. Text that came
             from the data stays text: it neither steers a terminal nor becomes markup.
Knows        errors; rich, inside functions and in `text.py`.
Knows not    models, data, mathematics.
One more     a kind of part is a record in `page.py` and a function in each of the renderers.
"""
