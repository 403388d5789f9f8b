"""Templates: what a value moves, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tally_client import ProjectError
from tally_client.project.template import apply_template

FOLDER = Path(__file__).parents[3] / "examples/templates"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/template.json"))


def template(name: str) -> dict[str, Any]:
    folder = FOLDER / name
    project = json.loads((folder / "project.json").read_text(encoding="utf-8"))
    return {**json.loads((folder / "template.json").read_text(encoding="utf-8")), "project": project}


@pytest.mark.parametrize("name", NAMES)
def test_the_defaults_are_the_project_itself(name: str) -> None:
    given = template(name)
    assert apply_template(given, {}) == given["project"]


def test_a_value_moves_what_depends_on_it_and_leaves_the_template_as_it_is() -> None:
    given = template("bone-slab")
    slab = apply_template(given, {"thickness": 3, "depth": 4})["figureManager"]["figures"][1]["geometryData"]
    assert slab["parameters"]["depth"] == 3
    assert slab["position"] == [0, 0, 5.5]
    assert given == template("bone-slab")


def test_unknown_parameters_and_values_out_of_range_are_refused() -> None:
    given = template("bone-slab")
    with pytest.raises(ProjectError, match=r"thicknes.*there are energy, thickness, depth"):
        apply_template(given, {"thicknes": 3})
    with pytest.raises(ProjectError, match=r"thickness.*Thickness of the slab.*must be 0\.2 to 6 cm, not 9"):
        apply_template(given, {"thickness": 9})
    with pytest.raises(ProjectError, match="must be a number"):
        apply_template(given, {"thickness": "3"})  # type: ignore[dict-item]
