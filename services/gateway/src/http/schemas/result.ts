import { CHOSEN_UNITS } from '@tally/merge';
import { z } from 'zod';
import { jobDescription } from './description.js';
import { jobId, plainText, queryInteger } from './parameters.js';
import { reading } from './reading.js';

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

/** Positions of axes. */
const axisNumbers = z
  .string()
  .regex(/^\d{1,3}(,\d{1,3})*$/, 'must be numbers of axes, from 0, like 0,2')
  .transform((text) => text.split(',').map(Number))
  .refine((axes) => new Set(axes).size === axes.length, 'must not name an axis twice');

const binRanges = z
  .string()
  .regex(/^\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*$/, 'must be bins, or ranges of them, from 0, like 40 or 3,10-20')
  .transform((text) => text.split(',').map((bins) => ({ isRange: bins.includes('-'), ...toRange(bins) })))
  .refine((ranges) => ranges.every(({ first, last }) => first <= last), 'must not have a range that runs backwards');

/** Names of the formats, as `format` says them. */
export const resultsFormat = z.enum(['json', 'csv', 'hdf5', 'npz', 'dicom', 'float64']);

/** Which pages are wanted. */
export const pageSelection = {
  estimator_name: plainText.min(1).max(512).optional().meta({ description: 'Only this estimator' }),
  page_number: queryInteger(0, PAGE_NUMBER_MAX).optional().meta({ description: 'A single page' }),
  page_numbers: pageRanges
    .optional()
    .meta({ description: 'Pages and ranges of them, like 1-3,5; numbers that do not exist are left out' }),
};

/** What of the results is wanted. */
const selection = {
  job_id: jobId,
  ...pageSelection,
  axis: axisNumbers
    .optional()
    .meta({ description: 'Axes of which `index` says the bins, by position, from 0, the fastest; like 2 or 1,2' }),
  index: binRanges.optional().meta({
    description:
      'Of each axis in `axis` one bin, from 0, like 40: the axis is gone; or a range of bins, like 10-20: it stays, with these',
  }),
  sum: axisNumbers.optional().meta({
    description:
      'Axes along which bins are added up, all or those of `index`: the axis is gone. Errors are those of the sums, from the ' +
      'scatter of the tasks',
  }),
};

/** Units by choice; µ is written as u. */
const chosenUnit = z
  .string()
  .transform((text) => text.replace(/[µμ]/g, 'u'))
  .pipe(z.enum(CHOSEN_UNITS));

/** Particles that a dose is of: those of a spot or of a treatment. */
const PARTICLES_MAX = 1e20;
const particleCount = z
  .string()
  .regex(/^\d{1,21}(\.\d{1,15})?([eE]\+?\d{1,2})?$/, `must be a number above 0, up to ${PARTICLES_MAX}, like 1e9`)
  .transform(Number)
  .pipe(z.number().gt(0).max(PARTICLES_MAX))
  .meta({ type: 'number', exclusiveMinimum: 0, maximum: PARTICLES_MAX, pattern: undefined });

/** Query of GET /results. */
export const resultsQuery = z
  .object({
    ...selection,
    effective_histories: z
      .enum(['true', 'false'])
      .optional()
      .meta({
        description:
          'true: with the effective number of histories that contribute to each bin, of pages of which it is known ' +
          '(docs/results.md)',
      }),
    description: z
      .enum(['true', 'false'])
      .optional()
      .meta({
        description:
          'true: CSV begins with lines that start with `#` and say what was simulated. JSON, HDF5 and NPZ say it in any ' +
          'case; DICOM and float64 have no place for it (400)',
      }),
    unit: chosenUnit.optional().meta({
      description: 'Unit of the values of pages that can be told in it; others keep theirs. `/prim` stays',
      enum: CHOSEN_UNITS,
    }),
    format: resultsFormat.optional().meta({ description: 'Goes before `Accept`' }),
    scale: particleCount.optional().meta({
      description: 'Of `format=dicom`: the dose of so many primaries, like 1e9, of a page that is per primary',
    }),
  })
  .refine(({ axis = [], index = [] }) => axis.length === index.length, {
    path: ['index'],
    message: 'must have as many entries as axis, separated by commas',
  });

const provenance = {
  description: jobDescription.optional(),
  primaries: z.int().min(0).meta({ description: 'Histories behind the values' }),
  tasks_merged: z.int().min(0),
  partial: z.boolean().meta({ description: 'True while tasks are missing, and for good when some failed' }),
  stopped: z
    .literal(true)
    .optional()
    .meta({ description: 'The job was stopped by its owner before all of its primaries were simulated' }),
  engine: z.string(),
  warnings: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .optional()
    .meta({
      description:
        'The warnings of the submission, and what in the output of the simulator is shown otherwise than it was meant, ' +
        'or not at all',
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
            error_batches: z
              .int()
              .min(0)
              .optional()
              .meta({ description: 'Of a sum: batches whose scatter its errors are, one for each task' }),
            effective_histories: z.array(z.number().nullable()).optional().meta({
              description: 'Where asked for: effective number of histories behind each value; null: not known',
            }),
            dimensions: z
              .array(z.array(z.number()))
              .meta({ description: 'Bin centres, one list an axis, slowest last' }),
            axes: z.array(axis).optional(),
            unit: z.string(),
          }),
          non_finite_count: nonFiniteCount,
          readings: z
            .array(reading)
            .optional()
            .meta({ description: 'What is read off a page that is a curve; absent: nothing' }),
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
