"""Lists of physics, by name."""

import geant4_pybind as g4

from tally_geant4 import toolkit
from tally_geant4.refusal import USAGE, Refusal

#: Reference lists of Geant4 that a site with data sets can name, with `_EMV`, `_EMY` … behind them.
DEFAULT = "QGSP_BIC"
#: Electromagnetic models of the default list that read nothing but the tables of this program, by their suffixes.
OWN_MODELS = {"": "G4EmStandardPhysics", "_EMV": "G4EmStandardPhysics_option1", "_EMX": "G4EmStandardPhysics_option2"}


def list_own() -> list:
    """Lists that run without Geant4's data sets."""
    return [DEFAULT + suffix for suffix in OWN_MODELS]


def check_physics(name: str, is_own: bool) -> None:
    """Raises Refusal for a list that would end the process: unknown, or in need of data sets that are not there."""
    if is_own and name not in list_own():
        reason = "needs data sets of Geant4, and no G4…DATA variable names them"
        raise Refusal(f"physics {name} {reason}; without them there are {', '.join(list_own())}", USAGE)


def create_physics(name: str, is_own: bool):
    """A list of physics. Raises Refusal for a name that Geant4 does not know."""
    check_physics(name, is_own)
    if is_own:
        parameters = g4.G4EmParameters.Instance()
        physics = OwnPhysics(OWN_MODELS[name.removeprefix(DEFAULT)])
        parameters.SetFluo(False)
        # or the processes of photons, some of which are left out, become one
        parameters.SetGeneralProcessActive(False)
    else:
        factory = g4.G4PhysListFactory()
        if not factory.IsReferencePhysList(name):
            raise Refusal(f"physics {name}: Geant4 has no list of this name", USAGE)
        physics = factory.GetReferencePhysList(name)
    physics.SetVerboseLevel(0)
    g4.G4EmParameters.Instance().SetVerbose(0)
    return physics


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
