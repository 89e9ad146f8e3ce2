"""What colors the rows of a figure where nobody said: the groups that color the report's map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eigenlens.algebra.typing import AnyArray

if TYPE_CHECKING:
    from eigenlens.cli.input_table import InputTable

__all__ = ["NamedColumn", "default_color"]


@dataclass(frozen=True, eq=False)
class NamedColumn:
    """Entries of a column, and what to call it in a legend."""

    name: str
    values: AnyArray

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> AnyArray:
        return self.values


def default_color(model: Any, drawing: Any, sheet: InputTable) -> dict[str, Any]:
    """The groups that are seen best, as an argument of the figure; nothing where one was named."""
    from eigenlens.digest.group_order import order_groups
    from eigenlens.explain.model_rows import scores_and_lengths
    from eigenlens.model.subspace import Subspace

    if drawing.color is not None or not isinstance(model, Subspace):
        return {}
    groups = sheet.row_info.groups
    ordered = order_groups(groups, lambda: scores_and_lengths(model, sheet.source)[0])
    name = next(iter(ordered), None)
    return {} if name is None else {"color": NamedColumn(name, ordered[name])}
