import { z } from 'zod';

/** A number that is read off a curve. */
export const reading = z
  .object({
    name: z.string().meta({ description: 'For example R80' }),
    value: z.number().meta({ description: 'Of a depth: from the first matter along the beam' }),
    error: z.number().nullable().meta({ description: 'Standard error; null: not known' }),
    unit: z.string().meta({ description: 'Empty: a ratio' }),
    definition: z.string(),
    coordinate: z
      .number()
      .optional()
      .meta({ description: 'The same place on the axis, where depth and coordinate differ' }),
  })
  .meta({ id: 'Reading', description: 'A number that is read off a curve (docs/results.md)' });
