"""How the results of two jobs differ, as the service compares them (docs/results.md, Two jobs compared)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ._extras import needs
from .results import Array, Axis, Reading, reading_of

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class ComparedPage:
    """One page of both jobs: the other's less the first's, with errors of independent jobs (NaN: not known).

    ``not_compared`` says why there is nothing else. ``chi_square`` over ``degrees_of_freedom`` bins; bins of one page are
    correlated. ``gamma``: the share of bins that pass. ``readings``: differences of readings.
    """

    estimator: str
    name: str
    not_compared: str | None = None
    unit: str = ""
    axes: tuple[Axis, ...] = ()
    difference: Array | None = field(default=None, repr=False)
    difference_errors: Array | None = field(default=None, repr=False)
    ratio: Array | None = field(default=None, repr=False)
    ratio_errors: Array | None = field(default=None, repr=False)
    chi_square: float = float("nan")
    degrees_of_freedom: int = 0
    gamma: float = float("nan")
    readings: Mapping[str, Reading] = field(default_factory=dict, repr=False)


class Comparison(Sequence[ComparedPage]):
    """The pages of two jobs; ``comparison.page("depth_dose", "Dose")`` finds one."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self._pages = [
            _page_of(estimator["name"], page) for estimator in answer["estimators"] for page in estimator["pages"]
        ]

    def page(self, estimator: str, name: str) -> ComparedPage:
        for page in self._pages:
            if (page.estimator, page.name) == (estimator, name):
                return page
        raise KeyError(f"nothing was compared of {estimator}, {name}")

    def __getitem__(self, index: Any) -> Any:
        return self._pages[index]

    def __len__(self) -> int:
        return len(self._pages)

    def __repr__(self) -> str:
        return "\n".join(["<Comparison", *(f"  {page!r}" for page in self._pages)]) + ">"

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each page: χ², bins, share of bins that pass gamma, and the differences of readings."""
        with needs("pandas"):
            import pandas

        return pandas.DataFrame(
            {
                "estimator": page.estimator,
                "page": page.name,
                "chi_square": page.chi_square,
                "bins": page.degrees_of_freedom,
                "gamma": page.gamma,
                **{f"Δ {name}": one.value for name, one in page.readings.items()},
                "not_compared": page.not_compared,
            }
            for page in self._pages
        )


def _page_of(estimator: str, page: Mapping[str, Any]) -> ComparedPage:
    if page.get("not_compared") is not None:
        return ComparedPage(estimator, page["name"], page["not_compared"])
    dimensions = page.get("dimensions", [])
    shape = [len(centers) for centers in dimensions]

    def array(member: str, key: str) -> Array | None:
        values = (page.get(member) or {}).get(key)
        return None if values is None else np.array(values, dtype=np.float64).reshape(shape, order="F")

    axes = zip(page.get("axes", []), dimensions, strict=False)
    return ComparedPage(
        estimator=estimator,
        name=page["name"],
        unit=page.get("unit", ""),
        axes=tuple(Axis(one["name"], one["unit"], np.array(centers)) for one, centers in axes),
        difference=array("difference", "values"),
        difference_errors=array("difference", "errors"),
        ratio=array("ratio", "values"),
        ratio_errors=array("ratio", "errors"),
        chi_square=page.get("chi_square", float("nan")),
        degrees_of_freedom=page.get("degrees_of_freedom", 0),
        gamma=(page.get("gamma") or {}).get("pass_rate", float("nan")),
        readings={one["name"]: reading_of(one) for one in page.get("reading_differences", [])},
    )
