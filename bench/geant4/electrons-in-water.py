"""Dose over depth of a parallel electron beam in water with a real Geant4, for bench/electrons.mjs.

electrons-in-water.py <folder> <physics> <energy, MeV> <depth, cm> <bins> <histories>

The package comes without Geant4's data. All that its standard models of electrons need of them is a table of
bremsstrahlung for each element, which the folder holds (`brem_SB/br1`, `brem_SB/br8`; see electrons.mjs). Photoelectric
effect and coherent scattering are left out: at these energies in water they move a photon's share of the dose, not the
electrons'. The last line that is written is a list: the energy deposited in each bin, MeV in all histories.
"""

import json
import os
import random
import sys

folder, physics, energy, depth, bins, histories = sys.argv[1:]
DEPTH_MM = 10 * float(depth)
BINS = int(bins)
RADIUS_MM = 300.0
#: Electrons that would not get so far are deposited where they are made.
CUT_MM = 0.05
#: Asked for by name at the start, and read by nothing that is used here.
UNUSED = ["LEVELGAMMA", "PARTICLEXS", "RADIOACTIVE", "NEUTRONHP", "SAIDXS", "ABLA", "INCL", "PII", "REALSURFACE", "CHANNELING"]

os.environ.update({f"G4{name}DATA": folder for name in UNUSED})
# the table of excited nuclei may be empty, but not missing
os.environ["G4ENSDFSTATEDATA"] = folder
os.environ["G4LEDATA"] = folder
# without this the package asks whether it may download data
os.environ["GEANT4_DATA_DIR"] = os.path.join(folder, "none")

import geant4_pybind as g4  # noqa: E402

deposits = [0.0] * BINS


class Tank(g4.G4VUserDetectorConstruction):
    def Construct(self):
        materials = g4.G4NistManager.Instance()
        half = DEPTH_MM / 2
        world = g4.G4Box("world", RADIUS_MM + 10, RADIUS_MM + 10, DEPTH_MM + 10)
        world_volume = g4.G4LogicalVolume(world, materials.FindOrBuildMaterial("G4_Galactic"), "world")
        placed = g4.G4PVPlacement(None, g4.G4ThreeVector(), world_volume, "world", None, False, 0)
        water = g4.G4Tubs("water", 0, RADIUS_MM, half, 0, g4.twopi)
        water_volume = g4.G4LogicalVolume(water, materials.FindOrBuildMaterial("G4_WATER"), "water")
        tank = g4.G4PVPlacement(None, g4.G4ThreeVector(0, 0, half), water_volume, "water", world_volume, False, 0)
        self.kept = [world, world_volume, water, water_volume, tank]
        return placed


class Physics(g4.G4VModularPhysicsList):
    def __init__(self):
        super().__init__()
        self.RegisterPhysics(getattr(g4, physics)())
        self.SetDefaultCutValue(CUT_MM)

    def ConstructProcess(self):
        super().ConstructProcess()
        manager = g4.G4Gamma.Gamma().GetProcessManager()
        for process in list(manager.GetProcessList()):
            if str(process.GetProcessName()) in ("phot", "Rayl"):
                manager.RemoveProcess(process)


class Beam(g4.G4VUserPrimaryGeneratorAction):
    def __init__(self):
        super().__init__()
        self.gun = g4.G4ParticleGun(1)
        self.gun.SetParticleDefinition(g4.G4Electron.Electron())
        self.gun.SetParticleEnergy(float(energy))
        self.gun.SetParticleMomentumDirection(g4.G4ThreeVector(0, 0, 1))
        self.gun.SetParticlePosition(g4.G4ThreeVector(0, 0, -1))

    def GeneratePrimaries(self, event):
        self.gun.GeneratePrimaryVertex(event)


class Score(g4.G4UserSteppingAction):
    """At a random place of the step, so that bins do not end steps."""

    def UserSteppingAction(self, step):
        deposit = step.GetTotalEnergyDeposit()
        if deposit > 0:
            before = step.GetPreStepPoint().GetPosition().z
            after = step.GetPostStepPoint().GetPosition().z
            at = int((before + random.random() * (after - before)) / DEPTH_MM * BINS)
            if 0 <= at < BINS:
                deposits[at] += deposit


class Actions(g4.G4VUserActionInitialization):
    def Build(self):
        self.SetUserAction(Beam())
        self.SetUserAction(Score())


random.seed(1)
manager = g4.G4RunManagerFactory.CreateRunManager(g4.G4RunManagerType.Serial)
manager.SetUserInitialization(Tank())
manager.SetUserInitialization(Physics())
manager.SetUserInitialization(Actions())
parameters = g4.G4EmParameters.Instance()
parameters.SetVerbose(0)
parameters.SetFluo(False)
# or the photons' processes, of which two are left out, become one
parameters.SetGeneralProcessActive(False)
manager.Initialize()
manager.BeamOn(int(histories))
print(json.dumps(deposits))
