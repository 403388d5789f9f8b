"""Templates: projects with parameters (the same rules as packages/client/src/templates.ts)."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from .._problems import ProjectError
from .checks import number

#: Significant digits of a value that is computed: 0.1 + 0.2 is written as 0.3.
_DIGITS = 12


def apply_template(template: Mapping[str, Any], values: Mapping[str, float]) -> dict[str, Any]:
    """The project of a template with these values; parameters without one have their default. Terms of several parameters for one
    place are added.

    :raises ProjectError: for an unknown parameter, or a value outside its range
    """
    parameters = {str(one["name"]): one for one in template["parameters"]}
    for name, value in values.items():
        if name not in parameters:
            raise ProjectError(name, f"is no parameter of this template; there are {', '.join(parameters)}")
        one = parameters[name]
        real = number(name, value)
        if not one["min"] <= real <= one["max"]:
            limits = f"{one['min']:g} to {one['max']:g} {one['unit']}".rstrip()
            raise ProjectError(name, f"({one['label']}) must be {limits}, not {value!r}")
    places: dict[str, float] = {}
    for name, one in parameters.items():
        value = float(values.get(name, one["default"]))
        for target in one["targets"]:
            term = value * target.get("scale", 1) + target.get("offset", 0)
            places[target["pointer"]] = places.get(target["pointer"], 0) + term
    project: dict[str, Any] = copy.deepcopy(dict(template["project"]))
    for pointer, value in places.items():
        _set_number(project, pointer, float(f"{value:.{_DIGITS}g}"))
    return project


def _set_number(project: dict[str, Any], pointer: str, value: float) -> None:
    """Puts a number where one stands, by a JSON pointer (RFC 6901)."""
    *names, last = [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]
    place: Any = project
    for name in names:
        place = place[int(name)] if isinstance(place, list) else place[name]
    key = int(last) if isinstance(place, list) else last
    if isinstance(place[key], bool) or not isinstance(place[key], (int, float)):
        raise ProjectError(pointer, "is no number in the project of the template")
    # a whole number stays one, such as that of primaries
    place[key] = int(value) if isinstance(place[key], int) and value == int(value) else value
