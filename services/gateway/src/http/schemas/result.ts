import { z } from 'zod';
import { jobId, plainText, queryInteger } from './parameters.js';

/** Closed range of page numbers. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** Largest page number that can be asked for: the contract's int32. Larger ones exist nowhere and are cut to it. */
const PAGE_NUMBER_MAX = 2_147_483_647;

/** `1-3,5` → ranges, never expanded. */
const pageRanges = z
  .string()
  .regex(/^\d{1,15}(-\d{1,15})?(,\d{1,15}(-\d{1,15})?)*$/, 'must be page numbers and ranges like 1-3,5')
  .transform((text) => text.split(',').map(toRange))
  .refine((ranges) => ranges.every(({ first, last }) => first <= last), 'must not have a range that runs backwards');

function toRange(text: string): PageRange {
  const [first = 0, last = first] = text.split('-').map((digits) => Math.min(Number(digits), PAGE_NUMBER_MAX));
  return { first, last };
}

/** Query of GET /results. */
export const resultsQuery = z.object({
  job_id: jobId,
  estimator_name: plainText.min(1).max(512).optional().meta({ description: 'Only this estimator' }),
  page_number: queryInteger(0, PAGE_NUMBER_MAX).optional().meta({ description: 'A single page' }),
  page_numbers: pageRanges
    .optional()
    .meta({ description: 'Pages and ranges of them, like 1-3,5; numbers that do not exist are left out' }),
});

const provenance = {
  primaries: z.int().min(0).meta({ description: 'Histories behind the values' }),
  tasks_merged: z.int().min(0),
  partial: z.boolean().meta({ description: 'True while tasks are missing, and for good when some failed' }),
  engine: z.string(),
  warnings: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .optional()
    .meta({
      description:
        'What was asked for and left out (on_unsupported: omit), and what in the output of the simulator is shown ' +
        'otherwise than it was meant, or not at all',
    }),
};

const axis = z.object({ name: z.string(), unit: z.string() });
const pageNumber = z
  .int()
  .min(0)
  .meta({ description: 'From 1; as numbered by an external worker that sent it, from 0' });
const nonFiniteCount = z
  .int()
  .min(1)
  .optional()
  .meta({ description: 'Values that were not finite: they are 0, their errors null' });

export const resultsResponse = z.object({
  message: z.string(),
  ...provenance,
  estimators: z.array(
    z.object({
      name: z.string(),
      pages: z.array(
        z.object({
          page_number: pageNumber,
          name: z.string(),
          data: z.object({
            values: z.array(z.number()).meta({ description: 'Flat, first axis fastest' }),
            errors: z
              .array(z.number().nullable())
              .optional()
              .meta({ description: 'Standard error of each value; null where it is not known' }),
            dimensions: z
              .array(z.array(z.number()))
              .meta({ description: 'Bin centres, one list an axis, slowest last' }),
            axes: z.array(axis).optional(),
            unit: z.string(),
          }),
          non_finite_count: nonFiniteCount,
          metadata: z
            .record(z.string(), z.unknown())
            .optional()
            .meta({ description: 'Metadata that the external worker sent with the page' }),
        }),
      ),
    }),
  ),
});

export const estimatorsResponse = z.object({
  message: z.string(),
  ...provenance,
  estimators: z.array(
    z.object({
      name: z.string(),
      pages: z.array(
        z.object({
          page_number: pageNumber,
          name: z.string(),
          dimensions: z.array(z.int().min(0)),
          non_finite_count: nonFiniteCount,
        }),
      ),
    }),
  ),
});
