import { AXIS_TAKES, type results } from '@tally/contracts';
import type { z } from 'zod';
import type { PageRange, resultsQuery } from '../../schemas/result.js';

type Query = z.output<typeof resultsQuery>;

/** The last bin of an axis, whatever it is: larger ones mean it. */
const LAST_BIN = 2_147_483_647;

/** What the query selects, as results takes it. */
export function toSelection(query: Query) {
  return {
    jobId: query.job_id,
    estimatorName: query.estimator_name ?? '',
    pages: [...selectPages(query.page_numbers, query.page_number)],
    axes: toAxes(query),
    ...(query.effective_histories === 'true' ? { hasEffectiveHistories: true } : {}),
    ...(query.unit === undefined ? {} : { unit: query.unit }),
  };
}

/** Ranges, and a page of its own. */
export function selectPages(ranges: readonly PageRange[] = [], single: number | undefined): readonly PageRange[] {
  return single === undefined ? ranges : [...ranges, { first: single, last: single }];
}

/** One selection an axis: bins of `index`, summed where `sum` names the axis, too. */
function toAxes({ axis: axes = [], index = [], sum = [] }: Query): results.AxisSelection[] {
  const chosen = axes.map((axis, place) => {
    const { first = 0, last = LAST_BIN, isRange = false } = index[place] ?? {};
    const take = AXIS_TAKES[sum.includes(axis) ? 'sum' : isRange ? 'bins' : 'bin'];
    return { axis, first, last, take };
  });
  const whole = sum.filter((axis) => !axes.includes(axis));
  return [...chosen, ...whole.map((axis) => ({ axis, first: 0, last: LAST_BIN, take: AXIS_TAKES.sum }))];
}
