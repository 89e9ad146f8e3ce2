"""Report: one offline HTML file that a person can read, send and trust.

Promises     the answer first, in words; every statement with its number, every chart with its table
             and the line of Python that draws it; the same page without JavaScript, on paper and in
             the dark. Nothing is loaded from anywhere. Text from the data is escaped everywhere.
             The file appears whole or not at all.
Knows        tables of `explain`, figures of `plots`, the doors of `ask`; Jinja2 and Bokeh (inside
             functions only).
Knows not    mathematics: what is not in a table of `explain` is not on the page.
Many rows    read in blocks. Costly questions are asked of a sample of rows, and the page says so.
One more     a section is a function in `sections/`, `name_section(digest)`, and one line in
             `sections/__init__.py`.
"""
