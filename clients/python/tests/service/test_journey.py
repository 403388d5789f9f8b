"""A user's way through a service, from a project to a figure."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tally_client import (
    AsyncClient,
    Beam,
    Box,
    Client,
    Cylinder,
    Depth,
    Differential,
    Filter,
    Job,
    Mesh,
    Project,
    Quantity,
    Within,
    Zone,
    errors,
)

TANK = Box(10, 10, 10, position=(0, 0, 5))
PROTONS = Filter.particle("proton")
PROJECT = Project(
    Beam("proton", 100, spread=0.8, sigma=0.3),
    [Zone("Water", TANK, "water")],
    [
        Depth("depth_dose", 10, radius=5, bins=100, quantities=["Dose", "dLET", Quantity("Fluence", filter=PROTONS)]),
        Mesh("map", 4, 0.4, 10, (8, 1, 20), position=(0, 0, 5)),
    ],
    title="Python",
)


@pytest.fixture(scope="module")
def job(client: Client) -> Job:
    return client.submit(PROJECT, primaries=4e3, tasks=4, seed=7).wait(timeout=120)


def test_a_built_project_runs_and_has_no_warnings(job: Job) -> None:
    assert job.warnings == [] and job.state() == "COMPLETED"
    results = job.results()
    assert list(results) == ["depth_dose", "map"] and list(results["depth_dose"]) == ["Dose", "dLET", "Fluence"]
    assert (results.primaries, results.partial, results.tasks_merged) == (4_000, False, 4)
    assert results.description["beam"].startswith("proton")


def test_the_range_is_that_of_pstar(job: Job) -> None:
    page = job.results("depth_dose", "Dose")["depth_dose"]["Dose"]
    r80 = page.readings["R80"]
    assert r80.value == pytest.approx(7.72, abs=0.1) and 0 < r80.error < 0.1 and r80.unit == "cm"  # PSTAR: 7.718 g/cm²
    assert page.values.shape == (100,) and page.axes[0].unit == "cm"
    top = page.values > page.values.max() / 2
    assert np.all(page.errors[top] > 0)


def test_arrays_are_those_of_json(client: Client, job: Job) -> None:
    raw = client.api.get_results(job_id=job.id, estimator_name="map")
    data = raw["estimators"][0]["pages"][0]["data"]
    page = job.results("map")["map"]["Dose"]
    assert np.array_equal(page.values.ravel(order="F"), np.array(data["values"]))
    assert [axis["unit"] for axis in data["axes"]] == [axis.unit for axis in page.axes]


def test_slices_and_sums_are_made_by_the_service(job: Job) -> None:
    whole = job.results("map")["map"]["Dose"]
    plane = job.results("map", bins={0: 3, 1: (5, 9)})["map"]["Dose"]
    assert np.array_equal(plane.values, whole.values[3, 5:10])
    line = job.results("map", "Dose", sum=[0])["map"]["Dose"]
    assert np.allclose(line.values, whole.values.sum(axis=0)) and line.error_batches == 4
    counted = job.results("depth_dose", "Dose", effective_histories=True)["depth_dose"]["Dose"]
    assert counted.effective_histories is not None and np.nanmax(counted.effective_histories) > 100


def test_files_are_written_whole(job: Job, tmp_path: Path) -> None:
    npz = np.load(job.save(tmp_path / "dose.npz"))
    assert npz["depth_dose/1/values"].shape == (100,)
    header = job.save(tmp_path / "dose.csv", "depth_dose", "Dose").read_text().splitlines()
    assert len(header) == 101
    assert job.crate(tmp_path / "job.zip").read_bytes()[:2] == b"PK"
    assert not list(tmp_path.glob("*.part"))
    with pytest.raises(errors.EstimatorNotFound):
        job.save(tmp_path / "none.csv", "nothing")
    assert not (tmp_path / "none.csv").exists()
    h5py = pytest.importorskip("h5py")
    with h5py.File(job.save(tmp_path / "dose.h5")) as file:
        assert file["depth_dose/1/values"].shape == (100,)


def test_inputs_and_logs_are_there(job: Job) -> None:
    assert job.project() == PROJECT.with_primaries(4e3)
    assert set(job.logs()) == {"task_1", "task_2", "task_3", "task_4"}


def test_an_estimate_is_of_every_simulator(client: Client) -> None:
    estimate = client.estimate(PROJECT, primaries=1e6, tasks=4)
    assert estimate["primaries"] == 1_000_000 and estimate["simulators"][0]["sim_type"] == "simA"


def test_a_job_is_stopped_extended_and_deleted(client: Client) -> None:
    job = client.submit(PROJECT, primaries=5e7, tasks=2)
    with pytest.raises(TimeoutError):
        job.wait(timeout=1)
    assert job.stop() in ("RUNNING", "MERGING_QUEUED", "MERGING_RUNNING", "PENDING", "COMPLETED")
    status = job.wait(check=False).status()
    if status["job_state"] == "COMPLETED":  # CANCELED where no task had begun
        job.extend(500).wait()
    job.delete()
    with pytest.raises(errors.JobNotFound) as raised:
        job.status()
    assert raised.value.request_id != "" and raised.value.status == 404


def test_a_job_is_cancelled(client: Client) -> None:
    job = client.submit(PROJECT, primaries=5e7, tasks=2)
    job.cancel()
    with pytest.raises(errors.JobCanceled):
        job.wait()
    with pytest.raises(errors.ResultsUnavailable):
        job.results()


def test_a_target_is_reached(client: Client) -> None:
    job = client.submit(
        PROJECT, primaries=1e3, tasks=2, target=0.05, max_primaries=1e5, target_estimator="depth_dose", target_page=1
    ).wait()
    assert job.status()["target_reached"] is True


def test_refusals_name_the_place(client: Client) -> None:
    wrong = PROJECT.set("scoringManager.outputs.0.quantities.0.keyword", "NEqvDose")
    with pytest.raises(errors.ProjectUnsupported) as raised:
        client.submit(wrong)
    assert raised.value.field is not None and "outputs/0/quantities/0" in raised.value.field


def test_a_sweep_is_a_table_and_two_jobs_are_compared(client: Client) -> None:
    sweep = client.sweep(PROJECT, {"beam.energy": [60, 80]}, tasks=4, primaries=1e3, seed=1).wait(timeout=120)
    table = sweep.table("depth_dose")
    assert table["state"].tolist() == ["COMPLETED"] * 2 and np.all(np.diff(table["R80"]) > 1)
    comparison = client.compare(sweep[0], sweep[1])
    assert comparison.page("depth_dose", "Dose").chi_square > 1
    assert float(comparison.page("depth_dose", "Dose").readings["R80"]) == pytest.approx(
        table["R80"][1] - table["R80"][0]
    )


def test_builders_make_what_the_service_takes(client: Client) -> None:
    hole = Cylinder(1, 10, position=(0, 0, 5))
    spectrum = Quantity(
        "Fluence", "Spectrum", filter=Filter("Z == 6", "GEN == 0"), axes=[Differential("E", 0.1, 200, 20, log=True)]
    )
    project = Project(
        Beam("carbon-12", 150, unit="MeV/nucl", spread=0.2, half_width=1, energy_cut=(10, 200)),
        [Zone("Water", TANK - hole, "water", density=1.02), Zone("Rod", hole & TANK, "pmma")],
        [Within("rod", "Rod", quantities=["Energy"]), Depth("spectrum", 5, radius=2, bins=2, quantities=[spectrum])],
        material="air",
    )
    job = client.submit(project, primaries=200).wait()
    page = job.results("spectrum")["spectrum"]["Spectrum"]
    assert page.values.shape[-1] == 20 and page.axes[-1].unit == "MeV"
    assert job.warnings == []


def test_an_example_of_the_editor_is_read_and_changed(client: Client) -> None:
    for folder in Path(__file__).parents:
        if (folder / "examples/proton-150mev-water.json").exists():
            project = Project.from_file(folder / "examples/proton-150mev-water.json").set("beam.energy", 120)
            assert json.dumps(client.submit(project, primaries=100).wait().project().get("beam.energy")) == "120"
            return
    pytest.skip("the examples are not here")


async def test_jobs_are_awaited(client: Client) -> None:
    async with AsyncClient(client.url, client.reveal_token()) as service:
        job = await service.submit(PROJECT, primaries=200)
        assert (await (await job).results("depth_dose"))["depth_dose"]["Dose"].values.max() > 0


def test_every_route_without_arguments_answers(client: Client) -> None:
    assert client.api.get_root()["name"] == "tally"
    assert client.api.get_limits()["limits"]["open_jobs_per_user_max"] > 0
    assert [one["sim_type"] for one in client.api.get_simulators()["simulators"]] == ["simA", "simB", "simC", "simD"]
    with pytest.raises(errors.TokenScopeMissing):
        client.api.get_auth_tokens()


def test_a_template_gives_a_project_with_its_values(client: Client) -> None:
    project = client.templates.get("bone-slab").project({"thickness": 3})
    assert project.get("figureManager.figures.1.geometryData.parameters.depth") == 3
    dose = client.submit(project, primaries=2000).wait().results()["depth_dose"]["Dose"]
    assert 13.3 < dose.readings["R80"].value < 14.1
    with pytest.raises(errors.NotFound):
        client.templates.get("bone")
