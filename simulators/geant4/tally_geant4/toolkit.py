"""Parts of Geant4 that its Python package exports, but does not bind; they are called by their C++ names.

The names and the order of virtual functions are those of the Itanium C++ ABI and of Geant4 11.4.
"""

import ctypes
from typing import Any, Callable

import geant4_pybind as g4

_library = ctypes.CDLL(g4.__file__)
#: What must live as long as Geant4 does.
_kept: list = []

POINTER = ctypes.c_void_p
#: G4ProcessType.hh.
ELECTROMAGNETIC = 2
#: G4ProcessVectorOrdering.hh: at rest and along a step nothing, behind it in the usual order.
INACTIVE, DEFAULT_ORDER = -1, 1000
#: A C++ object of a class that is this large at most, bytes.
OBJECT_BYTES = 4096

SEVERITIES = ("FatalException", "FatalErrorInArgument", "RunMustBeAborted", "EventMustBeAborted", "JustWarning")
#: What a command gives back (G4UIcommandStatus.hh), in hundreds.
COMMAND_FAULTS = {
    1: "there is no such command",
    2: "the command is not allowed here",
    3: "a parameter is out of range",
    4: "a parameter cannot be read",
    5: "a parameter is none of the candidates",
    6: "an alias is not known",
}


def _function(symbol: str, result: Any, *arguments: Any) -> Callable:
    function = getattr(_library, symbol)
    function.restype, function.argtypes = result, arguments
    return function


def _object_of(constructor: str, functions: list) -> None:
    """A C++ object whose class overrides the virtual functions behind the two destructors."""
    table = (POINTER * (2 + len(functions)))(None, None, *(ctypes.cast(one, POINTER) for one in functions))
    body = ctypes.create_string_buffer(OBJECT_BYTES)
    _function(constructor, None, POINTER)(ctypes.addressof(body))
    ctypes.cast(body, ctypes.POINTER(POINTER))[0] = ctypes.addressof(table)
    _kept.extend([table, body, functions])


def activate_scoring() -> None:
    """Makes the manager of scoring meshes, and with it the commands /score/…"""
    _function("_ZN16G4ScoringManager17GetScoringManagerEv", POINTER)()


def handle_exceptions(notify: Callable[[str, str, str, str], bool]) -> None:
    """Calls `notify(origin, code, severity, description)` at each G4Exception; true ends the process."""
    text = ctypes.c_char_p
    prototype = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, text, text, ctypes.c_int, text)

    def call(_: Any, origin: bytes, code: bytes, severity: int, description: bytes) -> bool:
        words = [(word or b"").decode(errors="replace") for word in (origin, code, description)]
        return notify(words[0], words[1], SEVERITIES[severity], words[2])

    _object_of("_ZN19G4VExceptionHandlerC2Ev", [prototype(call)])


def fill_histograms(analysis: Any) -> None:
    """Lets the commands /score/fill1D fill the histograms of an analysis manager."""

    def fill(coordinates: int, function: Callable) -> Any:
        numbers = [ctypes.c_double] * (coordinates + 1)
        prototype = ctypes.CFUNCTYPE(None, POINTER, ctypes.c_int, *numbers)
        return prototype(lambda _, histogram, *values: function(histogram, *values) and None)

    def check(get: Callable) -> Any:
        prototype = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, ctypes.c_int)
        return prototype(lambda _, histogram: get(histogram, False, False) is not None)

    fills = zip((1, 2, 3, 2, 3), ("FillH1", "FillH2", "FillH3", "FillP1", "FillP2"))
    functions = [
        *(fill(coordinates, getattr(analysis, name)) for coordinates, name in fills),
        *(check(getattr(analysis, name)) for name in ("GetH1", "GetH2", "GetH3", "GetP1", "GetP2")),
        ctypes.CFUNCTYPE(POINTER, POINTER)(lambda this: this),
    ]
    _object_of("_ZN18G4VScoreHistFillerC2Ev", functions)


class _Text(ctypes.Structure):
    """A std::string that nobody changes: its characters may lie anywhere."""

    _fields_ = (("data", POINTER), ("length", ctypes.c_size_t), ("capacity", ctypes.c_size_t * 2))


def _text(characters: str) -> _Text:
    buffer = ctypes.create_string_buffer(characters.encode())
    _kept.append(buffer)
    return _Text(ctypes.addressof(buffer), len(buffer) - 1)


def use_reference_physics(name: str) -> None:
    """Gives the run manager a reference list of Geant4, which must know the name. The Python package hands out the
    list, but cannot give it to the run manager."""
    factory = ctypes.create_string_buffer(OBJECT_BYTES)
    _kept.append(factory)
    _function("_ZN17G4PhysListFactoryC1Ei", None, POINTER, ctypes.c_int)(ctypes.addressof(factory), 0)
    make = _function("_ZN17G4PhysListFactory20GetReferencePhysListERK8G4String", POINTER, POINTER, POINTER)
    text = _text(name)
    physics = make(ctypes.addressof(factory), ctypes.addressof(text))
    manager = _function("_ZN12G4RunManager13GetRunManagerEv", POINTER)()
    use = _function("_ZN12G4RunManager21SetUserInitializationEP18G4VUserPhysicsList", None, POINTER, POINTER)
    use(manager, physics)


def add_photoelectric_effect() -> None:
    """Gives photons the photoelectric effect by the fits that Geant4 has compiled in (Biggs and Lighthill; class
    G4PEEffectFluoModel, which G4PhotoElectricEffect takes where nobody gives it another model)."""
    text = _text("phot")
    process = _function("_Znwm", POINTER, ctypes.c_size_t)(OBJECT_BYTES)
    constructor = "_ZN21G4PhotoElectricEffectC1ERK8G4String13G4ProcessType"
    _function(constructor, None, POINTER, POINTER, ctypes.c_int)(process, ctypes.addressof(text), ELECTROMAGNETIC)
    photon = _function("_ZN7G4Gamma5GammaEv", POINTER)()
    manager = _function("_ZNK20G4ParticleDefinition17GetProcessManagerEv", POINTER, POINTER)(photon)
    add = _function("_ZN16G4ProcessManager10AddProcessEP10G4VProcessiii", ctypes.c_int, POINTER, POINTER, *3 * [ctypes.c_int])
    add(manager, process, INACTIVE, INACTIVE, DEFAULT_ORDER)


def apply_command(text: str) -> str:
    """Executes a command; empty where it went well, else why it did not."""
    manager = _function("_ZN11G4UImanager12GetUIpointerEv", POINTER)()
    code = _function("_ZN11G4UImanager12ApplyCommandEPKc", ctypes.c_int, POINTER, ctypes.c_char_p)(manager, text.encode())
    if code == 0:
        return ""
    return COMMAND_FAULTS.get(code // 100, "the command failed") + f" (code {code})"
