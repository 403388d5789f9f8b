"""Ends a run early, with the scores of the events so far, where a file of this name appears in the folder."""

import time
from pathlib import Path

NAME = "finish"
#: How often the file is looked for: users see no difference, and a network file system is not asked at each event.
INTERVAL_S = 0.1


class FinishFile:
    """Looks for the file, unless the deck has one of its name."""

    def __init__(self, folder: str = "."):
        self.file = Path(folder, NAME)
        self.is_watched = not self.file.exists()
        self.looks_at = 0.0

    def announce(self) -> None:
        """Says that the file is looked for: a runner that has not read this line ends the program instead."""
        if self.is_watched:
            print(f"Ends early at the file: {NAME}", flush=True)

    def has_come(self) -> bool:
        """Whether the file is there; between two looks it is not."""
        now = time.monotonic()
        if not self.is_watched or now < self.looks_at:
            return False
        self.looks_at = now + INTERVAL_S
        return self.file.exists()
