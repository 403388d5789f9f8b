"""Results of jobs as arrays of NumPy, with errors, axes and units."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ._extras import needs

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import xarray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Axis:
    """One axis of a page: its name, its unit, and the centres of its bins."""

    name: str
    unit: str
    centers: Array = field(repr=False)

    @property
    def label(self) -> str:
        return _label(self.name, self.unit)


@dataclass(frozen=True)
class Reading:
    """A number that the service has read off a curve, with its standard error (NaN: not known) and its definition.

    ``float(reading)`` is its value. ``coordinate`` is the same place on the axis, where depth and coordinate differ.
    """

    name: str
    value: float
    error: float
    unit: str
    definition: str = field(repr=False)
    coordinate: float | None = field(default=None, repr=False)

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        error = "" if np.isnan(self.error) else f" ± {self.error:.2g}"
        return f"{self.name} {self.value:.6g}{error} {self.unit}".rstrip()


def reading_of(one: Mapping[str, Any]) -> Reading:
    """A reading from JSON, where an error that is not known is null."""
    error = one.get("error")
    return Reading(
        name=one["name"],
        value=float(one["value"]),
        error=float("nan") if error is None else float(error),
        unit=one["unit"],
        definition=one["definition"],
        coordinate=one.get("coordinate"),
    )


@dataclass(frozen=True, eq=False)
class Page:
    """The numbers of one quantity.

    ``values[i, j, k]`` and ``errors[i, j, k]`` belong to bins i, j, k of ``axes``. ``errors`` are standard errors, NaN where they
    are not known. ``error_batches``: of a sum, the number of tasks whose scatter its errors are.
    """

    estimator: str
    number: int
    name: str
    unit: str
    axes: tuple[Axis, ...]
    values: Array = field(repr=False)
    errors: Array = field(repr=False)
    readings: Mapping[str, Reading] = field(default_factory=dict, repr=False)
    effective_histories: Array | None = field(default=None, repr=False)
    error_batches: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def label(self) -> str:
        return _label(self.name, self.unit)

    @property
    def relative_errors(self) -> Array:
        """Errors as fractions of the values; NaN where a value is 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            relative: Array = np.where(self.values == 0, np.nan, self.errors / np.abs(self.values))
            return relative

    def squeeze(self) -> Page:
        """The same without axes of one bin."""
        long = [i for i, axis in enumerate(self.axes) if len(axis.centers) > 1]
        shape = [len(self.axes[i].centers) for i in long]
        histories = self.effective_histories
        return Page(
            self.estimator,
            self.number,
            self.name,
            self.unit,
            tuple(self.axes[i] for i in long),
            self.values.reshape(shape),
            self.errors.reshape(shape),
            self.readings,
            None if histories is None else histories.reshape(shape),
            self.error_batches,
            self.metadata,
        )

    def to_xarray(self) -> xarray.Dataset:
        """``value`` and ``error`` over named axes; units are in the attributes ``units``."""
        with needs("xarray"):
            import xarray

        dims = [axis.name for axis in self.axes]
        arrays = {"value": self.values, "error": self.errors}
        if self.effective_histories is not None:
            arrays["effective_histories"] = self.effective_histories
        units = {"value": self.unit, "error": self.unit}
        return xarray.Dataset(
            {name: (dims, array, {"units": units.get(name, "1")}) for name, array in arrays.items()},
            coords={axis.name: (axis.name, axis.centers, {"units": axis.unit}) for axis in self.axes},
            attrs={"estimator": self.estimator, "page": self.name},
        )

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each bin, the last axis fastest: its centres, ``value`` and ``error``; units are in ``attrs``."""
        with needs("pandas"):
            import pandas

        grid = np.meshgrid(*(axis.centers for axis in self.axes), indexing="ij")
        columns = {axis.name: centers.ravel() for axis, centers in zip(self.axes, grid, strict=True)}
        columns |= {"value": self.values.ravel(), "error": self.errors.ravel()}
        if self.effective_histories is not None:
            columns["effective_histories"] = self.effective_histories.ravel()
        table = pandas.DataFrame(columns)
        table.attrs["units"] = {axis.name: axis.unit for axis in self.axes} | {"value": self.unit, "error": self.unit}
        return table

    def plot(self, ax: matplotlib.axes.Axes | None = None, **style: Any) -> matplotlib.axes.Axes:
        """Draws a curve with its error band (one standard error), or a map of two axes.

        :param style: for ``Axes.plot``, or for ``Axes.pcolormesh``
        :raises ValueError: the page has more than two axes of several bins
        """
        with needs("matplotlib"):
            import matplotlib.pyplot as plt

        page = self.squeeze()
        axes = plt.subplots()[1] if ax is None else ax
        if len(page.axes) == 1:
            (along,) = page.axes
            (line,) = axes.plot(along.centers, page.values, **{"label": f"{self.estimator}, {self.name}", **style})
            low, high = page.values - page.errors, page.values + page.errors
            axes.fill_between(along.centers, low, high, color=line.get_color(), alpha=0.3, linewidth=0)
            axes.set(xlabel=along.label, ylabel=self.label)
        elif len(page.axes) == 2:
            first, second = page.axes
            mesh = axes.pcolormesh(second.centers, first.centers, page.values, **{"shading": "nearest", **style})
            axes.set(xlabel=second.label, ylabel=first.label)
            axes.figure.colorbar(mesh, ax=axes, label=self.label)
        else:
            raise ValueError(
                f"{len(page.axes)} axes cannot be drawn: ask for a slice or a sum, job.results(…, bins=…, sum=…)"
            )
        return axes


class Estimator(Mapping[str, Page]):
    """The pages of an output by their names; ``estimator[2]`` is the page of that number."""

    def __init__(self, name: str, pages: Sequence[Page]) -> None:
        self.name = name
        self.pages = tuple(pages)

    def __getitem__(self, key: str | int) -> Page:
        for page in self.pages:
            if key == (page.number if isinstance(key, int) else page.name):
                return page
        raise KeyError(f"{self.name} has no page {key!r}, but {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(page.name for page in self.pages))

    def __len__(self) -> int:
        return len(set(page.name for page in self.pages))

    def __repr__(self) -> str:
        shapes = ", ".join(f"{page.name} {page.values.shape} {page.unit}" for page in self.pages)
        return f"<Estimator {self.name}: {shapes}>"


class Results(Mapping[str, Estimator]):
    """The estimators of a job by their names, and where they are from.

    ``primaries``: histories behind the values. ``partial``: tasks are missing. ``warnings``: sentences of the service on what is
    shown otherwise than it was meant. ``engine``: who computed. ``description``: what was simulated.
    """

    def __init__(self, pages: Sequence[Page], provenance: Mapping[str, Any]) -> None:
        self.pages = tuple(pages)
        self._estimators = {
            name: Estimator(name, [page for page in pages if page.estimator == name])
            for name in dict.fromkeys(page.estimator for page in pages)
        }
        self.job_id = str(provenance.get("job_id", ""))
        self.primaries = int(provenance.get("primaries", 0))
        self.tasks_merged = int(provenance.get("tasks_merged", 0))
        self.partial = bool(provenance.get("partial", False))
        self.engine = str(provenance.get("engine", ""))
        self.warnings = [str(one.get("message", one)) for one in provenance.get("warnings") or []]
        self.description: Mapping[str, Any] = provenance.get("description") or {}

    def __getitem__(self, name: str) -> Estimator:
        try:
            return self._estimators[name]
        except KeyError:
            raise KeyError(f"there is no estimator {name!r}, but {', '.join(self._estimators) or 'none'}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._estimators)

    def __len__(self) -> int:
        return len(self._estimators)

    def __repr__(self) -> str:
        so_far = ", partial" if self.partial else ""
        lines = [
            f"<Results of {self.primaries} primaries{so_far}, computed by {self.engine}",
            *map(repr, self.values()),
        ]
        return "\n  ".join(lines) + ">"


def read_npz(file: BinaryIO) -> Results:
    """Results from the archive that ``GET /results?format=npz`` gives (docs/results.md)."""
    with np.load(file, allow_pickle=False) as archive:
        folders = dict.fromkeys(name.rsplit("/", 1)[0] for name in archive.files if "/" in name)
        provenance = json.loads(str(archive["provenance"])) if "provenance" in archive.files else {}
        return Results([_read_page(archive, folder) for folder in folders], provenance)


def _read_page(archive: Any, folder: str) -> Page:
    def text(name: str) -> str:
        key = f"{folder}/{name}"
        return str(archive[key]) if key in archive.files else ""

    def array(name: str) -> Array | None:
        key = f"{folder}/{name}"
        return np.asarray(archive[key], dtype=np.float64) if key in archive.files else None

    estimator, number = folder.rsplit("/", 1)
    values = array("values")
    if values is None:
        raise ValueError(f"the results have no values of {folder}")
    names, units = (np.atleast_1d(archive[f"{folder}/axis_{what}"]) for what in ("names", "units"))
    centers = [array(f"axis_{i}") for i in range(values.ndim)]
    axes = [Axis(str(names[i]), str(units[i]), np.empty(0) if one is None else one) for i, one in enumerate(centers)]
    errors, batches = array("errors"), array("error_batches")
    return Page(
        estimator=text("estimator") or estimator,
        number=int(number),
        name=text("name"),
        unit=text("unit"),
        axes=tuple(axes),
        values=values,
        errors=np.full(values.shape, np.nan) if errors is None else errors,
        readings={one["name"]: reading_of(one) for one in json.loads(text("readings") or "[]")},
        effective_histories=array("effective_histories"),
        error_batches=None if batches is None else int(batches),
        metadata=json.loads(text("metadata") or "{}"),
    )


def _label(name: str, unit: str) -> str:
    return name if unit in ("", "1") else f"{name} [{unit}]"
