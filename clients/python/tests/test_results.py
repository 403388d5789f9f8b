"""Results: arrays, readings, and what is made of them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tally_client import Comparison, SweepTable
from tally_client.results import Page, Reading, Results, read_npz
from tally_client.sweep_table import SweepRow

READING = {"name": "R80", "value": 15.7, "error": None, "unit": "cm", "definition": "distal 80 %"}


def archive(**more: Any) -> Results:
    """As the service writes it, first axis fastest."""
    values = np.asfortranarray(np.arange(6.0).reshape(2, 1, 3))
    arrays: dict[str, Any] = {
        "provenance": json.dumps(
            {
                "job_id": "j",
                "primaries": 5,
                "partial": True,
                "engine": "reference",
                "warnings": [{"code": "A", "message": "so"}],
            }
        ),
        "dose_map/1/values": values,
        "dose_map/1/errors": values / 10,
        "dose_map/1/axis_0": np.array([0.0, 1.0]),
        "dose_map/1/axis_1": np.array([0.0]),
        "dose_map/1/axis_2": np.array([1.0, 2.0, 3.0]),
        "dose_map/1/name": "Dose",
        "dose_map/1/unit": "MeV/g",
        "dose_map/1/axis_names": np.array(["x", "y", "z"]),
        "dose_map/1/axis_units": np.array(["cm", "cm", "cm"]),
        "dose_map/1/readings": json.dumps([READING]),
        **more,
    }
    file = io.BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    return read_npz(file)


def test_pages_have_values_errors_axes_and_units() -> None:
    results = archive()
    page = results["dose_map"]["Dose"]
    assert page is results["dose_map"][1]
    assert page.values[1, 0, 2] == 5 and page.errors[1, 0, 2] == 0.5 and page.unit == "MeV/g"
    assert [(axis.name, axis.unit, len(axis.centers)) for axis in page.axes] == [
        ("x", "cm", 2),
        ("y", "cm", 1),
        ("z", "cm", 3),
    ]
    assert results.partial and results.primaries == 5 and results.warnings == ["so"]
    assert float(page.readings["R80"]) == 15.7 and np.isnan(page.readings["R80"].error)
    assert str(page.readings["R80"]) == "R80 15.7 cm"
    assert np.isnan(page.relative_errors[0, 0, 0]) and page.relative_errors[1, 0, 2] == pytest.approx(0.1)
    with pytest.raises(KeyError, match="dose_map"):
        results["dosemap"]


def test_names_that_a_path_cannot_hold_come_from_the_page() -> None:
    assert list(archive(**{"dose_map/1/estimator": "dose/map"})) == ["dose/map"]


def test_a_page_without_errors_has_unknown_ones() -> None:
    arrays: dict[str, Any] = {
        "a/0/values": np.zeros(2),
        "a/0/axis_0": np.zeros(2),
        "a/0/name": "N",
        "a/0/unit": "",
        "a/0/axis_names": np.array(["z"]),
        "a/0/axis_units": np.array(["cm"]),
    }
    file = io.BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    assert np.isnan(read_npz(file)["a"]["N"].errors).all()


def test_xarray_has_named_axes_and_units() -> None:
    pytest.importorskip("xarray")
    data = archive()["dose_map"]["Dose"].to_xarray()
    assert data["value"].sel(x=1, z=3).item() == 5 and data["error"].attrs["units"] == "MeV/g"
    assert data["z"].attrs["units"] == "cm"


def test_pandas_has_a_row_for_each_bin() -> None:
    pytest.importorskip("pandas")
    table = archive()["dose_map"]["Dose"].to_pandas()
    assert list(table.columns) == ["x", "y", "z", "value", "error"] and len(table) == 6
    assert table[(table.x == 1) & (table.z == 3)]["value"].item() == 5


def test_curves_and_maps_are_drawn_with_units() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    page = archive()["dose_map"]["Dose"]
    axes = page.plot()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("z [cm]", "x [cm]")
    curve = archive(
        **{
            "dose_map/1/values": np.ones((1, 1, 3)),
            "dose_map/1/errors": np.ones((1, 1, 3)),
            "dose_map/1/axis_0": np.zeros(1),
        }
    )
    axes = curve["dose_map"]["Dose"].plot()
    assert (axes.get_xlabel(), axes.get_ylabel(), len(axes.collections)) == ("z [cm]", "Dose [MeV/g]", 1)


@pytest.mark.parametrize(
    ("package", "ask"),
    [
        ("xarray", lambda page: page.to_xarray()),
        ("pandas", lambda page: page.to_pandas()),
        ("matplotlib", lambda page: page.plot()),
    ],
)
def test_a_missing_extra_says_how_to_install_it(
    package: str, ask: Callable[[Page], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.pyplot", None)
    with pytest.raises(ImportError, match=rf'needs {package}: pip install "tally-client\[{package}\]"'):
        ask(archive()["dose_map"]["Dose"])


def test_a_sweep_is_a_table_with_gaps_where_jobs_failed() -> None:
    reading = Reading("R80", 4.0, 0.1, "cm", "")
    rows = [
        SweepRow({"beam.energy": 70}, "a", "COMPLETED", {"R80": reading}),
        SweepRow({"beam.energy": 80}, "b", "FAILED", {}),
    ]
    table = SweepTable(rows)
    assert table["beam.energy"].tolist() == [70, 80] and table["R80 error"][0] == 0.1 and np.isnan(table["R80"][1])
    assert table.unit("R80") == "cm" and "COMPLETED" in repr(table) and table[1].job_id == "b"


def test_a_comparison_has_arrays_over_the_axes() -> None:
    page = {
        "name": "Dose",
        "unit": "Gy",
        "axes": [{"name": "x", "unit": "cm"}, {"name": "z", "unit": "cm"}],
        "dimensions": [[0, 1], [0, 1, 2]],
        "difference": {"values": [0, 1, 2, 3, 4, None], "errors": [1] * 6},
        "chi_square": 3.5,
        "degrees_of_freedom": 6,
        "gamma": {"pass_rate": 0.9},
        "reading_differences": [{**READING, "value": 0.1}],
    }
    answer = {"estimators": [{"name": "map", "pages": [page, {"name": "LET", "not_compared": "only here"}]}]}
    comparison = Comparison(answer)
    dose = comparison.page("map", "Dose")
    assert dose.difference is not None and dose.difference[1, 1] == 3 and np.isnan(dose.difference[1, 2])
    assert dose.gamma == 0.9 and float(dose.readings["R80"]) == 0.1
    assert comparison.page("map", "LET").not_compared == "only here" and len(comparison) == 2
