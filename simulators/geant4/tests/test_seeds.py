import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: Sets the seeds of tasks as a deck does, and prints the first numbers of each stream.
SCRIPT = """
import os, random, sys
from pathlib import Path
from tally_geant4.data import with_data
with_data({}, Path(sys.argv[1]))
import geant4_pybind as g4
from tally_geant4 import toolkit
manager = g4.G4RunManagerFactory.CreateRunManager(g4.G4RunManagerType.Serial)
numbers = random.Random(7)
pairs = [(numbers.randrange(1, 2**31), numbers.randrange(1, 2**31)) for _ in range(1000)]
for first, second in [*pairs, *((5, i) for i in range(1, 1001)), *((i, 5) for i in range(1, 1001) if i != 5)]:
    assert toolkit.apply_command(f"/random/setSeeds {first} {second}") == ""
    print("draw", g4.G4UniformRand(), g4.G4UniformRand(), flush=True)
os._exit(0)
"""


@unittest.skipUnless(importlib.util.find_spec("geant4_pybind"), "geant4-pybind is not installed")
class Seeds(unittest.TestCase):
    def test_no_two_of_many_tasks_begin_with_the_same_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", SCRIPT, folder]
            env = {**os.environ, "PYTHONPATH": str(ROOT)}
            said = subprocess.run(command, check=True, env=env, capture_output=True, text=True, timeout=300).stdout
        draws = [line for line in said.splitlines() if line.startswith("draw")]
        self.assertEqual((len(draws), len(set(draws))), (2999, 2999))
