import { z } from 'zod';
import { labels, nameField } from './fields.js';
import { SOURCE_TEXT_LENGTH_MAX } from './limits.js';

const stoppingPowerFileSchema = z.looseObject({
  icru: z.coerce.number().pipe(z.int()),
  name: nameField,
  content: z.string().max(SOURCE_TEXT_LENGTH_MAX),
});

/** What the editor's physics page shows until someone changes it. */
export const PHYSICS_DEFAULTS = {
  energyLoss: 0.03,
  enableNuclearReactions: true,
  energyModelStraggling: 'Vavilov',
  multipleScattering: 'Moliere',
  stoppingPowerTable: 'ICRU91',
} as const;

/** The editor's physics page; its key in the project is `physic`. */
export const physicsSchema = z.looseObject({
  /** Largest fraction of its energy that a particle loses in one step. */
  energyLoss: z
    .number()
    .gt(0)
    .lt(1)
    .default(PHYSICS_DEFAULTS.energyLoss)
    .meta(labels('Energy loss per step', undefined, 'Largest fraction of its energy that a particle loses in a step')),
  enableNuclearReactions: z
    .boolean()
    .default(PHYSICS_DEFAULTS.enableNuclearReactions)
    .meta(labels('Nuclear reactions')),
  energyModelStraggling: z
    .enum(['no straggling', 'Gaussian', 'Vavilov'])
    .default(PHYSICS_DEFAULTS.energyModelStraggling)
    .meta(labels('Energy straggling')),
  multipleScattering: z
    .enum(['no scattering', 'Gaussian', 'Moliere'])
    .default(PHYSICS_DEFAULTS.multipleScattering)
    .meta(labels('Multiple scattering')),
  /** `ICRU91` is the editor's name for the tables of ICRU Report 90. */
  stoppingPowerTable: z
    .enum(['ICRU49', 'ICRU91'])
    .default(PHYSICS_DEFAULTS.stoppingPowerTable)
    .meta(labels('Stopping powers of water', undefined, 'ICRU91 stands for ICRU Report 90')),
  /** By ICRU id in decimal; the editor attaches them unseen. */
  availableStoppingPowerFiles: z.record(z.string(), stoppingPowerFileSchema).optional().catch(undefined),
});

export type Physics = z.output<typeof physicsSchema>;
