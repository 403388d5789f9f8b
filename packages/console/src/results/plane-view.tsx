import { Alert, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { figure } from '../format.js';
import { TEXTS } from '../texts.js';
import { HistoriesSwitch } from './histories.js';
import { type Axis, cutAt, type Grid, isSameGrid, subtract, toCurve } from './page-data.js';
import { FigureMenu } from './plot/figure-menu.js';
import { LinePlot } from './plot/line-plot.js';
import { planeAsSvg } from './plot/plane-figure.js';
import { type ColorRange, differenceRangeOf, type Extent, extentOf, GAMMA_RANGE, rangeOf } from './plot/plane-image.js';
import { PlanePlot } from './plot/plane-plot.js';
import { planeAsRootJson } from './plot/root.js';

import { UnitChoice } from './units.js';
import type { Histories } from './use-histories.js';

const T = TEXTS.results;

/** Another plane beside this one. */
export interface OtherPlane {
  readonly label: string;
  readonly grid: Grid;
}

interface ComparedPlane extends OtherPlane {
  /** γ of the other one against this one, where the service has found it; NaN: not looked at. */
  readonly gamma?: Grid | undefined;
}

interface PlaneViewProps {
  readonly grid: Grid;
  readonly label: string;
  readonly other?: ComparedPlane | undefined;
  readonly histories: Histories;
  /** Colours of a plane, where they are to be those of several; its own unless given. */
  readonly rangeOf?: (extent: Extent, isLogarithmic: boolean) => ColorRange;
}

type Shown = 'own' | 'other' | 'difference' | 'gamma';

/** A plane in colours with cuts along both axes; with another one in turn, their difference, or γ between them. */
export function PlaneView({ grid, label, other, histories, rangeOf: toRange = rangeOf }: PlaneViewProps) {
  const [isLogarithmic, setIsLogarithmic] = useState(false);
  const [wanted, setAt] = useState<readonly [number, number]>();
  const [wantedShown, setShown] = useState<Shown>('own');
  const fits = useMemo(() => other !== undefined && isSameGrid(grid, other.grid), [grid, other]);
  const shown = !fits || (wantedShown === 'gamma' && other?.gamma === undefined) ? 'own' : wantedShown;
  const { peak } = useMemo(() => extentOf(grid), [grid]);
  const nx = grid.axes[0]?.centres.length ?? 1;
  const at = useMemo(() => wanted ?? ([peak % nx, Math.floor(peak / nx)] as const), [wanted, peak, nx]);
  const drawn = useMemo(() => {
    if (other === undefined || shown === 'own') return grid;
    if (shown === 'gamma') return other.gamma ?? grid;
    return shown === 'other' ? other.grid : subtract(grid, other.grid);
  }, [grid, other, shown]);
  const extent = useMemo(() => extentOf(drawn), [drawn]);
  const range = useMemo(
    () =>
      shown === 'difference'
        ? differenceRangeOf(drawn)
        : shown === 'gamma'
          ? GAMMA_RANGE
          : toRange(extent, isLogarithmic),
    [drawn, extent, shown, isLogarithmic, toRange],
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{shown === 'gamma' ? T.gammaOf(grid.name) : `${grid.name} / ${grid.unit}`}</Text>
          {shown !== 'gamma' && <UnitChoice unit={grid.unit} />}
        </Group>
        <Group>
          {fits && other !== undefined && (
            <ShownChoice hasGamma={other.gamma !== undefined} shown={shown} onChange={setShown} />
          )}
          <Switch
            label={T.log}
            checked={isLogarithmic}
            disabled={shown === 'difference' || shown === 'gamma'}
            onChange={(e) => setIsLogarithmic(e.currentTarget.checked)}
          />
          <HistoriesSwitch histories={histories} />
          <FigureMenu
            name={drawn.name}
            toSvg={() => planeAsSvg(drawn, range)}
            toRootJson={() => planeAsRootJson(drawn)}
          />
        </Group>
      </Group>
      {other !== undefined && !fits && (
        <Alert color="orange" variant="light">
          {T.otherBins(other.label)}
        </Alert>
      )}
      <PlanePlot grid={drawn} at={at} onCut={setAt} range={range} />
      <Outside grid={drawn} range={range} />
      <Group justify="space-between" gap={4}>
        <Text size="sm" fw={600} data-value>
          {valueWords(drawn, at, shown === 'own' ? histories.values : undefined)}
        </Text>
        <Text size="xs" c="dimmed">
          {T.cuts}
        </Text>
      </Group>
      <Cuts
        planes={fits && other !== undefined ? [{ label, grid }, other] : [{ label, grid }]}
        at={at}
        isLogarithmic={isLogarithmic}
      />
    </Stack>
  );
}

interface ShownChoiceProps {
  readonly hasGamma: boolean;
  readonly shown: Shown;
  readonly onChange: (shown: Shown) => void;
}

function ShownChoice({ hasGamma, shown, onChange }: ShownChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={T.shown}
      data={[
        { value: 'own', label: T.thisOne },
        { value: 'other', label: T.otherOne },
        { value: 'difference', label: T.difference },
        ...(hasGamma ? [{ value: 'gamma' as const, label: T.gammaName }] : []),
      ]}
      value={shown}
      onChange={onChange}
    />
  );
}

/** How many values have the colour of the largest that sets the scale, being larger. */
function Outside({ grid: { values }, range: { kind, high } }: { readonly grid: Grid; readonly range: ColorRange }) {
  const count = useMemo(
    () => (kind === 'gamma' ? 0 : values.reduce((sum, value) => sum + (Math.abs(value) > high ? 1 : 0), 0)),
    [values, kind, high],
  );
  if (count === 0) return undefined;
  return (
    <Text size="xs" c="dimmed" ta="center" data-outside={count}>
      {T.outsideColors(count)}
    </Text>
  );
}

interface CutsProps {
  readonly planes: readonly OtherPlane[];
  readonly at: readonly [number, number];
  readonly isLogarithmic: boolean;
}

/** Lines through all planes along both axes. */
function Cuts({ planes, at, isLogarithmic }: CutsProps) {
  const key = planes.map(({ label }) => label).join();
  const cuts = useMemo(
    () =>
      [1, 0].map((axis) => planes.flatMap(({ grid, label }) => toCurve(cutAt(grid, axis, at[axis] ?? 0), label) ?? [])),
    [key, planes[0]?.grid, planes[1]?.grid, at],
  );
  const [x, y] = planes[0]?.grid.axes ?? [];
  if (x === undefined || y === undefined) return undefined;
  return (
    <>
      <Group grow wrap="wrap" preventGrowOverflow={false}>
        {cuts.map((curves, i) => (
          <Stack key={i} gap={0} miw={280} flex="1 1 320px">
            <Text size="sm" c="dimmed" ta="center">
              {placeOf(i === 0 ? x : y, i === 0 ? y : x, at[1 - i] ?? 0)}
            </Text>
            <LinePlot curves={curves} height="clamp(220px, 26vh, 520px)" isLogarithmic={isLogarithmic} hasErrors />
          </Stack>
        ))}
      </Group>
    </>
  );
}

/** Where the cuts cross, and the value there with its error, and from how many histories it is. */
function valueWords(
  { axes, values, errors, unit }: Grid,
  at: readonly [number, number],
  histories: Float64Array | undefined,
): string {
  const places = axes.map(({ name, unit: of, centres }, i) => `${name} = ${figure(centres[at[i] ?? 0] ?? 0)} ${of}`);
  const bin = at[1] * (axes[0]?.centres.length ?? 1) + at[0];
  if (Number.isNaN(values[bin])) return `${places.join(', ')}: ${T.notLookedAt}`;
  const error = errors[bin];
  const band = error === undefined || Number.isNaN(error) ? '' : ` ± ${figure(error, 2)}`;
  const count = histories?.[bin];
  const source = count === undefined || Number.isNaN(count) ? '' : `, ${T.fromHistories(figure(count, 3))}`;
  return `${places.join(', ')}: ${figure(values[bin] ?? 0)}${band} ${unit}${source}`;
}

/** `along x at z = 3 cm` */
const placeOf = (along: Axis, fixed: Axis, bin: number): string =>
  T.cut(along.name, `${fixed.name} = ${figure(fixed.centres[bin] ?? 0)} ${fixed.unit}`);
