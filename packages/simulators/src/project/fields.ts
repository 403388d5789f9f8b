import { z } from 'zod';
import { COORDINATE_CM_MAX, ENERGY_MAX, FACTOR_MAX, NAME_LENGTH_MAX } from './limits.js';

/** Any text that names something; may be empty, the editor allows it. */
export const nameField = z.string().max(NAME_LENGTH_MAX);

/** The editor writes version 4 UUIDs, and fixed ids of the same length for its managers: opaque here. */
export const uuidField = z.string().min(1).max(NAME_LENGTH_MAX);

/** Coordinate or angle. */
export const coordinateField = z.number().min(-COORDINATE_CM_MAX).max(COORDINATE_CM_MAX);

/** A full length, cm. */
export const lengthField = z.number().positive().max(COORDINATE_CM_MAX);

/** A length that may be nothing, cm. */
export const optionalLengthField = z.number().nonnegative().max(COORDINATE_CM_MAX);

/** A kinetic energy, or the end of an axis or filter that may be one, in whatever unit stands beside it. */
export const energyField = z.number().nonnegative().max(ENERGY_MAX);

/** A factor on a result. */
export const factorField = z.number().min(-FACTOR_MAX).max(FACTOR_MAX);

/** `[x, y, z]`. */
export const vectorField = z.tuple([coordinateField, coordinateField, coordinateField]);

/** A switch that old files lack: absent and `null` mean off. */
export const switchField = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

/** What a member is in published schemas: a title, its unit, and more in a sentence. */
export const labels = (title: string, unit?: string, description?: string) => ({
  title,
  ...(unit === undefined ? {} : { 'x-unit': unit }),
  ...(description === undefined ? {} : { description }),
});

/** A value that is off when absent or `null`. */
export function absentable<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value): z.output<Schema> | undefined => value ?? undefined);
}
