import { Group, Switch, Text } from '@mantine/core';
import { useMemo } from 'react';
import { FIGURE_TEXTS } from '../texts/figures.js';
import { TEXTS } from '../texts.js';
import { CurveFigure } from './figure/curve-figure.js';
import type { FigureSource } from './figure/figure-source.js';
import { type Grid, toCurve } from './page-data.js';
import { toChart } from './plot/curves-chart.js';
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
  readonly source: FigureSource;
}

/** Effective numbers of histories over the axis of a curve. */
export function HistoriesPlot({ grid, values, source }: HistoriesPlotProps) {
  const chart = useMemo(() => {
    const known = values?.map((value) => (Number.isNaN(value) ? 0 : value));
    const shown = known && { ...grid, values: known, errors: new Float64Array(), unit: '', name: T.effectiveHistories };
    const curve = shown && toCurve(shown, T.effectiveHistories);
    return curve && toChart([curve], { isLogarithmic: true, hasErrors: false });
  }, [grid, values]);
  if (chart === undefined) return undefined;
  return (
    <div data-histories>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {T.effectiveHint}
        </Text>
        <CurveFigure chart={chart} source={source} part="histories" of={FIGURE_TEXTS.effective} />
      </Group>
      <LinePlot chart={chart} height="clamp(180px, 22vh, 420px)" />
    </div>
  );
}
