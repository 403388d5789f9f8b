"""Materials by name or by number of ICRU."""

from __future__ import annotations

from .._generated.materials import LIBRARY
from .checks import choice

#: What everybody says, and the name in the library.
_SHORT = {
    "water": "water_liquid",
    "air": "air_dry_near_sea_level",
    "pmma": "polymethyl_methacralate_lucite_perspex_pmma",
    "bone": "bone_compact_icru",
    "cortical_bone": "bone_cortical_icrp",
    "lung": "lung_icrp",
    "muscle": "muscle_skeletal_icrp",
    "adipose": "adipose_tissue_icrp",
    "brain": "brain_icrp",
    "kapton": "kapton_polyimide_film",
    "mylar": "polyethylene_terephthalate_mylar",
    "teflon": "polytetrafluoroethylene_teflon",
    "lexan": "polycarbonate_makrolon_lexan",
}
#: Materials without a composition, by their numbers in the editor.
_OTHERS = {"vacuum": (1000, 0.0), "black_hole": (0, 0.0)}
_BY_NAME = {**LIBRARY, **_OTHERS}
_BY_NUMBER = {icru: name for name, (icru, _) in _BY_NAME.items()}


def find_material(attribute: str, material: str | int) -> tuple[str, int, float]:
    """:returns: name in the library, number of ICRU, density in g/cm³ :raises ProjectError: there is no such material"""
    if isinstance(material, int):
        choice(attribute, str(material), map(str, _BY_NUMBER))
        name = _BY_NUMBER[material]
    else:
        word = str(material).strip().lower().replace(" ", "_")
        name = _SHORT.get(word, word)
        choice(attribute, name, [*_SHORT, *_BY_NAME])
    icru, density = _BY_NAME[name]
    return name, icru, density
