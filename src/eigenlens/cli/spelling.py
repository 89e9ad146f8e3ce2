"""spelling: messages written for Python, as one types on a command line.

"ask for k=4 or fewer"      becomes     "ask for -k 4 or fewer"
"""

from __future__ import annotations

import re

__all__ = ["in_shell"]

# What a message of the library says, and what it says in a shell. The first that fits is taken.
SPELLINGS: tuple[tuple[str, str], ...] = (
    (
        r"Drop these rows, or fill them in \(for example with [\w.]+\)",
        "Leave these rows out with --missing drop, or fill them in",
    ),
    (r"Allow it more passes \(max_passes=\)", "Take another solver (--solver)"),
    (r"Pass a file that model\.save\(\.\.\.\) wrote", "Name a file that 'eigenlens fit -o' wrote"),
    (r"Type: eigenlens\.load\((.*)\)\.$", r"Type: eigenlens show \1"),
    (r"Possible: None, ", "Possible: "),
    (r"\bcomponents=\((\d+), (\d+)\)", r"--components \1,\2"),
    (r"\bcomponents=", "--components "),
    (r"a table of data goes to eigenlens\.fit", "a table of data goes to 'eigenlens fit'"),
    (r"(?<=[Ll]eave )(the column|them) out with columns=\[.*?\]", r"\1 out with --exclude"),
    (r"\bcolumns=\[.*?\]", "--columns"),
    (r"eigenlens\.open\(path, header=True\)", "--header"),
    (r"eigenlens\.open\(path, header=False\)", "--no-header"),
    (r"\bheader=True", "--header"),
    (r"\bheader=False", "--no-header"),
    (r"\bdelimiter=", "--delimiter "),
    (r"\bcenter=False", "--no-center"),
    (r"\bscale=None", "--no-scale"),
    (r"\bscale='std'", "--scale"),
    (r"\breference=", "--reference"),
    (r"\bout=", "-o"),
    (r"(?<!\S)(--?[\w-]+|KIND)='", r"\1 '"),
    (
        r"(?<=CSV may be compressed as \.csv\.gz or \.csv\.zst\.)",
        " Of a file by another name, --format says what it is.",
    ),
    (r"\bk='?([\w.:+-]*\w)'?", r"-k \1"),
    (r"\bn_components=(?=\d)", "-k "),
    (r"\bmax_epochs=", "--epochs "),
    (r"\bkind=", "--measure "),
    (r"\bname=(?=')", "--basis "),
    (r"\ba larger hidden=", "a larger --hidden"),
    (
        r"(?<![\w-])(memory|solver|tolerance|checkpoint|weights|convention|seed|theme|row|levels?|to|method)"
        r"='?([^\s',;]*[^\s',;.])'?",
        r"--\1 \2",
    ),
    (r"\b(memory|solver|tolerance|checkpoint|weights|labels)=(?=\W)", r"--\1"),
)
PATTERNS = tuple((re.compile(pattern), words) for pattern, words in SPELLINGS)


def in_shell(message: str) -> str:
    """The message with options in place of arguments."""
    for pattern, words in PATTERNS:
        message = pattern.sub(words, message)
    return message
