import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tally_geant4.data import NEEDED, write_own_tables

DECK = Path(__file__).parent / "deck"
ROOT = Path(__file__).parent.parent
HAS_GEANT4 = importlib.util.find_spec("geant4_pybind") is not None


class Outcome:
    def __init__(self, folder, *arguments, **environment):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("G4", "GEANT4"))}
        command = [sys.executable, "-m", "tally_geant4", *arguments]
        env = {**kept, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder), **environment}
        ended = subprocess.run(command, check=False, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
        self.code, self.out, self.err = ended.returncode, ended.stdout, ended.stderr.strip()


class Arguments(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def test_asks_for_a_deck(self):
        outcome = Outcome(self.folder)
        self.assertEqual((outcome.code, outcome.err), (64, "tally-geant4: --gdml and --macro must be given"))

    def test_takes_one_thread(self):
        outcome = Outcome(self.folder, "--gdml", "a", "--macro", "b", "--threads", "4")
        self.assertEqual(
            (outcome.code, outcome.err), (64, "tally-geant4: --threads must be 1: split the job into more tasks instead")
        )

    def test_says_what_to_install_without_geant4(self):
        (self.folder / "geant4_pybind.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file')")
        outcome = Outcome(self.folder, "--version", PYTHONPATH=f"{self.folder}{os.pathsep}{ROOT}")
        self.assertEqual(outcome.code, 69)
        self.assertIn("tally-geant4: Geant4 cannot be loaded: libGL.so.1: cannot open", outcome.err)

    def test_refuses_another_geant4(self):
        (self.folder / "geant4_pybind.py").write_text("G4VERSION_NUMBER = 1132")
        outcome = Outcome(self.folder, "--version", PYTHONPATH=f"{self.folder}{os.pathsep}{ROOT}")
        self.assertEqual(
            (outcome.code, outcome.err),
            (69, "tally-geant4: needs Geant4 11.4 (pip install geant4-pybind==0.1.3), not 11.3.2"),
        )


@unittest.skipUnless(HAS_GEANT4, "geant4-pybind is not installed")
class Geant4(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name, "deck")
        shutil.copytree(DECK, self.folder)

    def run_deck(self, *arguments, **environment):
        return Outcome(self.folder, "--gdml", "geometry.gdml", "--macro", "run.mac", "--threads", "1", *arguments, **environment)

    def read_sums(self, name):
        lines = (self.folder / name).read_text().splitlines()
        return [float(line.split(",")[3]) for line in lines if line[0] != "#"]

    def change(self, name, old, new):
        file = self.folder / name
        text = file.read_text()
        self.assertIn(old, text)
        file.write_text(text.replace(old, new))

    def test_version_says_that_the_tables_are_its_own(self):
        outcome = Outcome(self.folder, "--version")
        self.assertRegex(outcome.out, r"^Geant4 version \d+\.\d+\.\d+ own tables - not for claims about physics\n$")

    def test_version_with_the_data_sets_of_a_site_is_that_of_geant4(self):
        names = ("G4LEDATA", "G4ENSDFSTATEDATA", "G4LEVELGAMMADATA", "G4PARTICLEXSDATA")
        outcome = Outcome(self.folder, "--version", **{name: str(self.folder) for name in names})
        self.assertRegex(outcome.out, r"^Geant4 version \d+\.\d+\.\d+\n$")

    def run_with_site_data(self, physics):
        tables = self.folder / "tables"
        tables.mkdir()
        write_own_tables(tables)
        return self.run_deck("--physics", physics, **{name: str(tables) for name in NEEDED})

    def test_runs_reference_lists_with_the_data_sets_of_a_site_as_far_as_they_go(self):
        outcome = self.run_with_site_data("FTFP_BERT_EMZ")
        self.assertEqual(outcome.code, 69)
        self.assertRegex(
            outcome.err.splitlines()[-1],
            r"^tally-geant4: physics FTFP_BERT_EMZ: Data file <.*/tables/gamma/inel1> is not opened! ?Check G4PARTICLEXSDATA ",
        )

    def test_names_the_data_set_that_a_list_lacks(self):
        outcome = self.run_with_site_data("QGSP_BIC_HP")
        self.assertEqual(
            (outcome.code, outcome.err),
            (69, "tally-geant4: physics QGSP_BIC_HP needs the data set that G4NEUTRONHPDATA names"),
        )

    def test_refuses_a_list_that_geant4_does_not_know(self):
        outcome = self.run_with_site_data("WINE")
        self.assertEqual((outcome.code, outcome.err), (64, "tally-geant4: physics WINE: Geant4 has no list of this name"))

    def test_runs_a_deck_with_progress_summary_scores_and_histograms(self):
        outcome = self.run_deck()
        self.assertEqual((outcome.code, outcome.err), (0, ""))
        self.assertEqual(
            [line for line in outcome.out.splitlines() if line.startswith("-->")],
            [f"--> Event {n} starts." for n in (0, 5, 10, 15)],
        )
        self.assertIn("  Number of events processed : 20\n", outcome.out)
        deposits, slow = self.read_sums("energy.txt"), self.read_sums("slow.txt")
        # 60 MeV go 31 mm into water; of 1200 MeV some leave with neutrons and photons
        self.assertTrue(1000 < sum(deposits) <= 1200.001)
        self.assertGreater(deposits[2] + deposits[3], sum(deposits[4:]))
        # of 20 MeV they go 4 mm more
        self.assertTrue(0 < sum(slow) < 20.001 * 20)
        self.assertLess(slow[0], 0.2 * deposits[0])
        histogram = (self.folder / "histograms_h1_spectrum.csv").read_text()
        weights = [float(line.split(",")[1]) for line in histogram.splitlines()[7:]]
        # 20 tracks of 20 mm, of 60 down to 36 MeV, through 8000 mm³: in 1/mm²
        self.assertAlmostEqual(sum(weights[4:8]) / (20 * 20 / 8000), 1, delta=0.1)

    def test_seeds_decide_about_every_byte(self):
        read = lambda: (self.folder / "energy.txt").read_bytes()
        self.run_deck()
        first = read()
        self.run_deck()
        self.assertEqual(read(), first)
        self.change("run.mac", "setSeeds 11 12", "setSeeds 11 13")
        self.run_deck()
        self.assertNotEqual(read(), first)

    def test_photons_of_30_kev_are_absorbed_although_there_are_no_data(self):
        self.change("run.mac", "/gps/particle proton", "/gps/particle gamma")
        self.change("run.mac", "mono 60 MeV", "mono 30 keV")
        self.change("run.mac", "beamOn 20", "beamOn 300")
        outcome = self.run_deck()
        self.assertEqual((outcome.code, outcome.err), (0, ""))
        # scattering alone leaves a fifth of their energy in 20 cm of water
        self.assertGreater(sum(self.read_sums("energy.txt")) / (300 * 0.03), 0.8)

    def test_ends_early_with_what_it_has_simulated(self):
        self.change("run.mac", "beamOn 20", "beamOn 2000000")
        # few lines: each must come as it is printed
        self.change("run.mac", "printProgress 5", "printProgress 1000")
        command = [sys.executable, "-m", "tally_geant4", "--gdml", "geometry.gdml", "--macro", "run.mac"]
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        env = {**kept, "PYTHONPATH": str(ROOT), "TMPDIR": str(self.folder)}
        with subprocess.Popen(command, cwd=self.folder, env=env, stdout=subprocess.PIPE, text=True) as process:
            said = []
            for line in process.stdout:
                said.append(line.rstrip())
                if line.startswith("--> Event 1000 "):
                    (self.folder / "finish").touch()
        self.assertEqual(process.returncode, 0)
        self.assertIn("Ends early at the file: finish", said)
        (count,) = (int(line.split()[3]) for line in said if line.startswith("  Run Aborted after "))
        self.assertTrue(1000 < count < 50_000, count)
        deposit = sum(self.read_sums("energy.txt")) / 60 / count
        self.assertTrue(0.9 < deposit <= 1.0001, deposit)
        histogram = (self.folder / "histograms_h1_spectrum.csv").read_text()
        entries = sum(float(line.split(",")[0]) for line in histogram.splitlines()[7:])
        self.assertGreaterEqual(entries, count)

    def test_runs_to_its_end_where_the_deck_itself_has_a_file_called_finish(self):
        (self.folder / "finish").touch()
        outcome = self.run_deck()
        self.assertNotIn("Ends early", outcome.out)
        self.assertIn("  Number of events processed : 20\n", outcome.out)

    def test_refuses_a_command_with_its_line(self):
        self.change("run.mac", "/gps/particle proton", "/gps/particle protron")
        outcome = self.run_deck()
        self.assertEqual(outcome.code, 65)
        self.assertRegex(outcome.err.splitlines()[-1], r"^tally-geant4: run\.mac, line 3: Geant4 refuses /gps/particle protron: ")
        self.change("run.mac", "/gps/particle protron", "/gps/partikel proton")
        outcome = self.run_deck()
        self.assertIn("tally-geant4: run.mac, line 3: Geant4 refuses /gps/partikel proton: there is no such command", outcome.err)

    def test_refuses_a_geometry_in_one_sentence(self):
        self.change("geometry.gdml", '<materialref ref="water"/>', '<materialref ref="wine"/>')
        outcome = self.run_deck()
        self.assertEqual(outcome.code, 65)
        self.assertRegex(
            outcome.err.splitlines()[-1], r"^tally-geant4: geometry\.gdml: Referenced material 'wine' was not found! "
        )
        (self.folder / "geometry.gdml").write_text("<gdml>\n<solids>\n</gdml>\n")
        self.assertEqual(self.run_deck().err, "tally-geant4: geometry.gdml, line 3: is no XML: mismatched tag")

    def test_refuses_physics_without_data_before_the_start(self):
        outcome = self.run_deck("--physics", "QGSP_BIC_EMY")
        self.assertEqual(outcome.code, 64)
        self.assertEqual(
            outcome.err,
            "tally-geant4: physics QGSP_BIC_EMY needs data sets of Geant4, and no G4…DATA variable names them; "
            "without them there are QGSP_BIC, QGSP_BIC_EMV, QGSP_BIC_EMX",
        )
