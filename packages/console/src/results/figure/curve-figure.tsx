import { useCallback } from 'react';
import { type Chart, layOut } from '../plot/chart.js';
import { ChartSvg } from '../plot/chart-svg.js';
import { distinguish } from '../plot/curves-chart.js';
import { chartAsCsv } from './chart-csv.js';
import { FigureMenu, type Paper } from './figure-menu.js';
import type { FigureSource } from './figure-source.js';
import { chartAsRootJson } from './root-json.js';

interface CurveFigureProps {
  readonly chart: Chart;
  readonly source: FigureSource;
  /** In the names of files, where a page has several figures. */
  readonly part?: string;
  /** The same for people. */
  readonly of?: string;
}

/** A chart as a figure for a paper: its title says what the curves have in common, its legend what each has of its own. */
export function CurveFigure({ chart, source, part, of }: CurveFigureProps) {
  const { common, own } = distinguish(chart.series.map(({ label }) => label));
  const draw = useCallback(
    ({ title, format }: Paper) => {
      const named = { ...chart, title, series: chart.series.map((one, i) => ({ ...one, label: own[i] ?? one.label })) };
      return <ChartSvg chart={named} layout={layOut(named, format)} format={format} />;
    },
    [chart, own.join('\n')],
  );
  return (
    <FigureMenu
      name={source.nameOf(...(part === undefined ? [] : [part]))}
      title={chart.series.length > 1 && common !== '' ? common : source.title}
      hasLegend={chart.series.length > 1}
      draw={draw}
      toCsv={() => chartAsCsv(chart, source.about)}
      toRootJson={() => chartAsRootJson(chart)}
      of={of}
    />
  );
}
