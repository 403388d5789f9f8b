"""Lists of physics, by name."""

import os
from pathlib import Path

import geant4_pybind as g4

from tally_geant4 import toolkit
from tally_geant4.refusal import MISSING, USAGE, Refusal

#: Reference lists of Geant4 that a site with data sets can name, with `_EMV`, `_EMY` … behind them.
DEFAULT = "QGSP_BIC"
#: Electromagnetic models of the default list that read nothing but the tables of this program, by their suffixes.
OWN_MODELS = {"": "G4EmStandardPhysics", "_EMV": "G4EmStandardPhysics_option1", "_EMX": "G4EmStandardPhysics_option2"}

#: Data sets that lists with these words in their names read besides; without them Geant4 ends the process.
MORE_DATA = {"HP": "G4NEUTRONHPDATA", "Shielding": "G4NEUTRONHPDATA", "INCLXX": "G4INCLDATA"}


def list_own() -> list:
    """Lists that run without Geant4's data sets."""
    return [DEFAULT + suffix for suffix in OWN_MODELS]


def check_physics(name: str, is_own: bool) -> None:
    """Raises Refusal for a list that would end the process: unknown, or in need of data sets that are not there."""
    if is_own and name not in list_own():
        reason = "needs data sets of Geant4, and no G4…DATA variable names them"
        raise Refusal(f"physics {name} {reason}; without them there are {', '.join(list_own())}", USAGE)
    for word, variable in MORE_DATA.items():
        folder = os.environ.get(variable)
        if word in name and folder is not None and not any(Path(folder).glob("*")):
            raise Refusal(f"physics {name} needs the data set that {variable} names", MISSING)


def use_physics(manager, name: str, is_own: bool) -> None:
    """Gives a run manager a list of physics. Raises Refusal for a name that Geant4 does not know."""
    check_physics(name, is_own)
    parameters = g4.G4EmParameters.Instance()
    if is_own:
        physics = OwnPhysics(OWN_MODELS[name.removeprefix(DEFAULT)])
        physics.SetVerboseLevel(0)
        parameters.SetFluo(False)
        # or the processes of photons, some of which are left out, become one
        parameters.SetGeneralProcessActive(False)
        use_medical_steps(parameters)
        manager.SetUserInitialization(physics)
    else:
        if not g4.G4PhysListFactory().IsReferencePhysList(name):
            raise Refusal(f"physics {name}: Geant4 has no list of this name", USAGE)
        toolkit.use_reference_physics(name)
    parameters.SetVerbose(0)


def use_medical_steps(parameters) -> None:
    """Steps of protons and ions as in `G4EmStandardPhysics_option4`, Geant4's own list for medical physics.

    With those of the default list a proton outside a mesh is deflected centimetres late, while one inside, whose steps the
    bins end, is deflected at once: more leave than enter, and a mesh narrower than the beam has up to 5 % less dose.
    """
    parameters.SetStepFunctionMuHad(0.1, 0.05)  # of the range, mm
    parameters.SetStepFunctionLightIons(0.1, 0.02)
    parameters.SetStepFunctionIons(0.1, 0.001)
    parameters.SetMuHadLateralDisplacement(True)


class OwnPhysics(g4.G4VModularPhysicsList):
    """QGSP_BIC but for what reads data sets: nuclear reactions of photons and electrons, and coherent scattering.

    The photoelectric effect follows fits that need no data.
    """

    def __init__(self, models: str):
        super().__init__()
        self.SetVerboseLevel(0)
        for constructor in (
            getattr(g4, models),
            g4.G4DecayPhysics,
            g4.G4HadronElasticPhysics,
            g4.G4HadronPhysicsQGSP_BIC,
            g4.G4IonPhysics,
            g4.G4StoppingPhysics,
            g4.G4NeutronTrackingCut,
        ):
            self.RegisterPhysics(constructor())

    def ConstructProcess(self):
        super().ConstructProcess()
        manager = g4.G4Gamma.Gamma().GetProcessManager()
        for process in list(manager.GetProcessList()):
            if str(process.GetProcessName()) in ("phot", "Rayl"):
                manager.RemoveProcess(process)
        toolkit.add_photoelectric_effect()
