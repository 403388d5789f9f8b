import { Switch, Text } from '@mantine/core';
import { useMemo } from 'react';
import { TEXTS } from '../texts.js';
import { type Grid, toCurve } from './page-data.js';
import { LinePlot } from './plot/line-plot.js';
import type { Histories } from './use-histories.js';

const T = TEXTS.results;

/** Asks for the effective number of histories behind each bin. */
export function HistoriesSwitch({ histories: { isWanted, setIsWanted } }: { readonly histories: Histories }) {
  return (
    <Switch
      label={T.effectiveHistories}
      title={T.effectiveHint}
      checked={isWanted}
      onChange={(event) => setIsWanted(event.currentTarget.checked)}
    />
  );
}

interface HistoriesPlotProps {
  /** The curve that they are behind. */
  readonly grid: Grid;
  readonly values: Histories['values'];
}

/** Effective numbers of histories over the axis of a curve. */
export function HistoriesPlot({ grid, values }: HistoriesPlotProps) {
  const curves = useMemo(() => {
    const known = values?.map((value) => (Number.isNaN(value) ? 0 : value));
    const shown = known && { ...grid, values: known, errors: new Float64Array(), unit: T.effectiveHistories };
    return (shown && toCurve(shown, T.effectiveHistories)) ?? undefined;
  }, [grid, values]);
  if (curves === undefined) return undefined;
  return (
    <div data-histories>
      <Text size="sm" c="dimmed">
        {T.effectiveHint}
      </Text>
      <LinePlot curves={[curves]} height="clamp(180px, 22vh, 420px)" isLogarithmic hasErrors={false} />
    </div>
  );
}
