import { describe, expect, it } from '@jest/globals';
import type { MergedPage } from '@tally/merge';
import { ConversionError } from '../../src/conversion-error.js';
import type { Json } from '../build-project.js';
import { GOLDEN_PROJECTS } from '../golden/projects.js';
import { SELECTION_PROJECTS } from '../golden/selection-projects.js';
import { runProject } from '../run-project.js';
import { realGeant4, runOnBoth, SKIPPED_WITHOUT_GEANT4, shapeOf, sumHalves } from './compare-pages.js';

const PROJECTS: Readonly<Record<string, Json>> = { ...GOLDEN_PROJECTS, ...SELECTION_PROJECTS };
/** `pnpm test:geant4` sets it, and runs every project. */
const ALL_PRIMARIES = process.env.TALLY_GEANT4_PRIMARIES;
const PRIMARIES = Number(ALL_PRIMARIES ?? 600);
/** Projects that together have every kind of mesh, quantity, filter, figure and scale. */
const SHORT = ['detectors', 'dose-in-zones', 'spot-list', 'selected-energies', 'scaling', 'turned-figures'];
const NAMES = ALL_PRIMARIES === undefined ? SHORT : Object.keys(PROJECTS);

/** In these the engine has no such energy. */
const ENERGIES: Readonly<Record<string, number>> = { 'named-filters': 20, 'backward-pencil': 20 };
/** Projects of which nothing is left, or whose transport simC does not have. */
const REFUSED = ['pion-oblique', 'maps', 'differential', 'neutron-kerma', 'modulator', 'physics-off', 'scattering-off'];
/** What Geant4 counts and the engine does not: electrons and photons of reactions (docs/simulators.md). */
const OTHER_PARTICLES = [
  'dose-in-zones zone/Fluence',
  'dose-in-zones all/Fluence',
  'spectra-in-zones zone/Track length',
  'spectrum-in-cube cube/Spectrum',
  'selected-particles Fluence selected/Fluence neutral',
  'backward-pencil mesh/Fluence',
];
/** Geant4's vacuum is a gas, which has a dose, and next to no energy (docs/simulators.md). */
const DOSE_IN_VACUUM = [
  'overlapping-zones depth/Dose',
  'overlapping-zones mesh/Dose',
  'rare-materials depth/Dose',
  'turned-world depth/Dose',
  'dose-in-zones all/Dose',
  'detectors world/Energy',
];
/** Fragments of ions differ by more than the tolerance (docs/engine.md). */
const FRAGMENTS = ['figure-tree depth/ProtonFluence', 'oblique-spot depth/ProtonFluence'];
/** Of the built-in engine it is a map, of simC the spectrum in a cube, as a warning says. */
const OTHER_SHAPE = ['spectrum depth/Spectrum'];
const DIFFERENT = new Set([...OTHER_PARTICLES, ...DOSE_IN_VACUUM, ...FRAGMENTS, ...OTHER_SHAPE]);
/** Part of the largest sum by which the physics of the two may differ. */
const PHYSICS = 0.08;
/** As a part of the largest sum, for one primary: tracks pass many bins, so that errors of bins say less. */
const SCATTER = 2.5;
const ERRORS = 5;

function prepare(name: string): Json {
  const json = PROJECTS[name] ?? {};
  const energy = ENERGIES[name];
  return { ...json, beam: { ...(json.beam as Json), numberOfParticles: PRIMARIES, ...(energy && { energy }) } };
}

function errorOf({ errors }: MergedPage): number {
  return Math.hypot(...errors.map((error) => (Number.isNaN(error) ? 0 : error)));
}

(SKIPPED_WITHOUT_GEANT4 === '' ? describe : describe.skip)(
  `a real Geant4 gives what the engine gives${SKIPPED_WITHOUT_GEANT4}`,
  () => {
    it.each(NAMES)('for the project %s, in name, unit, axes, places and size', async (name) => {
      const json = prepare(name);
      if (REFUSED.includes(name)) {
        await expect(runProject(json, 1, '1', realGeant4())).rejects.toThrow(ConversionError);
        return;
      }
      const pairs = await runOnBoth(json);
      expect(pairs.length).toBeGreaterThan(0);
      for (const { title, real, engine } of pairs) {
        expect([...real.values].every(Number.isFinite)).toBe(true);
        if (engine === undefined || OTHER_SHAPE.includes(`${name} ${title}`)) continue;
        expect({ title, shape: shapeOf(real) }).toEqual({ title, shape: shapeOf(engine) });
        if (DIFFERENT.has(`${name} ${title}`)) continue;
        const [found, wanted] = [sumHalves(real), sumHalves(engine)];
        const largest = Math.max(...wanted.map(Math.abs));
        const allowed =
          largest * (PHYSICS + SCATTER / Math.sqrt(PRIMARIES)) + ERRORS * Math.hypot(errorOf(real), errorOf(engine));
        const apart = found.filter((sum, part) => Math.abs(sum - (wanted[part] ?? 0)) > allowed);
        expect({ title, found, wanted, apart }).toEqual({ title, found, wanted, apart: [] });
      }
    });
  },
);
