import { z } from 'zod';
import { coordinateField, energyField, labels, nameField, optionalLengthField, vectorField } from './fields.js';
import { ENERGY_MAX, SOURCE_TEXT_LENGTH_MAX } from './limits.js';
import { PROTON, particleSchema } from './particle.js';

const sigmaSchema = z.looseObject({
  type: z.enum(['Gaussian', 'Flat square', 'Flat circular']).default('Gaussian').meta(labels('Shape of the beam')),
  /** Gaussian: standard deviation; flat square: half-width; flat circular: unused. cm, sign without meaning. */
  x: coordinateField.default(0).meta(labels('Size along x', 'cm', 'Standard deviation, or half-width of a square')),
  /** The same along y; flat circular: the radius. */
  y: coordinateField
    .default(0)
    .meta(labels('Size along y', 'cm', 'Standard deviation, half-width, or radius of a circle')),
});

/** Source-to-axis distance of a beam from a file, cm. */
const sadSchema = z.looseObject({
  type: z.enum(['none', 'single', 'double']).default('none').meta(labels('Source-to-axis distances')),
  x: coordinateField.default(0).meta(labels('Source-to-axis distance in x', 'cm')),
  y: coordinateField.default(0).meta(labels('Source-to-axis distance in y', 'cm')),
});

/** Opening, mrad, and distance to the focal point, cm. */
const divergenceSchema = z.looseObject({
  x: optionalLengthField.default(0).meta(labels('Divergence in x', 'mrad')),
  y: optionalLengthField.default(0).meta(labels('Divergence in y', 'mrad')),
  distanceToFocal: coordinateField.default(0).meta(labels('Distance to the focal point', 'cm')),
});

/** A text that the user attached, under the name of the file it came from. */
export const sourceFileSchema = z.looseObject({ name: nameField, value: z.string().max(SOURCE_TEXT_LENGTH_MAX) });

/** Mean and standard deviation of the energy, and what all energies of the beam are in. */
export const beamEnergyFields = {
  energy: z.number().positive().max(ENERGY_MAX).meta(labels('Mean energy', 'energyUnit')),
  energySpread: energyField.default(1.5).meta(labels('Standard deviation of the energy', 'energyUnit')),
  /** Absent in old files. */
  energyUnit: z.enum(['MeV', 'MeV/nucl']).default('MeV').meta(labels('Unit of energies')),
};

/** Defaults are the editor's own. */
export const beamSchema = z.looseObject({
  position: vectorField.default([0, 0, 0]).meta(labels('Where the beam starts', 'cm')),
  /** Need not be normalised. */
  direction: vectorField
    .default([0, 0, 1])
    .refine((direction) => direction.some((component) => component !== 0), { message: 'must not be a zero vector' })
    .meta(labels('Direction of the beam', undefined, 'Need not be normalised; not a zero vector')),
  ...beamEnergyFields,
  energyLowCutoff: energyField.default(0).meta(labels('Lowest energy', 'energyUnit')),
  /** Absent: there is no limit. */
  energyHighCutoff: energyField.optional().meta(labels('Highest energy', 'energyUnit', 'Absent: no limit')),
  sigma: sigmaSchema.default({ type: 'Gaussian', x: 0, y: 0 }),
  sad: sadSchema.default({ type: 'none', x: 0, y: 0 }),
  divergence: divergenceSchema.default({ x: 0, y: 0, distanceToFocal: 0 }),
  particle: particleSchema.default({ pdg: PROTON }).meta(labels('Particle')),
  numberOfParticles: z.int().min(1).default(10_000).meta(labels('Primaries')),
  sourceType: z
    .enum(['simple', 'file'])
    .default('simple')
    .meta(labels('Source', undefined, 'file: a spot list or phase space')),
  sourceFile: sourceFileSchema.optional().meta(labels('Spot list or phase space')),
});

export type Beam = z.output<typeof beamSchema>;
export type BeamShape = z.output<typeof sigmaSchema>;
