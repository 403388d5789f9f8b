"""Runs ompMC (GPL 3, a program of its own process) on a problem of problems.mjs: prints the energy in bins of x and z, per primary, MeV."""

import json
import sys

import numpy as np
import ompmc

#: Far enough that the beam is parallel: its edge opens by 0.1 mm in 50 cm.
SSD_CM = 1e4

with open(sys.argv[1], encoding="utf8") as file:
    problem = json.load(file)
grid, beam = problem["grid"], problem["beam"]
half = beam["halfCm"]
x = np.linspace(grid["lower"][0], grid["upper"][0], grid["bins"][0] + 1)
y = np.array([grid["lower"][1], grid["upper"][1]])
z = np.linspace(grid["lower"][2], grid["upper"][2], grid["bins"][2] + 1)
shape = (len(x) - 1, len(y) - 1, len(z) - 1)
density = np.full(shape, 1.0, order="F")
material = np.ones(shape, dtype=np.int32, order="F")
geometry = ompmc.Geometry(x, y, z, [problem["layers"][0]["material"]["ompmc"]], density, material)
charge = beam["particle"]["z"]
folder = ompmc.data_path() / "pegs4"
physics = ompmc.Physics(
    pegs_file=folder / "521icru.pegs4dat", global_ecut=0.521, global_pcut=0.01, n_split=1 if charge else 10
)
energies, _ = ompmc.calc_cube(
    geometry,
    ompmc.CollimatedSource(SSD_CM, -half, half, -half, half),
    ompmc.Spectrum.monoenergetic(beam["energies"][0]["energyMev"]),
    physics,
    n_histories=problem["primaries"],
    charge=charge,
    output_dose=False,
)
print(json.dumps({"version": ompmc.__version__, "energies": energies[:, 0, :].ravel(order="F").tolist()}))
