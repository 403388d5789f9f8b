import { z } from 'zod';
import { jobId } from './parameters.js';
import { reading } from './reading.js';
import { pageSelection } from './result.js';

/** Positive number in a query string, in plain decimals. */
function queryNumber(max: number, defaultText: string) {
  return z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?$/, `must be a number above 0, up to ${max}`)
    .default(defaultText)
    .transform(Number)
    .pipe(z.number().gt(0).max(max))
    .meta({ type: 'number', exclusiveMinimum: 0, maximum: max, pattern: undefined, default: Number(defaultText) });
}

/** Query of GET /results/compare. */
export const comparisonQuery = z.object({
  job_id: jobId,
  with: jobId.meta({
    description: 'The other job. Differences are the other less this one; gamma takes this one for the reference',
  }),
  ...pageSelection,
  gamma_dose_percent: queryNumber(100, '2').describe(
    'Difference of dose that agrees, percent of the largest of the reference',
  ),
  gamma_distance_mm: queryNumber(1000, '1').describe('Distance that agrees, millimetres'),
  gamma_cutoff_percent: queryNumber(100, '10').describe(
    'Bins of the reference below this part of its largest dose are not looked at, percent',
  ),
  gamma_map: z.enum(['true', 'false']).optional().meta({ description: 'true: with γ of each bin' }),
});

const numbers = z.array(z.number().nullable());
const compared = z.object({ values: numbers, errors: numbers });

export const comparisonResponse = z.object({
  message: z.string(),
  job_id: z.string(),
  with: z.string(),
  estimators: z.array(
    z.object({
      name: z.string(),
      pages: z.array(
        z.object({
          page_number: z
            .int()
            .min(0)
            .optional()
            .meta({ description: 'In this job; absent where only the other has the page' }),
          name: z.string().meta({ description: 'Pages of both jobs belong together by estimator and name' }),
          not_compared: z
            .string()
            .optional()
            .meta({ description: 'Why this page has no comparison; nothing else is then said' }),
          unit: z.string().optional(),
          chi_square: z
            .number()
            .optional()
            .meta({ description: 'Σ (other − this)² / (σ_other² + σ_this²) over the bins whose errors are known' }),
          degrees_of_freedom: z.int().min(0).optional().meta({ description: 'How many bins these are' }),
          difference_max: z.number().optional().meta({ description: 'Largest |other − this|' }),
          reading_differences: z.array(reading).optional().meta({
            description: 'Of the readings that both curves have: those of the other job less those of this one',
          }),
          gamma: z
            .object({
              pass_rate: z.number().min(0).max(1),
              bins: z.int().min(1).meta({ description: 'Bins above the cutoff' }),
              dose_percent: z.number(),
              distance_mm: z.number(),
              cutoff_percent: z.number(),
            })
            .optional(),
          gamma_map: z
            .object({
              max: z.number().meta({ description: 'Larger γ is told as this number' }),
              values: z.array(z.number().nullable()).meta({ description: 'null below the cutoff' }),
            })
            .optional()
            .meta({ description: 'γ of each bin, in the order of `difference`, where it was asked for' }),
          gamma_map_left_out: z.string().optional().meta({ description: 'Why it is not there all the same' }),
          gamma_left_out: z.string().optional().meta({ description: 'Why there is no gamma pass rate' }),
          axes: z.array(z.object({ name: z.string(), unit: z.string() })).optional(),
          dimensions: z.array(z.array(z.number())).optional(),
          difference: compared.optional().meta({ description: 'other − this; null where an error is not known' }),
          ratio: compared.optional().meta({ description: 'other / this; null where this is 0' }),
        }),
      ),
    }),
  ),
});
