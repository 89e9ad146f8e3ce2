"""Builds the documentation into site/: `make docs`.

    pages      docs/*.md, docs/methods, docs/decisions, docs/notes, as they are
    gallery    every script of examples/, run, with its picture (gallery.py)
    reference  every public name from its docstring (api.py)

Sphinx reads the folder build/docs, where these are put together. A warning is an error.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
sys.path.insert(0, str(HERE))

from api import write_reference  # noqa: E402
from contents import write_contents  # noqa: E402
from gallery import write_gallery  # noqa: E402

PAGES, OUTPUT = REPOSITORY / "build" / "docs", REPOSITORY / "site"


def main() -> int:
    warnings.simplefilter("error")
    begun = time.perf_counter()
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(
        REPOSITORY / "docs", PAGES, ignore=shutil.ignore_patterns("website", "__pycache__")
    )
    shutil.copytree(HERE / "static", PAGES / "static")
    shutil.copy(HERE / "conf.py", PAGES / "conf.py")
    examples = write_gallery(PAGES / "gallery")
    names = write_reference(PAGES / "api")
    write_contents(PAGES)
    shutil.rmtree(OUTPUT, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-b", "html"]
    done = subprocess.run([*command, str(PAGES), str(OUTPUT)], check=False)
    took = time.perf_counter() - begun
    print(f"site/index.html: {examples} examples, {names} names, {took:.0f} s")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
