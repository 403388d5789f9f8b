import tempfile
import unittest
from pathlib import Path

from tally_geant4.macro import join_lines, read_commands
from tally_geant4.refusal import Refusal


def texts(*lines):
    return [command.text for command in join_lines(list(lines), "a.mac")]


class Macro(unittest.TestCase):
    def test_drops_comments_and_blank_lines(self):
        self.assertEqual(texts("# why", "", "  /run/initialize", "/gps/verbose 0 # quiet"), ["/run/initialize", "/gps/verbose 0"])

    def test_joins_lines_that_go_on_and_names_the_first(self):
        (command,) = join_lines(["", "/score/mesh/nBin 1 \\", "2 _", "3"], "folder/a.mac")
        self.assertEqual((command.text, command.place), ("/score/mesh/nBin 1 2 3", "a.mac, line 2"))

    def test_keeps_an_underscore_that_ends_a_name(self):
        self.assertEqual(texts("/score/open mesh_", "/score/close"), ["/score/open mesh_", "/score/close"])

    def test_puts_executed_macros_in_their_places(self):
        with tempfile.TemporaryDirectory() as folder:
            outer, inner = Path(folder, "outer.mac"), Path(folder, "inner.mac")
            inner.write_text("\n/b\n")
            outer.write_text(f"/a\n/control/execute {inner}\n/c\n")
            found = [(command.text, command.place) for command in read_commands(str(outer))]
        self.assertEqual(found, [("/a", "outer.mac, line 1"), ("/b", "inner.mac, line 2"), ("/c", "outer.mac, line 3")])

    def test_refuses_macros_in_a_circle_and_missing_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "circle.mac")
            file.write_text(f"/control/execute {file}\n")
            with self.assertRaisesRegex(Refusal, "more than 32 deep"):
                list(read_commands(str(file)))
            with self.assertRaisesRegex(Refusal, "none.mac: No such file"):
                list(read_commands(str(Path(folder, "none.mac"))))
