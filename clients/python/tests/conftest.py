"""No test reads the configuration or the environment of whoever runs it, nor waits for pauses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tally_client import _backend
from tally_client._async import device_flow as async_device_flow
from tally_client._async import events as async_events
from tally_client._async import transport as async_transport
from tally_client._sync import device_flow, events, transport


@pytest.fixture(autouse=True)
def nobodys_configuration(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if "service" in request.node.path.parts:
        return
    for name in ("TALLY_URL", "TALLY_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses that were made, which take no time."""
    made: list[float] = []

    def sleep(seconds: float) -> None:
        made.append(seconds)

    async def async_sleep(seconds: float) -> None:
        made.append(seconds)

    assert callable(_backend.sleep)
    for module in (device_flow, events, transport):
        monkeypatch.setattr(module, "sleep", sleep)
    for module in (async_device_flow, async_events, async_transport):
        monkeypatch.setattr(module, "async_sleep", async_sleep)
    return made
