"""Templates with their parameters, and projects that the service keeps."""

from __future__ import annotations

import json

import httpx
import pytest

from tally_client import ProjectError, Template, errors

from .answering import Answers, accepted, problem

SLAB = {
    "name": "slab",
    "title": "A slab",
    "teaches": "It shifts the range.",
    "expected": {"words": "The range is shorter."},
    "picture": None,
    "parameters": [
        {
            **{"name": "depth", "label": "Depth", "unit": "cm", "min": 0, "max": 10, "step": 1, "default": 2},
            "targets": [{"pointer": "/slab/position/2"}, {"pointer": "/a~1b", "scale": -1, "offset": 10}],
        },
        {
            **{"name": "thickness", "label": "Thickness", "unit": "cm", "min": 0.2, "max": 6, "step": 0.2, "default": 1},
            "targets": [{"pointer": "/slab/depth"}, {"pointer": "/slab/position/2", "scale": 0.5}],
        },
    ],
    "project": {"slab": {"depth": 1, "position": [0, 0, 2.5]}, "a/b": 8, "beam": {"numberOfParticles": 10}},
}


def kept(revision: int) -> httpx.Response:
    body = {"project_id": "p", "title": "Mine", "revision": revision, "project": {"beam": {"numberOfParticles": 7}}}
    return httpx.Response(200, json=body)


def test_terms_of_parameters_that_move_one_place_are_added() -> None:
    template = Template(SLAB)
    assert template.project().to_dict() == SLAB["project"]
    changed = template.project({"thickness": 3, "depth": 4}).to_dict()
    assert (changed["slab"], changed["a/b"]) == ({"depth": 3, "position": [0, 0, 5.5]}, 6)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"thickness": 7}, "thickness .*must be 0.2 to 6 cm, not 7"),
        ({"width": 1}, "width is no parameter of this template; there are depth, thickness"),
        ({"depth": float("nan")}, "depth must be"),
    ],
)
def test_values_that_cannot_be_meant_are_refused_before_a_request(values: dict[str, float], message: str) -> None:
    answers = Answers([httpx.Response(200, json=SLAB)])
    with answers.client() as client:
        template = client.templates.get("slab")
        with pytest.raises(ProjectError, match=message):
            client.sweep(template, {name: [value] for name, value in values.items()})
    assert len(answers.requests) == 1


def test_a_sweep_goes_over_parameters_of_a_template() -> None:
    answers = Answers([httpx.Response(200, json=SLAB), accepted("a"), accepted("b")])
    with answers.client() as client:
        sweep = client.sweep(client.templates.get("slab"), {"depth": [1, 2]}, primaries=5)
    sent = [json.loads(body) for body in answers.bodies[1:]]
    assert [one["sim_data"]["slab"]["position"][2] for one in sent] == [1.5, 2.5]
    assert [one["title"] for one in sent] == ["A slab [depth=1]", "A slab [depth=2]"] and len(sweep) == 2


def test_a_job_remembers_the_revision_that_it_was_submitted_from() -> None:
    answers = Answers([kept(3), accepted()])
    with answers.client() as client:
        project = client.projects.get("p")
        client.submit(project, primaries=20)
        assert "revision 3" in repr(project)
        client.submit(project.set("beam.numberOfParticles", 8))
    first, second = (json.loads(body) for body in answers.bodies[1:])
    assert first["project"] == {"project_id": "p", "revision": 3} and "project" not in second


async def test_a_project_that_another_has_saved_meanwhile_is_not_overwritten() -> None:
    answers = Answers([kept(1), problem(409, "PROJECT_CHANGED")])
    async with answers.async_client() as client:
        project = await client.projects.get("p")
        with pytest.raises(errors.Conflict):
            await client.projects.save(project, project.set("beam.numberOfParticles", 9), note="nine")
    assert json.loads(answers.bodies[1]) == {
        "project_id": "p",
        "revision": 1,
        "project": {"beam": {"numberOfParticles": 9}},
        "note": "nine",
    }
