import { effectiveHistories, MOMENTS } from '@tally/merge';
import { inStep, type NumberPage } from '../page/number-page.js';
import type { EstimatorPageHeader } from '../page/page.js';
import { type PageAxes, sourceOf, viewPage } from '../page/page-view.js';
import type { StoredTaskOutput, TaskOutputStore } from '../ports.js';
import { mergeDenominators } from './merge-page.js';
import { describeFinalPage } from './result.js';
import { hasSum, sumPage } from './sum-page.js';

/**
 * A part of a page with the effective number of histories that contribute to each bin: of a linear page by its values and errors,
 * of a ratio those of its denominators. Counts, maps, lists and means of tasks, whose histories are not told, have none.
 * @param outputs - that the page was merged from
 */
export function withEffectiveHistories(
  taskOutputs: Pick<TaskOutputStore, 'readRanges'>,
  view: NumberPage,
  header: EstimatorPageHeader,
  outputs: readonly StoredTaskOutput[],
  axes: PageAxes,
): NumberPage {
  const linear = header.kind === 'ratio' ? denominatorsOf(taskOutputs, header, outputs, axes) : view;
  if (header.kind !== 'linear' && header.kind !== 'ratio') return view;
  const primaries = outputs.reduce((sum, output) => sum + output.primaries, 0);
  return {
    ...view,
    async *effectiveHistories() {
      for await (const [values, errors = NONE] of inStep(linear.values(), linear.errors())) {
        yield Float64Array.from(values, (value, bin) =>
          effectiveHistories(value, errors[bin] ?? Number.NaN, primaries),
        );
      }
    },
  };
}

const NONE = new Float64Array(0);

/** The denominators of a ratio, in the same part. */
function denominatorsOf(
  taskOutputs: Pick<TaskOutputStore, 'readRanges'>,
  header: EstimatorPageHeader,
  outputs: readonly StoredTaskOutput[],
  axes: PageAxes,
): NumberPage {
  if (hasSum(axes)) {
    const linear = { ...header, kind: 'linear', scale: 1 } as const;
    return sumPage(taskOutputs, linear, outputs, axes, [MOMENTS.ratio.indexOf('denominator')]);
  }
  const page = { ...describeFinalPage(header), hasErrors: true };
  const source = sourceOf(page, header.axes, async (array, from, to) => {
    return (await mergeDenominators(taskOutputs, header, outputs, { from, count: to - from }))[array];
  });
  return viewPage(source, axes);
}
