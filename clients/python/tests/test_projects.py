"""Projects: what builders write, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tally_client import (
    Beam,
    Box,
    Cylinder,
    Depth,
    Differential,
    Filter,
    Mesh,
    Project,
    ProjectError,
    Quantity,
    Sphere,
    Within,
    Zone,
)
from tally_client.project import Region

TANK = Box(10, 10, 20, position=(0, 0, 10))
WATER = Zone("Water", TANK, "water")
DEPTH = Depth("depth_dose", 20, radius=5, bins=400)
BEAM = Beam("proton", 150)


def test_the_same_project_is_the_same_json() -> None:
    one, two = (Project(BEAM, [Zone("W", Sphere(3), "water")], [DEPTH]) for _ in range(2))
    assert one == two and json.dumps(one.to_dict()) == json.dumps(two.to_dict())


def test_a_project_does_not_change() -> None:
    project = Project(BEAM, [WATER], [DEPTH])
    changed = project.set("beam.energy", 120).set("zoneManager.zones.0.name", "Tank")
    assert (project.get("beam.energy"), changed.get("beam.energy")) == (150, 120)
    project.to_dict()["beam"]["energy"] = 1
    assert project.get("beam.energy") == 150 and changed.get("zoneManager.zones.0.name") == "Tank"


def test_a_file_is_read_changed_and_written(tmp_path: Path) -> None:
    file = Project(BEAM, [WATER], [DEPTH], title="T").save(tmp_path / "project.json")
    project = Project.from_file(file).set("beam.energy", 120)
    assert project.title == "T" and project.outputs == {"depth_dose": ["Dose"]} and project.get("beam.energy") == 120


def inside(region: Region, point: tuple[float, float, float]) -> bool:
    def holds(box: object) -> bool:
        assert isinstance(box, Box)
        low, high = box.limits
        return all(a <= x <= b for a, x, b in zip(low, point, high, strict=True))

    return any(all(holds(figure) is wanted for figure, wanted in term) for term in region.terms)


def test_regions_are_what_their_operators_say() -> None:
    a, b, c = Box(2, 2, 2), Box(2, 2, 2, position=(1, 0, 0)), Box(2, 2, 2, position=(0, 1, 0))
    points = [(x / 2, y / 2, 0.3) for x in range(-5, 6) for y in range(-5, 6)]
    points = [(x + 0.1, y + 0.1, z) for x, y, z in points]
    cases: list[tuple[Region, Callable[[bool, bool, bool], bool]]] = [
        (a + b, lambda p, q, r: p or q),
        (a - b, lambda p, q, r: p and not q),
        (a & b, lambda p, q, r: p and q),
        (a - (b + c), lambda p, q, r: p and not (q or r)),
        (a - (b & c), lambda p, q, r: p and not (q and r)),
        (a - (b - c), lambda p, q, r: p and not (q and not r)),
        ((a + b) & c, lambda p, q, r: (p or q) and r),
        ((a + b) - c, lambda p, q, r: (p or q) and not r),
    ]
    for region, rule in cases:
        for point in points:
            assert inside(region, point) == rule(inside(a, point), inside(b, point), inside(c, point))
        assert all(term[0][1] for term in region.terms)


def test_everything_is_written() -> None:
    protons = Filter("Z == 1", "A == 1", "GEN == 0", name="Primary protons")
    hole = Cylinder(1, 20, position=(0, 0, 10))
    spectrum = Quantity("Fluence", "Spectrum", filter=protons, axes=[Differential("E", 0.1, 200, 50, log=True)])
    project = Project(
        Beam("carbon-12", 270, unit="MeV/nucl", spread=0.5, sigma=(0.3, 0.4), energy_cut=(100, 300), primaries=1e5),
        [Zone("Water", TANK - hole, "water", density=1.1), Zone("Rod", hole, 119)],
        [
            DEPTH,
            Mesh("map", 4, 0.4, 20, (80, 1, 200), position=(0, 0, 10), quantities=["Dose", "dLET"]),
            Within("rod", "Rod", quantities=[spectrum, Quantity("Fluence", filter=protons)]),
        ],
        world=Cylinder(20, 60, position=(0, 0, 10)),
        material="air",
    )
    json_of_editor = project.to_dict()
    beam = json_of_editor["beam"]
    assert beam["particle"]["pdg"] == 1000060120 and beam["energyUnit"] == "MeV/nucl"
    assert beam["sigma"] == {"type": "Gaussian", "x": 0.3, "y": 0.4} and beam["numberOfParticles"] == 100_000
    water, rod = json_of_editor["zoneManager"]["zones"]
    assert [[one["mode"] for one in term] for term in water["unionOperations"]] == [["union", "subtraction"]]
    assert len(json_of_editor["figureManager"]["figures"]) == 2
    assert [one["icru"] for one in json_of_editor["materialManager"]["materials"]] == [276, 119, 104]
    assert water["materialPropertiesOverrides"] == {"density": 1.1}
    scoring = json_of_editor["scoringManager"]
    (only,) = scoring["filters"]
    assert [rule["keyword"] for rule in only["rules"]] == ["Z", "A", "GEN"]
    assert [one["filter"] for one in scoring["outputs"][2]["quantities"]] == [only["uuid"]] * 2
    detector = json_of_editor["detectorManager"]["detectors"][2]["geometryData"]
    assert detector["parameters"]["zoneUuid"] == rod["uuid"]


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("beam.particle", lambda: Project(Beam("protn", 1), [WATER], [DEPTH])),
    ("beam.particle", lambda: Project(Beam("carbon", 1), [WATER], [DEPTH])),
    ("beam.particle", lambda: Project(Beam("carbon-40", 1), [WATER], [DEPTH])),
    ("beam.energy", lambda: Project(Beam("proton", 0), [WATER], [DEPTH])),
    ("beam.energy", lambda: Project(Beam("proton", float("inf")), [WATER], [DEPTH])),
    ("beam.spread", lambda: Project(Beam("proton", 1, spread=-1), [WATER], [DEPTH])),
    ("beam.unit", lambda: Project(Beam("carbon-12", 270), [WATER], [DEPTH])),
    ("beam.unit", lambda: Project(Beam("electron", 12, unit="MeV/nucl"), [WATER], [DEPTH])),
    ("beam.primaries", lambda: Project(Beam("proton", 1, primaries=0.5), [WATER], [DEPTH])),
    ("beam.direction", lambda: Project(Beam("proton", 1, direction=(0, 0, 0)), [WATER], [DEPTH])),
    ("beam.radius", lambda: Project(Beam("proton", 1, sigma=1, radius=1), [WATER], [DEPTH])),
    ("beam.energy_cut[1]", lambda: Project(Beam("proton", 1, energy_cut=(3, 2)), [WATER], [DEPTH])),
    ("beam.position", lambda: Project(Beam("proton", 1, position=(0, 0, -99)), [WATER], [DEPTH], world=Sphere(40))),
    ("zones[0].region", lambda: Project(BEAM, [WATER], [DEPTH], world=Box(9, 20, 60))),
    ("zones[0].region.Box.depth", lambda: Project(BEAM, [Zone("W", Box(1, 1, -1), "water")], [DEPTH])),
    ("zones[0].region.Cylinder.inner_radius", lambda: Project(BEAM, [Zone("W", Cylinder(1, 1, 1), "water")], [DEPTH])),
    ("zones[0].material", lambda: Project(BEAM, [Zone("W", TANK, "watr")], [DEPTH])),
    ("zones[0].material", lambda: Project(BEAM, [Zone("W", TANK, 999)], [DEPTH])),
    ("zones[0].density", lambda: Project(BEAM, [Zone("W", TANK, "water", density=1000)], [DEPTH])),
    ("zones", lambda: Project(BEAM, [WATER, Zone("Water", Sphere(1), "air")], [DEPTH])),
    ("scoring", lambda: Project(BEAM, [WATER], [])),
    ("scoring[0].bins", lambda: Project(BEAM, [WATER], [Depth("d", 20, radius=5, bins=0)])),
    ("scoring[0]", lambda: Project(BEAM, [WATER], [Depth("d", 20, radius=5, bins=9, start=500)])),
    ("scoring[1].name", lambda: Project(BEAM, [WATER], [DEPTH, DEPTH])),
    ("scoring[0].zone", lambda: Project(BEAM, [WATER], [Within("w", "Watr")])),
    ("scoring[0].quantities[0].keyword", lambda: Project(BEAM, [WATER], [Within("w", "Water", "Dos")])),
    (
        "scoring[0].quantities[0].filter.rules[0]",
        lambda: Project(BEAM, [WATER], [Within("w", "Water", Quantity("Dose", filter=Filter("Z = 1")))]),
    ),
    (
        "scoring[0].quantities[0].axes[0].lower",
        lambda: Project(
            BEAM, [WATER], [Within("w", "Water", Quantity("Fluence", axes=[Differential("E", 0, 1, 5, log=True)]))]
        ),
    ),
    ("beam.energie", lambda: Project(BEAM, [WATER], [DEPTH]).set("beam.energie", 1)),
    ("beam.energy", lambda: Project(BEAM, [WATER], [DEPTH]).set("beam.energy", "120")),
    ("beam.position.7", lambda: Project(BEAM, [WATER], [DEPTH]).set("beam.position.7", 1)),
]


@pytest.mark.parametrize(("attribute", "make"), REFUSED)
def test_what_cannot_be_meant_is_refused_by_name(attribute: str, make: Callable[[], object]) -> None:
    with pytest.raises(ProjectError) as raised:
        make()
    assert raised.value.attribute == attribute
