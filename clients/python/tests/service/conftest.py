"""Tests against a real service: ``TALLY_URL`` and ``TALLY_TOKEN`` say which; without them they are skipped."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tally_client import Client


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    if not os.environ.get("TALLY_URL"):
        pytest.skip("no service: TALLY_URL and TALLY_TOKEN are not set")
    with Client() as client:
        yield client
