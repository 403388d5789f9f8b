"""Submissions over connections that break off at any byte."""

from __future__ import annotations

import os
import random
from urllib.parse import urlsplit

from tally_client import Beam, Box, Client, Depth, Project, Zone

from .cutting_proxy import CuttingProxy

_REQUESTS = 200
_SEED = int(os.environ.get("TALLY_RANDOM_SEED", "20261129"))


def test_200_requests_that_are_cut_make_no_job_twice(client: Client) -> None:
    numbers = random.Random(_SEED)
    parts = urlsplit(client.url)
    project = Project(
        Beam("proton", 60, primaries=1),
        [Zone("Water", Box(4, 4, 4, position=(0, 0, 2)), "water")],
        [Depth("dose", 4, radius=2, bins=4)],
    )
    titles = [f"cut {_SEED} {i}" for i in range(_REQUESTS)]
    with CuttingProxy((parts.hostname or "", parts.port or 80), numbers) as proxy:
        with Client(proxy.url, client.reveal_token()) as whole:
            first = whole.submit(project, title=titles[0][:-1]).id
        client.job(first).cancel()
        ids = []
        for title in titles:
            with Client(proxy.url, client.reveal_token()) as cut:  # a connection of its own
                proxy.cut_next(0.98 * numbers.random())
                ids.append(cut.submit(project, title=title).id)
        assert proxy.cuts == _REQUESTS
    for job_id in ids:
        client.job(job_id).cancel()  # those that come after them need the runners
    listed = [job for job in client.jobs(limit=10_000) if job["title"] in titles]
    assert len(set(ids)) == _REQUESTS
    assert sorted(job["title"] for job in listed) == sorted(titles)
    assert {job["job_id"] for job in listed} == set(ids)
