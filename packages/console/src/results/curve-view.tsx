import { Alert, Group, Stack, Switch, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type PageRef, pageQuery } from '../api/queries.js';
import { FIGURE_TEXTS } from '../texts/figures.js';
import { TEXTS } from '../texts.js';
import { Comparison } from './comparison.js';
import { CurveFigure } from './figure/curve-figure.js';
import { type FigureSource, useFigureSource } from './figure/figure-source.js';
import { HistoriesPlot, HistoriesSwitch } from './histories.js';
import { OverlayChoice } from './overlay-choice.js';
import { type Curve, difference, type Grid, isSameAxis, normalised, toCurve, toGrid } from './page-data.js';
import { type Chart, xRange, yRange } from './plot/chart.js';
import { distinguish, readLevels, readZoom, toChart, writeZoom, type Zoom } from './plot/curves-chart.js';
import { LinePlot } from './plot/line-plot.js';
import { Readings, type SentReading } from './readings.js';
import { UnitChoice, useUnits } from './units.js';
import { useGamma } from './use-gamma.js';
import { useHistories } from './use-histories.js';
import { type Overlays, useOverlays, versionOf } from './use-overlays.js';
import { useView } from './use-view.js';
import { ViewMenu } from './view-menu.js';

const T = TEXTS.results;
/** A picture has an axis on the left and one on the right. */
const UNITS_MAX = 2;

interface CurveViewProps {
  readonly own: PageRef;
  readonly grid: Grid;
  /** Of this curve. */
  readonly readings: readonly SentReading[];
}

/** A curve, others over it, and what a physicist reads off it. */
export function CurveView({ own: ref, grid, readings }: CurveViewProps) {
  const { search, set } = useView();
  const [isLogarithmic, hasErrors] = [search.log === true, search.band !== false];
  const overlays = useOverlays(ref, 1);
  const gamma = useGamma(false);
  const histories = useHistories(ref);
  const source = useFigureSource(ref, grid.name);
  const { curves, otherAxis, units, jobs } = useCurves(ref, grid, overlays);
  const isTooMany = units.length > UNITS_MAX;
  const isNormalised = search.share === true || isTooMany;
  const drawn = useMemo(() => (isNormalised ? curves.map(normalised) : curves), [curves, isNormalised]);
  const [first] = drawn;
  const zoom = useMemo(() => readZoom(search.zoom), [search.zoom]);
  const chart = useMemo(() => {
    const levels = readLevels(search.levels, first?.values ?? [], first?.errors ?? []);
    return toChart(drawn, { isLogarithmic, hasErrors, zoom, levels });
  }, [drawn, first, isLogarithmic, hasErrors, zoom, search.levels]);
  const onZoom = (next: Zoom | undefined) => set({ zoom: writeZoom(next) });
  const alongX = writeZoom({ x: zoom?.x });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>
            {grid.name} / {first?.unit}
          </Text>
          {!isNormalised && <UnitChoice unit={grid.unit} onChange={() => set({ zoom: alongX, levels: undefined })} />}
        </Group>
        <Group>
          <Switch
            label={T.log}
            checked={isLogarithmic}
            onChange={(e) => set({ log: e.currentTarget.checked || undefined, zoom: alongX })}
          />
          <Switch
            label={T.errors}
            checked={hasErrors}
            onChange={(e) => set({ band: e.currentTarget.checked ? undefined : false })}
          />
          <Switch
            label={T.normalise}
            checked={isNormalised}
            disabled={isTooMany}
            onChange={(e) => set({ share: e.currentTarget.checked || undefined, zoom: alongX })}
          />
          <HistoriesSwitch histories={histories} />
          <CurveViewMenu chart={chart} zoom={zoom} onZoom={onZoom} />
          <CurveFigure chart={chart} source={source} />
        </Group>
      </Group>
      <LinePlot chart={chart} height="clamp(280px, 50vh, 1100px)" onZoom={onZoom} />
      <Text size="xs" c="dimmed" ta="center">
        {isTooMany ? T.manyUnits : T.zoom}
      </Text>
      <HistoriesPlot grid={grid} values={histories.values} source={source} />
      <Readings readings={readings} />
      <OverlayChoice overlays={overlays} />
      {otherAxis.length > 0 && (
        <Alert color="orange" variant="light">
          {T.otherAxis(otherAxis.join(', '))}
        </Alert>
      )}
      <Differences
        curves={curves}
        drawn={drawn}
        jobs={jobs}
        zoom={zoom}
        onZoom={onZoom}
        hasErrors={hasErrors}
        source={source}
      />
      <Comparison own={ref} overlays={overlays} gamma={gamma} />
    </Stack>
  );
}

interface MenuProps {
  readonly chart: Chart;
  readonly zoom: Zoom | undefined;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

function CurveViewMenu({ chart, zoom, onZoom }: MenuProps) {
  const { search, set } = useView();
  const left = chart.series.filter(({ isRight }) => !isRight);
  const { x, y } = chart;
  return (
    <ViewMenu
      ranges={[
        {
          from: FIGURE_TEXTS.from(x.name),
          to: FIGURE_TEXTS.to(x.name),
          range: x.range,
          whole: xRange(chart.series, false),
          onChange: (range) => onZoom({ ...zoom, x: range }),
        },
        {
          from: FIGURE_TEXTS.from(y.name || y.unit),
          to: FIGURE_TEXTS.to(y.name || y.unit),
          range: y.range,
          whole: yRange(left, y.isLogarithmic),
          onChange: (range) => onZoom({ ...zoom, y: range }),
        },
      ]}
      levels={search.levels ?? ''}
      onLevels={(levels) => set({ levels: levels || undefined })}
      onReset={() => set({ zoom: undefined, levels: undefined })}
    />
  );
}

interface DifferencesProps {
  readonly curves: readonly Curve[];
  readonly drawn: readonly Curve[];
  /** Of which job each curve is. */
  readonly jobs: readonly string[];
  readonly zoom: Zoom | undefined;
  readonly onZoom: (zoom: Zoom | undefined) => void;
  readonly hasErrors: boolean;
  readonly source: FigureSource;
}

/** How far other curves are from this one, with the errors of independent jobs. */
function Differences({ curves, drawn, jobs, zoom, onZoom, hasErrors, source }: DifferencesProps) {
  const chart = useMemo(() => {
    const [reference] = drawn;
    const found = drawn.flatMap((other, i) =>
      i === 0 || reference === undefined || curves[i]?.unit !== curves[0]?.unit
        ? []
        : [difference(reference, other, jobs[i] !== jobs[0])],
    );
    const { own } = distinguish(drawn.map(({ label }) => label));
    const named = found.map((curve, i) => ({ ...curve, label: `${own[i + 1] ?? ''} − ${own[0] ?? ''}` }));
    return toChart(named, { isLogarithmic: false, hasErrors, zoom: { x: zoom?.x } });
  }, [drawn, curves, jobs, hasErrors, zoom]);
  if (chart.series.length === 0) return undefined;
  return (
    <div data-differences>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {T.difference}
        </Text>
        <CurveFigure chart={chart} source={source} part="difference" of={T.difference} />
      </Group>
      <LinePlot
        chart={chart}
        height="clamp(200px, 24vh, 500px)"
        onZoom={(next) => onZoom(next && { ...zoom, x: next.x })}
      />
    </div>
  );
}

/** The page's own curve, and those over it that are on the same axis. */
function useCurves(ref: PageRef, grid: Grid, { refs, ownLabel, labelOf }: Overlays) {
  const results = useQueries({ queries: refs.map((other) => pageQuery(other)) });
  const { chosen } = useUnits();
  const version = versionOf(results);
  const labels = refs.map(labelOf).join('\n');
  return useMemo(() => {
    const own = toCurve(grid, ownLabel);
    const others = results.flatMap(({ data }, i) => {
      const curve = data ? toCurve(toGrid(data, chosen), labels.split('\n')[i] ?? '') : undefined;
      return curve === undefined ? [] : [{ curve, jobId: refs[i]?.jobId ?? '' }];
    });
    const fitting = others.filter(({ curve }) => own !== undefined && isSameAxis(curve.axis, own.axis));
    const curves = own === undefined ? [] : [own, ...fitting.map(({ curve }) => curve)];
    return {
      curves,
      jobs: [ref.jobId, ...fitting.map(({ jobId }) => jobId)],
      otherAxis: others.filter((other) => !fitting.includes(other)).map(({ curve }) => curve.label),
      units: [...new Set(curves.map(({ unit }) => unit))],
    };
  }, [grid, ownLabel, labels, version, chosen]);
}
