"""The command: tally-geant4 --gdml geometry.gdml --macro run.mac"""

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path

from tally_geant4.data import find_site_data, with_data
from tally_geant4.refusal import DECK, MISSING, USAGE, Refusal

#: What a version ends with where the tables are this program's own: results show it.
OWN_TABLES = " own tables - not for claims about physics"
DEFAULT_PHYSICS = "QGSP_BIC"
#: 11.4 of any patch: `toolkit` calls functions by their names in it.
GEANT4_VERSION = 114


def parse(arguments):
    parser = argparse.ArgumentParser(prog="tally-geant4", description="Runs a GDML geometry and a macro on Geant4.")
    parser.add_argument("--gdml", metavar="FILE", help="the geometry")
    parser.add_argument("--macro", metavar="FILE", help="the macro, with the beam, the scoring and /run/beamOn")
    parser.add_argument("--physics", metavar="LIST", default=DEFAULT_PHYSICS, help="list of physics (%(default)s)")
    parser.add_argument("--threads", type=int, default=1, metavar="1", help="1: a job is split into tasks instead")
    parser.add_argument("--version", action="store_true", help="print the version of Geant4 and of its data")
    return parser.parse_args(arguments)


def load():
    """Imports Geant4. Raises Refusal where it is not installed or cannot be loaded."""
    try:
        import geant4_pybind
    except ImportError as err:
        sentence = f"Geant4 cannot be loaded: {err}; pip install geant4-pybind"
        raise Refusal(sentence, MISSING) from err
    if geant4_pybind.G4VERSION_NUMBER // 10 != GEANT4_VERSION:
        raise Refusal(f"needs Geant4 11.4 (pip install geant4-pybind==0.1.3), not {number(geant4_pybind)}", MISSING)
    return geant4_pybind


def number(g4) -> str:
    digits = g4.G4VERSION_NUMBER
    return f"{digits // 100}.{digits // 10 % 10}.{digits % 10}"


def version(g4, is_own: bool) -> str:
    return f"{number(g4)}{OWN_TABLES if is_own else ''}"


def end(sentence: str, exit_code: int = DECK) -> None:
    """Ends the process without Geant4's own end, which may not come to one."""
    sys.stdout.flush()
    print(f"tally-geant4: {sentence}", file=sys.stderr, flush=True)
    os._exit(exit_code)


def run(options, folder: Path) -> None:
    is_own = with_data(os.environ, folder)
    g4 = load()
    print(f"Geant4 version {version(g4, is_own)}", flush=True)
    # Geant4 is loaded by now, which these modules do at once
    from tally_geant4.application import Place, exists, report_exceptions
    from tally_geant4.application import run as run_deck
    from tally_geant4.physics import check_physics

    check_physics(options.physics, is_own)
    place = Place()
    report_exceptions(place, end)
    run_deck(exists(options.gdml), exists(options.macro), options.physics, is_own, place)


def main(arguments=None) -> int:
    options = parse(arguments)
    # Geant4 prints here, too; a runner follows its progress through a pipe
    sys.stdout.reconfigure(line_buffering=True)
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_DFL)
    try:
        if options.version:
            is_own = not find_site_data(os.environ)
            os.environ.setdefault("GEANT4_DATA_DIR", os.devnull)
            print(f"Geant4 version {version(load(), is_own)}")
            return 0
        if options.gdml is None or options.macro is None:
            raise Refusal("--gdml and --macro must be given", USAGE)
        if options.threads != 1:
            raise Refusal("--threads must be 1: split the job into more tasks instead", USAGE)
        with tempfile.TemporaryDirectory(prefix="tally-geant4-") as folder:
            run(options, Path(folder))
            sys.stdout.flush()
    except Refusal as err:
        print(f"tally-geant4: {err}", file=sys.stderr)
        return err.exit_code
    return 0
