"""Figures of rows are colored by the groups that color the report's map."""

import numpy as np

from tests.cli.typed import typed


def test_a_biplot_is_colored_by_the_groups_that_are_seen_best(tmp_path):
    rng = np.random.default_rng(3)
    kind = rng.integers(0, 2, 40)
    lines = ["other,kind,a,b,c"]
    for i, one in enumerate(kind):
        a, b, c = rng.standard_normal(3) + 9 * one
        lines.append(f"{'xy'[i % 2]},{['cat', 'dog'][one]},{a},{b},{c}")
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    table, model, picture = (str(tmp_path / name) for name in ("t.csv", "m.eigenlens", "b.svg"))
    assert typed("fit", table, "-k", "2", "-o", model).exit_code == 0
    assert typed("plot", model, "biplot", "--data", table, "-o", picture).exit_code == 0
    drawn = (tmp_path / "b.svg").read_text()

    assert all(word in drawn for word in (">kind<", ">cat (", ">dog ("))
    assert ">other<" not in drawn


def test_a_remedy_that_is_a_comma_is_quoted(tmp_path):
    rows = "".join(f"{i}.5;{i}\n" for i in range(30))
    (tmp_path / "t.csv").write_text("a;b\n" + rows + "1,5;3\n")

    said = typed("fit", str(tmp_path / "t.csv")).stderr

    assert "--decimal ','" in said
    assert "--thousands ','" in said
    assert ",," not in said
