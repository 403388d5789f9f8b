import { Alert, Group, Stack, Switch, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type PageRef, pageQuery } from '../api/queries.js';
import { TEXTS } from '../texts.js';
import { Comparison } from './comparison.js';
import { HistoriesPlot, HistoriesSwitch } from './histories.js';
import { OverlayChoice } from './overlay-choice.js';
import { difference, type Grid, isSameAxis, normalised, toCurve, toGrid } from './page-data.js';
import { FigureMenu } from './plot/figure-menu.js';
import { LinePlot, linesOf, optionsOf } from './plot/line-plot.js';
import { linesAsRootJson, linesAsSvg } from './plot/root.js';
import { Readings, type SentReading } from './readings.js';
import { UnitChoice, useUnits } from './units.js';
import { useGamma } from './use-gamma.js';
import { useHistories } from './use-histories.js';
import { type Overlays, useOverlays, versionOf } from './use-overlays.js';

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
  const [isLogarithmic, setIsLogarithmic] = useState(false);
  const [hasErrors, setHasErrors] = useState(true);
  const [wantsShares, setWantsShares] = useState(false);
  const overlays = useOverlays(ref, 1);
  const gamma = useGamma(false);
  const histories = useHistories(ref);
  const { curves, otherAxis, units } = useCurves(ref, grid, overlays);
  const isTooMany = units.length > UNITS_MAX;
  const isNormalised = wantsShares || isTooMany;
  const drawn = useMemo(() => (isNormalised ? curves.map(normalised) : curves), [curves, isNormalised]);
  const [first] = drawn;
  const differences = useMemo(() => {
    const [reference, ...others] = drawn.filter((_, i) => curves[i]?.unit === curves[0]?.unit);
    return reference === undefined ? [] : others.map((other) => difference(reference, other));
  }, [drawn, curves]);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>
            {grid.name} / {first?.unit}
          </Text>
          {!isNormalised && <UnitChoice unit={grid.unit} />}
        </Group>
        <Group>
          <Switch label={T.log} checked={isLogarithmic} onChange={(e) => setIsLogarithmic(e.currentTarget.checked)} />
          <Switch label={T.errors} checked={hasErrors} onChange={(e) => setHasErrors(e.currentTarget.checked)} />
          <Switch
            label={T.normalise}
            checked={isNormalised}
            disabled={isTooMany}
            onChange={(e) => setWantsShares(e.currentTarget.checked)}
          />
          <HistoriesSwitch histories={histories} />
          <FigureMenu
            name={`${ref.estimator}-${grid.name}`}
            toSvg={() => linesAsSvg(linesOf(drawn, hasErrors), optionsOf(drawn, isLogarithmic, false))}
            toRootJson={() => linesAsRootJson(linesOf(drawn, hasErrors), optionsOf(drawn, isLogarithmic, false))}
          />
        </Group>
      </Group>
      <LinePlot
        curves={drawn}
        height="clamp(280px, 50vh, 1100px)"
        isLogarithmic={isLogarithmic}
        hasErrors={hasErrors}
      />
      <Text size="xs" c="dimmed" ta="center">
        {isTooMany ? T.manyUnits : T.zoom}
      </Text>
      <HistoriesPlot grid={grid} values={histories.values} />
      <Readings readings={readings} />
      <OverlayChoice overlays={overlays} />
      {otherAxis.length > 0 && (
        <Alert color="orange" variant="light">
          {T.otherAxis(otherAxis.join(', '))}
        </Alert>
      )}
      {differences.length > 0 && (
        <div>
          <Text size="sm" c="dimmed">
            {T.difference}
          </Text>
          <LinePlot curves={differences} height="clamp(200px, 24vh, 500px)" isLogarithmic={false} hasErrors={false} />
        </div>
      )}
      <Comparison own={ref} overlays={overlays} gamma={gamma} />
    </Stack>
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
      return curve === undefined ? [] : [curve];
    });
    const fitting = others.filter((curve) => own !== undefined && isSameAxis(curve.axis, own.axis));
    const curves = own === undefined ? [] : [own, ...fitting];
    return {
      curves,
      otherAxis: others.filter((curve) => !fitting.includes(curve)).map(({ label }) => label),
      units: [...new Set(curves.map(({ unit }) => unit))],
    };
  }, [grid, ownLabel, labels, version, chosen]);
}
