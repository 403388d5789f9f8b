"""Finds points in geometries with a real Geant4.

For every `<name>.gdml` of the folder that it is given, with `<name>.points` (64-bit reals: x, y, z in cm, one point after
another), it writes `<name>.json`: volumes with their materials, volumes that overlap, and what Geant4 has to complain
of; and `<name>.found`: for each point the number of its volume in that list as a 32-bit integer, -1 outside the world.
"""

import array
import json
import os
import pathlib
import sys

# without this the package asks whether it may download data, which a geometry does not need
os.environ["GEANT4_DATA_DIR"] = os.devnull

import geant4_pybind as g4  # noqa: E402

CM = 10.0  # in mm
OVERLAP_POINTS = 1000


def describe(volume):
    material = volume.GetMaterial()
    elements = [material.GetElement(at) for at in range(material.GetNumberOfElements())]
    fractions = material.GetFractionVector()
    return {
        "name": str(volume.GetName()),
        "material": str(material.GetName()),
        "densityGcm3": material.GetDensity() / (g4.g / g4.cm3),
        "ionisationEv": material.GetIonisation().GetMeanExcitationEnergy() / g4.eV,
        "fractions": [[round(element.GetZ()), fractions[at]] for at, element in enumerate(elements)],
    }


def placements(volume):
    for at in range(volume.GetNoDaughters()):
        daughter = volume.GetDaughter(at)
        yield daughter
        yield from placements(daughter.GetLogicalVolume())


def locate(path):
    parser = g4.G4GDMLParser()
    parser.Read(str(path), False)
    world = parser.GetWorldVolume()
    overlaps = [
        str(placed.GetName())
        for placed in placements(world.GetLogicalVolume())
        if placed.CheckOverlaps(OVERLAP_POINTS, 0.0, False)
    ]
    navigator = g4.G4Navigator()
    navigator.SetWorldVolume(world)
    numbers = {}
    volumes = []
    found = array.array("i")
    coordinates = array.array("d", path.with_suffix(".points").read_bytes())
    for at in range(0, len(coordinates), 3):
        x, y, z = coordinates[at : at + 3]
        placed = navigator.LocateGlobalPointAndSetup(g4.G4ThreeVector(x * CM, y * CM, z * CM), None, False)
        if placed is None:
            found.append(-1)
            continue
        volume = placed.GetLogicalVolume()
        name = str(volume.GetName())
        if name not in numbers:
            numbers[name] = len(volumes)
            volumes.append(describe(volume))
        found.append(numbers[name])
    path.with_suffix(".found").write_bytes(found.tobytes())
    path.with_suffix(".json").write_text(json.dumps({"volumes": volumes, "overlaps": overlaps}))


def main(folder):
    for path in sorted(pathlib.Path(folder).glob("*.gdml")):
        # materials and volumes are known by their names in the whole process: each geometry gets one of its own
        child = os.fork()
        if child == 0:
            locate(path)
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            sys.exit(f"{path.name} could not be read")


main(sys.argv[1])
