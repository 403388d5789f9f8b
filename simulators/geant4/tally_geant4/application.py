"""The user's part of a Geant4 program: geometry from GDML, physics, a general particle source, and what follows a run."""

import os
from pathlib import Path
from xml.parsers import expat

import geant4_pybind as g4

from tally_geant4 import toolkit
from tally_geant4.finish import FinishFile
from tally_geant4.macro import read_commands
from tally_geant4.physics import use_physics
from tally_geant4.refusal import DECK, MISSING, Refusal

#: Commands that open and write the files of the analysis manager; a macro that has one does it itself.
ANALYSIS_COMMANDS = ("/analysis/openFile", "/analysis/write", "/analysis/closeFile")
FILE_NAME_COMMAND = "/analysis/setFileName"
WARNINGS_MAX = 20
#: How the place of a fault begins that is not of the deck.
PHYSICS = "physics"


class Geometry(g4.G4VUserDetectorConstruction):
    """The world volume of a GDML file. What Geant4 does afterwards belongs to the physics."""

    def __init__(self, file: str, place: "Place", physics: str):
        super().__init__()
        self.file = file
        self.place = place
        self.physics = physics
        self.parser = g4.G4GDMLParser()

    def Construct(self):
        self.place.text = os.path.basename(self.file)
        self.parser.SetStripFlag(True)
        self.parser.Read(self.file, False)
        self.place.text = f"{PHYSICS} {self.physics}"
        return self.parser.GetWorldVolume()


class Source(g4.G4VUserPrimaryGeneratorAction):
    """The general particle source. At the file `finish` the run ends after the event that begins."""

    def __init__(self, finish: FinishFile):
        super().__init__()
        self.source = g4.G4GeneralParticleSource()
        self.finish = finish

    def GeneratePrimaries(self, event):
        if self.finish.has_come():
            g4.G4RunManager.GetRunManager().AbortRun(True)
        self.source.GeneratePrimaryVertex(event)


class Files(g4.G4UserRunAction):
    """Opens the file of the analysis manager before a run, and writes it afterwards."""

    def __init__(self, analysis):
        super().__init__()
        self.analysis = analysis

    def BeginOfRunAction(self, run):
        self.analysis.OpenFile()

    def EndOfRunAction(self, run):
        self.analysis.Write()
        self.analysis.CloseFile()


class Actions(g4.G4VUserActionInitialization):
    def __init__(self, analysis, finish: FinishFile):
        super().__init__()
        self.analysis = analysis
        self.finish = finish

    def Build(self):
        self.SetUserAction(Source(self.finish))
        if self.analysis is not None:
            self.SetUserAction(Files(self.analysis))


class Place:
    """What is being done: the beginning of an error message."""

    def __init__(self):
        self.text = "start"


def report_exceptions(place: Place, end) -> None:
    """A warning becomes one line on standard output; anything worse ends the process by `end(sentence, exit code)`."""
    counted = [0]

    def notify(origin: str, code: str, severity: str, description: str) -> bool:
        words = " ".join(description.split())
        if severity == "JustWarning":
            counted[0] += 1
            if counted[0] <= WARNINGS_MAX:
                print(f"Geant4 warns: {words} ({origin}, {code})", flush=True)
            return False
        if severity == "EventMustBeAborted":
            print(f"Geant4 ends an event: {words} ({origin}, {code})", flush=True)
            return False
        end(f"{place.text}: {words} ({origin}, {code})", MISSING if place.text.startswith(PHYSICS) else DECK)
        return True

    toolkit.handle_exceptions(notify)


def check_xml(file: str) -> None:
    """Raises Refusal with the line where a file is no XML: Geant4 would say it on many lines."""
    parser = expat.ParserCreate()
    try:
        with open(file, "rb") as source:
            parser.ParseFile(source)
    except OSError as err:
        raise Refusal(f"{file}: {err.strerror}") from err
    except expat.ExpatError as err:
        sentence = expat.errors.messages[err.code]
        raise Refusal(f"{os.path.basename(file)}, line {err.lineno}: is no XML: {sentence}") from err


def run(gdml: str, macro: str, physics: str, is_own: bool, place: Place) -> None:
    """Executes a macro on a geometry. Raises Refusal, with the place of the command that Geant4 refuses."""
    commands = list(read_commands(macro))
    check_xml(gdml)
    names = [command.text.split()[0] for command in commands]
    writes = FILE_NAME_COMMAND in names and not any(name in names for name in ANALYSIS_COMMANDS)
    toolkit.activate_scoring()
    manager = g4.G4RunManagerFactory.CreateRunManager(g4.G4RunManagerType.Serial)
    analysis = g4.G4CsvAnalysisManager.Instance()
    analysis.SetVerboseLevel(0)
    toolkit.fill_histograms(analysis)
    geometry = Geometry(gdml, place, physics)
    manager.SetUserInitialization(geometry)
    place.text = f"{PHYSICS} {physics}"
    use_physics(manager, physics, is_own)
    finish = FinishFile()
    actions = Actions(analysis if writes else None, finish)
    manager.SetUserInitialization(actions)
    finish.announce()
    for command in commands:
        place.text = command.place
        fault = toolkit.apply_command(command.text)
        if fault:
            raise Refusal(f"{command.place}: Geant4 refuses {command.text}: {fault}")


def exists(file: str) -> str:
    """The file's name. Raises Refusal where there is none."""
    if not Path(file).is_file():
        raise Refusal(f"{file}: there is no such file")
    return file
