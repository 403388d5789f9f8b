import { z } from 'zod';
import { coordinateField, energyField, nameField, optionalLengthField, vectorField } from './fields.js';
import { ENERGY_MAX, SOURCE_TEXT_LENGTH_MAX } from './limits.js';
import { PROTON, particleSchema } from './particle.js';

const sigmaSchema = z.looseObject({
  type: z.enum(['Gaussian', 'Flat square', 'Flat circular']).default('Gaussian'),
  /** Gaussian: standard deviation; flat square: half-width; flat circular: unused. cm, sign without meaning. */
  x: coordinateField.default(0),
  /** The same along y; flat circular: the radius. */
  y: coordinateField.default(0),
});

/** Source-to-axis distance of a beam from a file, cm. */
const sadSchema = z.looseObject({
  type: z.enum(['none', 'single', 'double']).default('none'),
  x: coordinateField.default(0),
  y: coordinateField.default(0),
});

/** Opening, mrad, and distance to the focal point, cm. */
const divergenceSchema = z.looseObject({
  x: optionalLengthField.default(0),
  y: optionalLengthField.default(0),
  distanceToFocal: coordinateField.default(0),
});

/** A text that the user attached, under the name of the file it came from. */
export const sourceFileSchema = z.looseObject({ name: nameField, value: z.string().max(SOURCE_TEXT_LENGTH_MAX) });

/** Mean and standard deviation of the energy, and what all energies of the beam are in. */
export const beamEnergyFields = {
  energy: z.number().positive().max(ENERGY_MAX),
  energySpread: energyField.default(1.5),
  /** Absent in old files. */
  energyUnit: z.enum(['MeV', 'MeV/nucl']).default('MeV'),
};

/** Defaults are the editor's own. */
export const beamSchema = z.looseObject({
  position: vectorField.default([0, 0, 0]),
  /** Need not be normalised. */
  direction: vectorField
    .default([0, 0, 1])
    .refine((direction) => direction.some((component) => component !== 0), { message: 'must not be a zero vector' }),
  ...beamEnergyFields,
  energyLowCutoff: energyField.default(0),
  /** Absent: there is no limit. */
  energyHighCutoff: energyField.optional(),
  sigma: sigmaSchema.default({ type: 'Gaussian', x: 0, y: 0 }),
  sad: sadSchema.default({ type: 'none', x: 0, y: 0 }),
  divergence: divergenceSchema.default({ x: 0, y: 0, distanceToFocal: 0 }),
  particle: particleSchema.default({ pdg: PROTON }),
  numberOfParticles: z.int().min(1).default(10_000),
  sourceType: z.enum(['simple', 'file']).default('simple'),
  sourceFile: sourceFileSchema.optional(),
});

export type Beam = z.output<typeof beamSchema>;
export type BeamShape = z.output<typeof sigmaSchema>;
