import { z } from 'zod';
import type { ConversionWarning } from '../conversion-warning.js';
import { beamSchema, sourceFileSchema } from './beam.js';
import { detectorSchema } from './detector.js';
import { labels, nameField, uuidField } from './fields.js';
import { figureSchema } from './figure.js';
import { DESCRIPTION_LENGTH_MAX } from './limits.js';
import { materialSchema } from './material.js';
import { physicsSchema } from './physics.js';
import { scoringManagerSchema } from './scoring.js';
import { worldZoneSchema, zoneSchema } from './zone.js';

/** A range modulator: what turns one energy into a spread-out peak by its thickness map. */
const modulatorSchema = z.looseObject({
  geometryData: z.looseObject({ parameters: z.looseObject({ zoneUuid: uuidField }) }),
  simulationMethod: z.enum(['modulus', 'sampling']).default('modulus'),
  interpretationMode: z.enum(['material', 'vacumm']).default('material'),
  sourceFile: sourceFileSchema,
});

/**
 * A project of the editor, brought to its format 0.13. Lengths cm (sizes are full lengths), angles degrees, energies MeV or
 * MeV/nucl, densities g/cm³. Keys that are not listed are kept.
 */
export const projectSchema = z.looseObject({
  project: z
    .looseObject({
      title: nameField.default('').meta(labels('Title')),
      description: z.string().max(DESCRIPTION_LENGTH_MAX).default('').meta(labels('Description')),
      /** Which simulator the editor was set to; absent in old files. */
      simulator: nameField.default('common').catch('common'),
    })
    .default({ title: '', description: '', simulator: 'common' }),
  figureManager: z.looseObject({ figures: z.array(figureSchema).default([]) }),
  zoneManager: z
    .looseObject({ zones: z.array(zoneSchema).default([]), worldZone: worldZoneSchema.nullish() })
    .default({ zones: [] }),
  detectorManager: z.looseObject({ detectors: z.array(detectorSchema).default([]) }),
  specialComponentsManager: z
    .looseObject({ CTCube: z.unknown(), modulator: modulatorSchema.nullish() })
    .partial()
    .default({}),
  materialManager: z.looseObject({ materials: z.array(materialSchema).default([]) }).default({ materials: [] }),
  scoringManager: scoringManagerSchema,
  beam: beamSchema,
  physic: physicsSchema.default(physicsSchema.parse({})),
});

/** A project that has been read: every old spelling is today's, every default is set, every reference resolves. */
export type Project = z.output<typeof projectSchema> & {
  /** What reading it left out or took for something else. */
  readonly readingWarnings: readonly ConversionWarning[];
  /** Pointers to quantities that are not scored. */
  readonly omitted: ReadonlySet<string>;
};
