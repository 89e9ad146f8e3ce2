"""The computer at work: its processors, memory, threads and files.

Promises   limits are those of the container this process runs in, not those of the host; work in
           threads gives the same results in the same order as work in a loop; a file appears
           under its name only when it is complete.
Ignores    data, tables and models.
"""
