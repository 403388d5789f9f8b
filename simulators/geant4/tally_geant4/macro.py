"""Reads macros as Geant4's batch session does, and keeps the place of each command for error messages."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tally_geant4.refusal import Refusal

#: Macros that execute each other deeper than this are taken for a circle.
DEPTH_MAX = 32
#: A command goes on in the next line behind one of these (G4UIbatch::ReadCommand).
CONTINUATIONS = ("\\", "_")
EXECUTE = "/control/execute"


@dataclass(frozen=True)
class Command:
    """A command with its arguments, and the place where it begins: `run.mac, line 3`."""

    text: str
    place: str


def read_commands(file: str, depth: int = 0) -> Iterator[Command]:
    """The commands of a macro, those of the macros that it executes in their places.

    Loops and conditions stay one command: Geant4 executes them itself. Raises Refusal for a macro that is not there.
    """
    if depth > DEPTH_MAX:
        raise Refusal(f"{file}: macros execute each other more than {DEPTH_MAX} deep")
    try:
        lines = Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as err:
        raise Refusal(f"{file}: {err.strerror}") from err
    for command in join_lines(lines, file):
        name, _, rest = command.text.partition(" ")
        if name == EXECUTE and "{" not in rest:
            yield from read_commands(rest.strip().strip('"'), depth + 1)
        else:
            yield command


def join_lines(lines: list[str], file: str) -> Iterator[Command]:
    """Commands without comments, lines that go on joined."""
    words: list[str] = []
    first = 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("#"):
            continue
        first = first or number
        goes_on = text.endswith(CONTINUATIONS) and (len(text) == 1 or text[-2].isspace())
        words.append((text[:-1] if goes_on else text.split(" #", 1)[0]).strip())
        if goes_on:
            continue
        joined = " ".join(word for word in words if word)
        if joined:
            yield Command(joined, f"{Path(file).name}, line {first}")
        words, first = [], 0
