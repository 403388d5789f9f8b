import { z } from 'zod';
import { nameField } from './fields.js';
import { SOURCE_TEXT_LENGTH_MAX } from './limits.js';

const stoppingPowerFileSchema = z.looseObject({
  icru: z.coerce.number().pipe(z.int()),
  name: nameField,
  content: z.string().max(SOURCE_TEXT_LENGTH_MAX),
});

/** The editor's physics page; its key in the project is `physic`. Defaults are the editor's own. */
export const physicsSchema = z.looseObject({
  /** Largest fraction of its energy that a particle loses in one step. */
  energyLoss: z.number().gt(0).lt(1).default(0.03),
  enableNuclearReactions: z.boolean().default(true),
  energyModelStraggling: z.enum(['no straggling', 'Gaussian', 'Vavilov']).default('Vavilov'),
  multipleScattering: z.enum(['no scattering', 'Gaussian', 'Moliere']).default('Moliere'),
  /** `ICRU91` is the editor's name for the tables of ICRU Report 90. */
  stoppingPowerTable: z.enum(['ICRU49', 'ICRU91']).default('ICRU91'),
  /** By ICRU id in decimal. */
  availableStoppingPowerFiles: z.record(z.string(), stoppingPowerFileSchema).optional(),
});

export type Physics = z.output<typeof physicsSchema>;
