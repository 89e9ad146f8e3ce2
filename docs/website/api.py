"""The reference: every public name with its signature, its words and an example that was run."""

from __future__ import annotations

import contextlib
import doctest
import inspect
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import eigenlens as el

PACKAGES = {
    "eigenlens": "Fit, ask, keep",
    "explain": "Tables for people",
    "plots": "Figures",
    "solvers": "How the components are found",
    "rank": "Rules for the number of components",
    "missing": "Cells that are missing",
    "robust": "Outlying rows and cells",
    "kernel": "Kernels",
    "sensing": "Sparse signals",
    "autoencoder": "Autoencoders",
    "errors": "Errors and warnings",
    "testing": "Checks for your own sources and solvers",
}
# Characters of a line that fit beside both lists of contents in a window of 1280 pixels.
WIDTH = 88
SETUP = "import numpy as np\nimport eigenlens as el\n"
ROWS = "rows = np.random.default_rng(0).standard_normal((200, 30)) * np.linspace(6, 1, 30)\n"
SPARSE = (
    "rng = np.random.default_rng(0)\nsignal = np.zeros(60)\nsignal[[3, 20, 41]] = 1, -2, 3\n"
    "A = rng.standard_normal((30, 60))\n"
)
# For names whose docstring has no example of its own: what they are used for.
BY_PACKAGE = {
    "rank": ROWS + "print(el.fit(rows, k=el.rank.{name}()).choices['k'].reason)",
    "solvers": ROWS + "el.fit(rows, 2, solver=el.solvers.{name}()).eigenvalues.round(3)",
    "kernel": ROWS
    + "el.KernelPCA(2, kernel=el.kernel.{name}()).fit(rows[:80]).eigenvalues_.round(4)",
    "missing": ROWS
    + "rows[3, 4] = np.nan\nel.fit(rows[:, :6], 2, missing=el.missing.{name}()).missing",
    "robust": ROWS + "el.fit(rows, 2, robust=el.robust.{name}()).robust.kind",
    "errors": "issubclass(el.errors.{name}, Exception)",
}
BY_NAME = {
    "open": ROWS + "el.open(rows)",
    "SmallTable": ROWS + "el.fit(rows[:, :8], k=el.rank.SmallTable()).choices['k'].reason",
    "Certificate": ROWS + "print(el.fit(rows, 2).certificate)",
    "Subspace": ROWS + "model = el.fit(rows, 2)\nmodel.project(rows).shape",
    "Verdict": ROWS + "el.fit(rows, 0.5).choices['k']",
    "RankReport": ROWS + "el.choose_rank(rows).k",
    "DimensionReport": ROWS + "round(el.intrinsic_dimension(rows[:, :3]).value, 1)",
    "Checkpoint": "el.Checkpoint('fit.checkpoint', every_seconds=30)",
    "Source": ROWS + "isinstance(el.open(rows), el.Source)",
    "KernelSubspace": ROWS + "el.KernelPCA(2, kernel='rbf').fit(rows[:80]).model_",
    "KernelCertificate": ROWS + "print(el.KernelPCA(2, kernel='rbf').fit(rows[:80]).certificate_)",
    "NotReached": "issubclass(el.NotReached, el.RankError)",
    "describe_axes": ROWS + "model = el.fit(rows, 2)\nel.explain.describe_axes(model, rows, {'first': rows[:, 0]})",
    "supplementary_rows": ROWS + "model = el.fit(rows, 2)\nprint(el.explain.supplementary_rows(model, rows[:2]))",
    "data": ROWS + "print(el.plots.data(el.plots.scree(el.fit(rows, 3))))",
    "Fraction": ROWS + "el.fit(rows, k=el.rank.Fraction(0.8)).choices['k'].reason",
    "Rule": "isinstance(el.rank.DPA(), el.rank.Rule)",
    "Kernel": "isinstance(el.kernel.RBF(0.1), el.kernel.Kernel)",
    "Passes": ROWS + "el.fit(rows, 1, solver=el.solvers.PowerIteration(stop=el.solvers.Passes(50))).choices['stop'].value",
    "Tolerance": "el.solvers.Tolerance(1e-6)",
    "WallClock": ROWS + "el.fit(rows, 1, solver=el.solvers.BlockKrylov(stop=el.solvers.WallClock(60))).n_components",
    "Exponential": ROWS + "el.KernelPCA(2, kernel=el.kernel.Exponential(0.02)).fit(rows[:80]).eigenvalues_.round(4)",
    "Laplacian": ROWS + "el.KernelPCA(2, kernel=el.kernel.Laplacian(0.02)).fit(rows[:80]).eigenvalues_.round(4)",
    "Polynomial": ROWS + "el.KernelPCA(2, kernel=el.kernel.Polynomial(0.02)).fit(rows[:80]).eigenvalues_.round(4)",
    "RBF": ROWS + "el.KernelPCA(2, kernel=el.kernel.RBF(0.02)).fit(rows[:80]).eigenvalues_.round(4)",
    "Sigmoid": "el.kernel.Sigmoid(0.02)",
    "FISTA": SPARSE + "el.sensing.recover(A, A @ signal, method=el.sensing.FISTA()).signal.round(2)[[3, 20, 41]]",
    "OMP": SPARSE + "el.sensing.recover(A, A @ signal, method=el.sensing.OMP(3)).signal.round(2)[[3, 20, 41]]",
    "BasisPursuit": SPARSE + "el.sensing.recover(A, A @ signal, method=el.sensing.BasisPursuit()).signal.round(2)[[3, 20, 41]]",
    "Compression": "print(el.sensing.compress(np.eye(16), 'dct', keep=0.2))",
    "CheckFailed": "issubclass(el.testing.CheckFailed, AssertionError)",
    "check_adjoint": ROWS + "from scipy.sparse.linalg import aslinearoperator\nel.testing.check_adjoint(aslinearoperator(rows), np.random.default_rng(0))",
    "check_solver": "el.testing.check_solver(el.solvers.SVD())",
    "check_source": ROWS + "el.testing.check_source(el.open(rows))",
}  # fmt: skip


def public_names(package: str) -> Iterator[tuple[str, Any]]:
    """Names of the package that are neither modules nor numbers; errors have a page of their own."""
    home = el if package == "eigenlens" else getattr(el, package)
    names = [*home.__all__, "open"] if package == "eigenlens" else home.__all__
    for name in sorted(names, key=lambda one: (one[0].isupper(), one.lower())):
        thing = getattr(home, name)
        if inspect.ismodule(thing) or name.startswith("_"):
            continue
        is_error = isinstance(thing, type) and issubclass(thing, Exception)
        if package == "eigenlens" and (is_error or name == "RankReport"):
            continue
        yield name, thing


def write_reference(folder: Path) -> int:
    """A page per package; how many names there are."""
    folder.mkdir(parents=True, exist_ok=True)
    count, lines = (
        0,
        [
            "# Reference",
            "",
            "Every public name, from its docstring, with an example that was run.",
            "",
        ],
    )
    for package, title in PACKAGES.items():
        prefix = "el" if package == "eigenlens" else f"el.{package}"
        names = list(public_names(package))
        head = "eigenlens" if package == "eigenlens" else f"eigenlens.{package}"
        page = [f"# {head}", "", f"{title}. `import eigenlens as el`", ""]
        for name, thing in names:
            page += entry_of(package, prefix, name, thing)
        (folder / f"{package}.md").write_text("\n".join(page), encoding="utf-8")
        links = ", ".join(f"[{name}]({package}.md#{anchor_of(prefix, name)})" for name, _ in names)
        lines += [f"**[{head}]({package}.md)**, {title.lower()}: {links}", ""]
        count += len(names)
    lines += ["```{toctree}", ":hidden:", "", *PACKAGES, "```", ""]
    (folder / "index.md").write_text("\n".join(lines), encoding="utf-8")
    return count


def anchor_of(prefix: str, name: str) -> str:
    return re.sub(r"[^a-z0-9-_]", "", f"{prefix}.{name}".lower())


def entry_of(package: str, prefix: str, name: str, thing: Any) -> list[str]:
    doc = inspect.getdoc(thing) or ""
    words, example = split_example(doc)
    shown = [
        f"## {prefix}.{name}",
        "",
        "```python",
        signature_of(f"{prefix}.{name}", thing),
        "```",
        "",
    ]
    shown += [*markdown_of(words), ""]
    code = example or example_for(package, name)
    return [*shown, "```pycon", code, "```", ""]


def signature_of(name: str, thing: Any) -> str:
    """Names and defaults, broken between two parameters; types are in the words."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return name
    parts: list[str] = []
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not any(part.startswith("*") for part in parts):
            parts.append("*")
        star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        parts.append(f"{star}{one.name}{default_of(one)}")
    lines = [f"{name}("]
    for part in (*(f"{part}," for part in parts[:-1]), *parts[-1:]):
        space = "" if lines[-1].endswith("(") else " "
        if len(lines[-1]) + len(space) + len(part) < WIDTH:
            lines[-1] += space + part
        else:
            lines.append(f"    {part}")
    return "\n".join(lines) + ")"


def default_of(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return ""
    shown = repr(parameter.default)
    return "=..." if shown.startswith("<") else f"={shown}"


def split_example(doc: str) -> tuple[str, str]:
    """The words, and the lines of the example at their end."""
    place = doc.find(">>>")
    if place < 0:
        return doc, ""
    return doc[:place].rstrip(), doc[place:].rstrip()


def markdown_of(words: str) -> list[str]:
    """Parameters and attributes as lists; indented formulas as code; the rest as it is."""
    lines, out, held = words.splitlines(), [], False
    place = 0
    while place < len(lines):
        line = lines[place]
        if place + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[place + 1].strip() or "x"):
            out += ["", f"**{line.strip()}**", ""]
            place, held = place + 2, True
            continue
        item = re.match(r"^(\*{0,2}[A-Za-z_][\w, *]*) : (.*)$", line)
        if held and item:
            out.append(f"- `{item[1]}`: {item[2]}")
        elif held and line.startswith("    "):
            out.append(f"  {line.strip()}")
        elif held and re.match(r"^[A-Za-z_][\w, ]*$", line.strip()) and not line.startswith(" "):
            out.append(f"- `{line.strip()}`:")
        elif line.startswith("    ") and not held:
            out += ["```text", line[4:], "```"]
        else:
            out.append(line)
        place += 1
    return re.sub(r"```\n```text\n", "", "\n".join(out)).splitlines()


def example_for(package: str, name: str) -> str:
    """The example of a name without one in its docstring, with what it prints."""
    template = BY_NAME.get(name) or BY_PACKAGE.get(package)
    if template is None:
        raise LookupError(f"no example for {package}.{name}: add one to its docstring")
    return run_as_session(template.replace("{name}", name))


def run_as_session(code: str) -> str:
    """The code as it looks in Python, with what it prints."""
    namespace: dict[str, Any] = {}
    exec(SETUP, namespace)
    out = []
    for statement in doctest.script_from_examples(
        "\n".join(f">>> {line}" for line in code.splitlines())
    ).splitlines():
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(statement, "example", "single"), namespace)
        out += [f">>> {statement}", *said.getvalue().rstrip().splitlines()]
    return "\n".join(line for line in out if line)
