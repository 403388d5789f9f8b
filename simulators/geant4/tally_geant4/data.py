"""Geant4's data sets: those of the site, or tables of this program's own."""

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tally_geant4.refusal import MISSING, Refusal

#: Data sets that the default list of physics reads.
NEEDED = ("G4LEDATA", "G4ENSDFSTATEDATA", "G4LEVELGAMMADATA", "G4PARTICLEXSDATA")
#: Others that Geant4 asks for by name at its start; what is not used may be an empty folder.
OTHERS = (
    "G4RADIOACTIVEDATA", "G4NEUTRONHPDATA", "G4SAIDXSDATA", "G4ABLADATA", "G4INCLDATA", "G4PIIDATA",
    "G4REALSURFACEDATA", "G4CHANNELINGDATA",
)  # fmt: skip
#: A folder with the data sets in it, which Geant4 finds by their names.
DATA_FOLDER = "GEANT4_DATA_DIR"
#: Elements of the tables that this program writes.
CHARGE_MAX = 92
MM2_PER_MB = 1e-25
BREMSSTRAHLUNG_MEV = (1e-3, 1e3)


@dataclass(frozen=True)
class DataSets:
    """What Geant4 is started with."""

    environment: Mapping[str, str]
    is_own: bool


def find_site_data(environment: Mapping[str, str]) -> bool:
    """Whether the variables name a site's data sets. Raises Refusal where they name some of the needed ones only."""
    folder = environment.get(DATA_FOLDER, "")
    if folder and any(Path(folder).glob("G4EMLOW*")):
        return True
    missing = [name for name in NEEDED if not environment.get(name)]
    if len(missing) == len(NEEDED):
        return False
    if missing:
        raise Refusal(f"the site's data sets are incomplete: {' and '.join(missing)} must be set, too", MISSING)
    for name in NEEDED:
        if not Path(environment[name]).is_dir():
            raise Refusal(f"{name} names {environment[name]}, which is no folder", MISSING)
    return True


def prepare_data(environment: Mapping[str, str], folder: Path) -> DataSets:
    """The site's data sets; without them tables of this program's own, which are written into `folder`."""
    empty = folder / "empty"
    empty.mkdir(parents=True)
    is_own = not find_site_data(environment)
    if is_own:
        write_own_tables(folder)
        names = {name: str(folder) for name in (*NEEDED, *OTHERS)}
        return DataSets({**names, DATA_FOLDER: str(empty)}, True)
    if environment.get(DATA_FOLDER):
        return DataSets({}, False)
    unused = {name: str(empty) for name in OTHERS if not environment.get(name)}
    # without it the package asks whether it may download data
    return DataSets({**unused, DATA_FOLDER: str(empty)}, False)


def write_own_tables(folder: Path) -> None:
    """Bremsstrahlung and neutron cross sections of all elements up to uranium, in Geant4's formats."""
    tables = json.loads((Path(__file__).parent / "own_tables.json").read_text(encoding="utf-8"))
    (folder / "ENSDFSTATE.dat").write_text("")
    (folder / "brem_SB").mkdir()
    (folder / "neutron").mkdir()
    for z in range(1, CHARGE_MAX + 1):
        (folder / "brem_SB" / f"br{z}").write_text(bremsstrahlung(tables["bremsstrahlung"], z))
        neutrons = tables["neutrons"]
        for name, rows in (("inel", neutrons["inelastic"]), ("el", neutrons["elastic"]), ("cap", neutrons["capture"])):
            (folder / "neutron" / f"{name}{z}").write_text(cross_section(neutrons["energiesMev"], rows[z - 1]))


def bremsstrahlung(table: Mapping[str, list], z: int) -> str:
    """Of one element, as G4SeltzerBergerModel reads it: shares of the photon along x, ln(MeV) of the electron along y.

    Between the elements of the table linear in ln Z; below and above its energies its ends.
    """
    charges, energies, shares = table["charges"], table["energiesMev"], table["shares"]
    low = max((i for i, charge in enumerate(charges) if charge <= z), default=0)
    high = min(low + 1, len(charges) - 1)
    span = math.log(charges[high] / charges[low])
    part = math.log(z / charges[low]) / span if span > 0 else 0.0
    size = len(energies) * len(shares)
    left, right = (table["scaledMb"][i * size : (i + 1) * size] for i in (low, high))
    values = [a + part * (b - a) for a, b in zip(left, right)]
    rows = [values[i * len(shares) : (i + 1) * len(shares)] for i in range(len(energies))]
    rows = [rows[0], *rows, rows[-1]]
    logs = [math.log(energy) for energy in (BREMSSTRAHLUNG_MEV[0], *energies, BREMSSTRAHLUNG_MEV[1])]
    lines = [shares, logs, *rows]
    return "".join(f"{line}\n" for line in [f"0 {len(shares)} {len(logs)}", *(" ".join(map(repr, row)) for row in lines)])


def cross_section(energies: list, millibarn: list) -> str:
    """A vector as the neutron cross sections of Geant4 read it: MeV and mm²."""
    points = "".join(f"{energy!r} {value * MM2_PER_MB:.5g}\n" for energy, value in zip(energies, millibarn))
    return f"{energies[0]!r} {energies[-1]!r} {len(energies)}\n{len(energies)}\n{points}"


def with_data(environment: Mapping[str, str], folder: Path) -> bool:
    """Sets the variables that Geant4 reads; whether the tables are this program's own."""
    sets = prepare_data(environment, folder)
    os.environ.update(sets.environment)
    return sets.is_own
