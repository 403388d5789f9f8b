import json
import math
import tempfile
import unittest
from pathlib import Path

from tally_geant4 import data
from tally_geant4.refusal import Refusal

TABLES = json.loads(Path(data.__file__).with_name("own_tables.json").read_text())


class Data(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def test_writes_own_tables_of_every_element_where_the_site_has_none(self):
        sets = data.prepare_data({}, self.folder)
        self.assertTrue(sets.is_own)
        self.assertTrue(all(name in sets.environment for name in (*data.NEEDED, *data.OTHERS)))
        self.assertEqual(len(list((self.folder / "brem_SB").iterdir())), 92)
        self.assertEqual(len(list((self.folder / "neutron").iterdir())), 3 * 92)

    def test_uses_the_data_sets_of_a_site(self):
        site = {name: str(self.folder) for name in data.NEEDED}
        sets = data.prepare_data({**site, "G4SAIDXSDATA": "/site"}, self.folder)
        self.assertFalse(sets.is_own)
        self.assertNotIn("G4LEDATA", sets.environment)
        self.assertNotIn("G4SAIDXSDATA", sets.environment)
        self.assertIn("G4PIIDATA", sets.environment)

    def test_finds_a_folder_of_data_sets(self):
        (self.folder / "G4EMLOW8.8").mkdir()
        self.assertEqual(data.prepare_data({data.DATA_FOLDER: str(self.folder)}, self.folder), data.DataSets({}, False))

    def test_names_the_missing_ones_of_a_site(self):
        with self.assertRaisesRegex(Refusal, "G4ENSDFSTATEDATA and G4LEVELGAMMADATA and G4PARTICLEXSDATA must be set"):
            data.prepare_data({"G4LEDATA": str(self.folder)}, self.folder)
        site = {name: "/nowhere" for name in data.NEEDED}
        with self.assertRaisesRegex(Refusal, "G4LEDATA names /nowhere, which is no folder"):
            data.find_site_data(site)

    def test_bremsstrahlung_is_the_table_at_its_elements_and_between_them_in_between(self):
        table = TABLES["bremsstrahlung"]
        oxygen, fluorine, aluminium = (data.bremsstrahlung(table, z).splitlines() for z in (8, 9, 13))
        self.assertEqual(oxygen[0], "0 13 10")
        self.assertEqual(oxygen[1].split(), [repr(share) for share in table["shares"]])
        self.assertAlmostEqual(math.exp(float(oxygen[2].split()[1])), 0.15)
        self.assertEqual([float(x) for x in oxygen[4].split()], table["scaledMb"][8 * 13 : 9 * 13])
        low, middle, high = (float(lines[5].split()[3]) for lines in (oxygen, fluorine, aluminium))
        self.assertTrue(low < middle < high or low > middle > high)

    def test_neutron_cross_sections_are_in_square_millimetres(self):
        lines = data.cross_section([0.1, 20.0], [1000.0, 500.0]).splitlines()
        self.assertEqual(lines, ["0.1 20.0 2", "2", "0.1 1e-22", "20.0 5e-23"])
        neutrons = TABLES["neutrons"]
        hydrogen = dict(zip(neutrons["energiesMev"], neutrons["elastic"][0]))
        # 4.26 barn at 1 MeV (ENDF/B)
        self.assertAlmostEqual(hydrogen[1] / 4260, 1, delta=0.02)
        self.assertTrue(all(value == 0 for value in neutrons["inelastic"][0]))
