"""What the jobs of a sweep gave, as a table."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._extras import needs
from ._problems import ProjectError, TallyError
from .results import Reading

if TYPE_CHECKING:
    import pandas


def combinations(values: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Every combination of the values, the last name the fastest."""
    lists = {name: list(given) for name, given in values.items()}
    for name, given in lists.items():
        if not given:
            raise ProjectError(name, "must have a value")
    if not lists:
        raise ProjectError("values", 'must name what changes, for example {"beam.energy": range(70, 231, 10)}')
    return [dict(zip(lists, chosen, strict=True)) for chosen in itertools.product(*lists.values())]


class SweepRow:
    """What one job of a sweep gave."""

    def __init__(self, values: Mapping[str, Any], job_id: str, state: str, readings: Mapping[str, Reading]) -> None:
        self.values = dict(values)
        self.job_id = job_id
        self.state = state
        self.readings = readings


class SweepTable(Sequence[SweepRow]):
    """Rows of a sweep, and columns by their names: ``table["beam.energy"]``, ``table["R80"]``, ``table["R80 error"]``."""

    def __init__(self, rows: Sequence[SweepRow]) -> None:
        self.rows = list(rows)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return self.rows[key]
        columns = self._columns()
        if key not in columns:
            raise KeyError(f"there is no column {key!r}, but {', '.join(columns)}")
        return np.array(columns[key])

    def __iter__(self) -> Iterator[SweepRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def unit(self, reading: str) -> str:
        """Unit of a reading."""
        for row in self.rows:
            if reading in row.readings:
                return row.readings[reading].unit
        raise TallyError(f"no job has the reading {reading}")

    def to_pandas(self) -> pandas.DataFrame:
        with needs("pandas"):
            import pandas

        return pandas.DataFrame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        names = dict.fromkeys(name for row in self.rows for name in row.readings)
        columns: dict[str, list[Any]] = {name: [row.values[name] for row in self.rows] for name in self.rows[0].values}
        columns["state"] = [row.state for row in self.rows]
        for name in names:
            readings = [row.readings.get(name) for row in self.rows]
            columns[name] = [float("nan") if one is None else one.value for one in readings]
            columns[f"{name} error"] = [float("nan") if one is None else one.error for one in readings]
        columns["job"] = [row.job_id for row in self.rows]
        return columns

    def __repr__(self) -> str:
        columns = self._columns()
        texts = [
            [name, *(f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in cells)]
            for name, cells in columns.items()
        ]
        widths = [max(map(len, cells)) for cells in texts]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            for row in zip(*texts, strict=True)
        )
