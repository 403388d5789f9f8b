// The problems that codes are compared on: layers across the beam's depth, one beam along it. Lengths cm, energies MeV.

/** Materials by their names in each code (Geant4 has those of the engine); `density` g/cm³ in all of them. */
const MATERIALS = {
  water: { icru: 276, mcsquare: 17, ompmc: 'H2O521ICRU', density: 1 },
  bone: { icru: 120, mcsquare: 38, density: 1.92 },
  lung: { icru: 190, mcsquare: 14, density: 0.26 },
  air: { icru: 104, mcsquare: 13, density: 0.00120479 },
  lead: { icru: 82, mcsquare: 12, density: 11.35 },
};
const PROTON = { name: 'proton', z: 1, a: 1, geant4: 'proton' };
const CARBON = { name: 'C-12', z: 6, a: 12, geant4: 'ion' };
const ELECTRON = { name: 'electron', z: -1, a: 0, geant4: 'e-' };
const PHOTON = { name: 'photon', z: 0, a: 0, geant4: 'gamma' };

/** Layers by thickness, from depth 0. */
function stack(...parts) {
  let toCm = 0;
  return parts.map(([name, thickness]) => {
    toCm += thickness;
    return { name, toCm, material: MATERIALS[name] };
  });
}

const grid = (halfCm, bins, depthCm, slices) => ({
  lower: [-halfCm, -halfCm, 0],
  upper: [halfCm, halfCm, depthCm],
  bins: [bins, bins, slices],
});
const DEPTH_CM = 20;
const pencil = (energyMev, more = {}) => ({
  particle: PROTON,
  energies: [{ energyMev, spreadMev: 0.01 * energyMev, weight: 1 }],
  sigmaCm: 0.5,
  ...more,
});
const protons = (name, layers, beam = pencil(150)) => ({
  name,
  kind: 'ions',
  beam,
  layers,
  grid: grid(6, 40, layers.at(-1).toCm, Math.round(10 * layers.at(-1).toCm)),
});
/** A parallel beam of 4 cm × 4 cm into water. */
const square = (name, particle, energyMev, depthCm, slices) => ({
  name,
  kind: particle === PHOTON ? 'photons' : 'electrons',
  beam: { particle, energies: [{ energyMev, spreadMev: 0, weight: 1 }], halfCm: 2 },
  layers: stack(['water', depthCm]),
  grid: grid(10, 50, depthCm, slices),
});
const water = stack(['water', DEPTH_CM]);

export const PROBLEMS = [
  protons('water, protons 150 MeV', water),
  protons('3 cm water, 2 cm bone, water', stack(['water', 3], ['bone', 2], ['water', 15])),
  protons('3 cm water, 6 cm lung, water', stack(['water', 3], ['lung', 6], ['water', 15])),
  protons('3 mm lead, water', stack(['lead', 0.3], ['water', 19.7])),
  protons('5 cm water, 10 cm air, water', stack(['water', 5], ['air', 10], ['water', 15])),
  protons(
    'spread-out peak in water',
    water,
    pencil(150, {
      energies: [
        [150, 0.6],
        [145, 0.2],
        [140, 0.12],
        [135, 0.08],
      ].map(([energyMev, weight]) => ({ energyMev, spreadMev: 0.01 * energyMev, weight })),
    }),
  ),
  protons('30° oblique, protons 150 MeV', water, pencil(150, { tiltDeg: 30, entryCm: -3 })),
  protons(
    'water, ¹²C 270 MeV/u',
    water,
    pencil(3240, { particle: CARBON, energies: [{ energyMev: 3240, spreadMev: 8.1, weight: 1 }] }),
  ),
  square('water, electrons 6 MeV', ELECTRON, 6, 5, 50),
  square('water, electrons 12 MeV', ELECTRON, 12, 9, 60),
  square('water, electrons 20 MeV', ELECTRON, 20, 14, 70),
  square('water, photons 2 MeV', PHOTON, 2, 30, 60),
  square('water, photons 15 MeV', PHOTON, 15, 30, 60),
];
