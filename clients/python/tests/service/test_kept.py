"""Projects that are kept, and templates, on a service."""

from __future__ import annotations

import pytest

from tally_client import Client, errors

from .test_journey import PROJECT


def test_a_project_is_kept_saved_run_and_deleted(client: Client) -> None:
    first = client.projects.keep(PROJECT, title="Kept from Python")
    second = client.projects.save(first, first.set("beam.energy", 90), note="less energy")
    assert (first.revision, second.get("beam.energy")) == (1, 90)
    with pytest.raises(errors.Conflict):
        client.projects.save(first, first.set("beam.energy", 80))
    assert "Kept from Python" in [one["title"] for one in client.projects.list(search="from Python")]
    job = client.submit(second, primaries=100).wait()
    newest, *_ = client.projects.revisions(second)
    assert (newest["revision"], newest.get("note"), newest["job_ids"]) == (second.revision, "less energy", [job.id])
    assert client.projects.get(first.id, revision=1) == PROJECT
    client.projects.delete(second)
    with pytest.raises(errors.NotFound):
        client.projects.get(first.id)


def test_every_template_makes_a_project_and_one_is_swept(client: Client) -> None:
    templates = [client.templates.get(one["name"]) for one in client.templates.list()]
    for template in templates:
        parameters = template.parameters.items()
        ends = [{name: one.least for name, one in parameters}, {name: one.most for name, one in parameters}]
        assert template.project() == template.project({name: one.default for name, one in parameters})
        assert all(template.project(values).to_dict() for values in ends)
    tank = next(one for one in templates if one.name == "water-tank")
    name = next(iter(tank.parameters))
    least, most = tank.parameters[name].least, tank.parameters[name].most
    sweep = client.sweep(tank, {name: [least, most]}, primaries=200).wait(timeout=300)
    assert [job.state() for job in sweep] == ["COMPLETED"] * 2
