import type { DescribedEstimates, EstimatorEstimates } from '@tally/contracts';
import { binNumbers } from '@tally/merge';
import { z } from 'zod';
import { plainText } from './parameters.js';

/**
 * Results as workers send them. Two forms of a page: that of GET /results, and that of the field's own sender, which
 * numbers pages by their place, names a page inside `data`, and gives axes as `axis_dim1` … `axis_dim3`.
 */

/** An estimator with its pages, in one form whichever was sent. */
export type UploadedEstimator = EstimatorEstimates;
export type UploadedPage = DescribedEstimates;
type UploadedAxis = UploadedPage['axes'][number];

const INT4_MAX = 2_147_483_647;
const AXES_MAX = 8;
/** Names of axes that have none. */
const AXIS_NAMES = ['X', 'Y', 'Z'];

const line = plainText.max(256);

const isList = (value: unknown) => Array.isArray(value) || value instanceof Float64Array;

/** A list of numbers → float64. Lists of one list are taken apart, so that a scalar may be as deep in them as it likes. */
const numbers = z
  .unknown()
  .transform((given, ctx) => {
    let list = given;
    while (Array.isArray(list) && list.length === 1 && isList(list[0])) list = list[0] as unknown;
    if (list instanceof Float64Array) return list;
    if (typeof list === 'number') list = [list];
    if (!Array.isArray(list)) {
      ctx.addIssue({ code: 'custom', message: given === undefined ? 'is required' : 'must be a list' });
      return z.NEVER;
    }
    const floats = new Float64Array(list.length);
    for (let i = 0; i < list.length; i++) {
      const value: unknown = list[i];
      if (typeof value !== 'number' && value !== null) {
        ctx.addIssue({ code: 'custom', path: [i], message: 'must be a number' });
        return z.NEVER;
      }
      floats[i] = value ?? Number.NaN;
    }
    return floats;
  })
  .meta({ type: 'array', items: { type: ['number', 'null'] } });

const ownAxis = z
  .object({ values: numbers.meta({ description: 'Bin centres' }), name: line.nullish(), unit: line.nullish() })
  .nullish();

const pageForms = z.object({
  page_number: z.int().min(0).max(INT4_MAX).nullish().meta({ description: 'Else its place in the list, from 0' }),
  name: line.nullish().meta({ description: "Else data.name, else the estimator's" }),
  data: z.object({
    values: numbers.meta({
      description:
        'First axis fastest; null, or as Python writes it NaN, Infinity, -Infinity: not a finite number. A single one ' +
        'may stand in lists of lists',
    }),
    dimensions: z.array(numbers).max(AXES_MAX).nullish().meta({ description: 'Bin centres of each axis' }),
    unit: line.nullish(),
    errors: numbers.nullish().meta({ description: 'Standard error of each value; null: unknown' }),
    axes: z
      .array(z.object({ name: line, unit: line }))
      .nullish()
      .meta({ description: 'One for each of dimensions' }),
    name: line.nullish(),
  }),
  axis_dim1: ownAxis.meta({ description: 'Instead of dimensions: the first axis' }),
  axis_dim2: ownAxis,
  axis_dim3: ownAxis,
  metadata: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({ description: 'Of final results: kept, and shown with the page' }),
});
type PageForms = z.output<typeof pageForms>;

/** A page in either form, in one; its number and its name may be missing. */
export const uploadedPage = pageForms.transform((page, ctx) => {
  const { values, errors, unit } = page.data;
  return {
    pageNumber: page.page_number ?? undefined,
    name: page.name ?? page.data.name ?? undefined,
    unit: unit ?? '',
    ...axesOf(page, ctx),
    values,
    errors: errors ?? undefined,
    metadata: page.metadata ?? undefined,
  };
});

/** An estimator without its pages. */
export const uploadedEstimator = z.object({ name: line.min(1), file_name: line.nullish() });

/** For the document: requests are read by readEstimators, a page at a time. */
export const uploadedEstimators = z.array(
  uploadedEstimator.extend({ pages: z.array(uploadedPage).min(1), metadata: z.unknown().optional() }),
);

/** What the axes of a page do not account for are bins that can only be numbered. */
function axesOf(page: PageForms, ctx: z.RefinementCtx): Pick<UploadedPage, 'axes' | 'numberedBins'> {
  const { values, errors, dimensions, axes } = page.data;
  const require = (place: string, length: number | undefined, expected: number, source: string) => {
    if (length === undefined || length === expected) return;
    ctx.addIssue({ code: 'custom', path: ['data', place], message: `must have ${expected} entries, as ${source} say` });
  };
  const found = dimensions ? dimensions.map((bins, axis) => toAxis(bins, axes?.[axis], axis)) : ownAxes(page);
  const empty = found.findIndex(({ centers }) => centers.length === 0);
  if (empty >= 0) {
    const path = dimensions ? ['data', 'dimensions', empty] : [`axis_dim${empty + 1}`, 'values'];
    ctx.addIssue({ code: 'custom', path, message: 'must have at least one bin' });
    return { axes: [] };
  }
  const bins = found.reduce((product, { centers }) => product * centers.length, 1);
  const rest = values.length / bins;
  const isCut = !dimensions && Number.isInteger(rest) && rest > 1;
  if (!isCut) require('values', values.length, bins, dimensions ? 'dimensions' : 'the axes');
  require('errors', errors?.length, values.length, 'values');
  if (dimensions) require('axes', axes?.length, dimensions.length, 'dimensions');
  return { axes: found, ...(isCut && { numberedBins: rest }) };
}

/** The axes of the field's own sender. */
function ownAxes({ axis_dim1, axis_dim2, axis_dim3 }: PageForms): UploadedAxis[] {
  return [axis_dim1, axis_dim2, axis_dim3].flatMap((axis, i) => (axis ? [toAxis(axis.values, axis, i)] : []));
}

/** Bins whose centres are no numbers, such as those of a logarithmic axis from 0, are numbered: no value is lost for it. */
function toAxis(
  centers: Float64Array,
  { name, unit }: { readonly name?: string | null; readonly unit?: string | null } = {},
  index: number,
): UploadedAxis {
  const isKnown = centers.every(Number.isFinite);
  return {
    name: name ?? AXIS_NAMES[index] ?? '',
    unit: isKnown ? (unit ?? '') : '',
    centers: isKnown ? Array.from(centers) : binNumbers(centers.length),
  };
}
