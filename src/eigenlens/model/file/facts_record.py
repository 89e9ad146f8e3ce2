"""What a proof knows of its table, read from a model file."""

from __future__ import annotations

from dataclasses import fields

from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.certify import TableFacts
from eigenlens.model.file.fields import RecordFields
from eigenlens.table.roundings import Roundings

__all__ = ["facts_from_record"]


def facts_from_record(record: RecordFields, diagonal: Float64Array) -> TableFacts:
    record.only(field.name for field in fields(TableFacts) if field.name != "diagonal")
    return TableFacts(
        size=record.whole("size", least=1),
        most_components=record.whole("most_components"),
        weight=record.number("weight", above=0.0),
        divisor=record.number("divisor", above=0.0),
        unit=record.number("unit", above=0.0),
        total_variance=record.number("total_variance", above=0.0),
        total_rounding=record.number("total_rounding", least=0.0),
        diagonal=diagonal,
        roundings=roundings_from(record.inner("roundings")),
        passes=record.whole("passes"),
        bytes_read=record.whole("bytes_read"),
    )


def roundings_from(record: RecordFields) -> Roundings:
    names = [field.name for field in fields(Roundings)]
    record.only(names)
    return Roundings(**{name: record.number(name, least=0.0) for name in names})
