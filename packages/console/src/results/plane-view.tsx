import { Alert, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useMemo } from 'react';
import { figure } from '../format.js';
import type { Shown } from '../search.js';
import { FIGURE_TEXTS } from '../texts/figures.js';
import { TEXTS } from '../texts.js';
import { CurveFigure } from './figure/curve-figure.js';
import type { FigureSource } from './figure/figure-source.js';
import { PlaneFigure } from './figure/plane-figure.js';
import { HistoriesSwitch } from './histories.js';
import { type Axis, cutAt, type Grid, isSameGrid, subtract, toCurve, transpose } from './page-data.js';
import type { Range } from './plot/chart.js';
import { readLevels, readNumbers, readZoom, toChart, writeZoom, type Zoom } from './plot/curves-chart.js';
import { LinePlot } from './plot/line-plot.js';
import { type ColorRange, differenceRangeOf, type Extent, extentOf, GAMMA_RANGE, rangeOf } from './plot/plane-image.js';
import { canBeEqual, endsOf, haveSameLengths, type PlaneChart } from './plot/plane-layout.js';
import { PlanePlot } from './plot/plane-plot.js';
import { UnitChoice } from './units.js';
import type { Histories } from './use-histories.js';
import { useView } from './use-view.js';
import { ViewMenu } from './view-menu.js';

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
  readonly source: FigureSource;
  readonly other?: ComparedPlane | undefined;
  readonly histories: Histories;
  /** Colours of a plane, where they are to be those of several; its own unless given. */
  readonly rangeOf?: (extent: Extent, isLogarithmic: boolean) => ColorRange;
}

/** A plane in colours with cuts along both axes; with another one in turn, their difference, γ between them, or its errors. */
export function PlaneView(props: PlaneViewProps) {
  const { search } = useView();
  const { grid, other, histories } = props;
  const isTurned = search.turn ?? isTall(grid);
  const turned = useMemo(() => (isTurned ? turnedOf(props) : props), [isTurned, grid, other, histories]);
  return <Plane {...props} {...turned} isTurned={isTurned} />;
}

/** How many times as high as wide a plane is that lies down unless somebody turns it: depth goes to the right then, as in a depth dose. */
const TALL = 1.5;

function isTall(grid: Grid): boolean {
  const [x, y] = grid.axes;
  if (x === undefined || y === undefined || !haveSameLengths(grid)) return false;
  const [[left, right], [bottom, top]] = [endsOf(x), endsOf(y)];
  return (top - bottom) / (right - left) > TALL;
}

/** A plane, and what is beside and behind it, with the axes in the other order. */
function turnedOf({ grid, other, histories }: PlaneViewProps): Pick<PlaneViewProps, 'grid' | 'other' | 'histories'> {
  const counts = histories.values && transpose({ ...grid, values: histories.values, errors: NOTHING }).values;
  const turnedOther = other && {
    ...other,
    grid: transpose(other.grid),
    gamma: other.gamma && transpose(other.gamma),
  };
  return { grid: transpose(grid), other: turnedOther, histories: { ...histories, values: counts } };
}

const NOTHING = new Float64Array();

interface TurnedProps extends PlaneViewProps {
  readonly isTurned: boolean;
}

function Plane({ grid, label, source, other, histories, rangeOf: toRange = rangeOf, isTurned }: TurnedProps) {
  const { search, set } = useView();
  const isLogarithmic = search.log === true;
  const fits = useMemo(() => other !== undefined && isSameGrid(grid, other.grid), [grid, other]);
  const shown = shownOf(search.shown, grid, fits ? other : undefined);
  const at = useCut(grid);
  const drawn = useMemo(() => drawnOf(grid, other, shown), [grid, other, shown]);
  const extent = useMemo(() => extentOf(drawn), [drawn]);
  const whole = useMemo(() => {
    if (shown === 'difference') return differenceRangeOf(drawn);
    if (shown === 'gamma') return GAMMA_RANGE;
    return shown === 'errors' ? rangeOf(extent, isLogarithmic) : toRange(extent, isLogarithmic);
  }, [drawn, extent, shown, isLogarithmic, toRange]);
  const [low, high] = readNumbers(search.colors, 2);
  const range = useMemo(() => byHand(whole, low, high), [whole, low, high]);
  const zoom = useMemo(() => readZoom(search.zoom), [search.zoom]);
  const isEqual = search.equal !== false && canBeEqual(drawn, zoom);
  const chart = useMemo<PlaneChart>(() => {
    const levels = readLevels(search.levels, drawn.values, drawn.errors);
    return { title: '', grid: drawn, range, zoom, levels, isEqual };
  }, [drawn, range, zoom, isEqual, search.levels]);
  const onZoom = (next: Zoom | undefined) => set({ zoom: writeZoom(next) });
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{headingOf(grid, shown)}</Text>
          {shown !== 'gamma' && (
            <UnitChoice unit={grid.unit} onChange={() => set({ colors: undefined, levels: undefined })} />
          )}
        </Group>
        <Group>
          <ShownChoice grid={grid} other={fits ? other : undefined} shown={shown} />
          <Switch
            label={T.log}
            checked={isLogarithmic}
            disabled={shown === 'difference' || shown === 'gamma'}
            onChange={(e) => set({ log: e.currentTarget.checked || undefined, colors: undefined })}
          />
          <Directions canBeScaled={canBeEqual(drawn, zoom)} isEqual={isEqual} isTurned={isTurned} />
          <HistoriesSwitch histories={histories} />
          <PlaneViewMenu chart={chart} whole={whole} onZoom={onZoom} />
          <PlaneFigure chart={chart} source={source} part={shown === 'own' ? undefined : shown} />
        </Group>
      </Group>
      {other !== undefined && !fits && (
        <Alert color="orange" variant="light">
          {T.otherBins(other.label)}
        </Alert>
      )}
      <PlanePlot chart={chart} at={at} onCut={(bins) => set({ cut: bins.join(',') })} onZoom={onZoom} />
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
        zoom={zoom}
        source={source}
      />
    </Stack>
  );
}

interface DirectionsProps {
  readonly canBeScaled: boolean;
  readonly isEqual: boolean;
  readonly isTurned: boolean;
}

/** How a plane lies, and whether its lengths are to scale. */
function Directions({ canBeScaled, isEqual, isTurned }: DirectionsProps) {
  const { set } = useView();
  return (
    <>
      {canBeScaled && (
        <Switch
          label={FIGURE_TEXTS.equal}
          checked={isEqual}
          onChange={(e) => set({ equal: e.currentTarget.checked ? undefined : false })}
        />
      )}
      <Switch
        label={FIGURE_TEXTS.turn}
        checked={isTurned}
        onChange={(e) => set({ turn: e.currentTarget.checked, zoom: undefined, cut: undefined })}
      />
    </>
  );
}

/** The bin through which the cuts go: as the address says, or that of the largest value. */
function useCut(grid: Grid): readonly [number, number] {
  const { search } = useView();
  const { peak } = useMemo(() => extentOf(grid), [grid]);
  const [nx, ny] = [grid.axes[0]?.centres.length ?? 1, grid.axes[1]?.centres.length ?? 1];
  const [ix, iy] = readNumbers(search.cut, 2);
  const inside = (wanted: number | undefined, size: number, otherwise: number) =>
    wanted === undefined || !Number.isInteger(wanted) || wanted < 0 || wanted >= size ? otherwise : wanted;
  const [x, y] = [inside(ix, nx, peak % nx), inside(iy, ny, Math.floor(peak / nx))];
  return useMemo(() => [x, y] as const, [x, y]);
}

/** What can be shown of what is wanted. */
function shownOf(wanted: Shown | undefined, grid: Grid, other: ComparedPlane | undefined): Shown {
  if (wanted === 'errors') return grid.errors.length > 0 ? 'errors' : 'own';
  if (other === undefined || (wanted === 'gamma' && other.gamma === undefined)) return 'own';
  return wanted ?? 'own';
}

function drawnOf(grid: Grid, other: ComparedPlane | undefined, shown: Shown): Grid {
  if (shown === 'errors') {
    const name = FIGURE_TEXTS.standardError(grid.name);
    return { ...grid, name, values: grid.errors, errors: new Float64Array() };
  }
  if (other === undefined || shown === 'own') return grid;
  if (shown === 'gamma') return other.gamma ?? grid;
  if (shown === 'other') return other.grid;
  return { ...subtract(grid, other.grid), name: `${T.difference}, ${grid.name}` };
}

function headingOf({ name, unit }: Grid, shown: Shown): string {
  if (shown === 'gamma') return T.gammaOf(name);
  return `${shown === 'errors' ? FIGURE_TEXTS.standardError(name) : name} / ${unit}`;
}

/** Colours from and to what somebody has typed, as far as their scale can have it. */
function byHand(range: ColorRange, low: number | undefined, high: number | undefined): ColorRange {
  const [from, to] = [low ?? range.low, high ?? range.high];
  return to > from && (range.kind !== 'logarithmic' || from > 0) ? { ...range, low: from, high: to } : range;
}

interface PlaneMenuProps {
  readonly chart: PlaneChart;
  /** Colours unless somebody types others. */
  readonly whole: ColorRange;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

function PlaneViewMenu({ chart: { grid, zoom }, whole, onZoom }: PlaneMenuProps) {
  const { search, set } = useView();
  const [low, high] = readNumbers(search.colors, 2);
  const axes = (['x', 'y'] as const).flatMap((name, i) => {
    const axis = grid.axes[i];
    if (axis === undefined) return [];
    const onChange = (range: Range | undefined) => onZoom({ ...zoom, [name]: range });
    return [
      {
        from: FIGURE_TEXTS.from(axis.name),
        to: FIGURE_TEXTS.to(axis.name),
        range: zoom?.[name],
        whole: endsOf(axis),
        onChange,
      },
    ];
  });
  const colors = {
    from: FIGURE_TEXTS.colorsFrom,
    to: FIGURE_TEXTS.colorsTo,
    range: low === undefined || high === undefined ? undefined : ([low, high] as const),
    whole: [whole.low, whole.high] as const,
    onChange: (range: Range | undefined) => set({ colors: range?.join(',') }),
  };
  return (
    <ViewMenu
      ranges={[...axes, colors]}
      levels={search.levels ?? ''}
      onLevels={(levels) => set({ levels: levels || undefined })}
      onReset={() => set({ zoom: undefined, colors: undefined, levels: undefined })}
    />
  );
}

interface ShownChoiceProps {
  readonly grid: Grid;
  readonly other: ComparedPlane | undefined;
  readonly shown: Shown;
}

function ShownChoice({ grid, other, shown }: ShownChoiceProps) {
  const { set } = useView();
  const choices: readonly { readonly value: Shown; readonly label: string }[] = [
    { value: 'own', label: other === undefined ? T.values : T.thisOne },
    ...(grid.errors.length > 0 ? [{ value: 'errors' as const, label: FIGURE_TEXTS.errorMap }] : []),
    ...(other === undefined
      ? []
      : [
          { value: 'other' as const, label: T.otherOne },
          { value: 'difference' as const, label: T.difference },
          ...(other.gamma === undefined ? [] : [{ value: 'gamma' as const, label: T.gammaName }]),
        ]),
  ];
  if (choices.length < 2) return undefined;
  return (
    <SegmentedControl
      size="xs"
      aria-label={T.shown}
      data={[...choices]}
      value={shown}
      onChange={(value) => set({ shown: value === 'own' ? undefined : value, colors: undefined })}
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
  readonly zoom: Zoom | undefined;
  readonly source: FigureSource;
}

/** Lines through all planes along both axes, over the part that is chosen of the plane. */
function Cuts({ planes, at, isLogarithmic, zoom, source }: CutsProps) {
  const { set } = useView();
  const key = planes.map(({ label }) => label).join();
  const charts = useMemo(
    () =>
      [1, 0].map((axis) => {
        const curves = planes.flatMap(({ grid, label }) => toCurve(cutAt(grid, axis, at[axis] ?? 0), label) ?? []);
        return toChart(curves, { isLogarithmic, hasErrors: true, zoom: { x: axis === 1 ? zoom?.x : zoom?.y } });
      }),
    [key, planes[0]?.grid, planes[1]?.grid, at, isLogarithmic, zoom],
  );
  const [x, y] = planes[0]?.grid.axes ?? [];
  if (x === undefined || y === undefined) return undefined;
  const onZoom = (axis: 'x' | 'y') => (next: Zoom | undefined) =>
    set({ zoom: writeZoom({ ...zoom, [axis]: next?.x }) });
  return (
    <Group grow wrap="wrap" preventGrowOverflow={false}>
      {charts.map((chart, i) => {
        const place = placeOf(i === 0 ? x : y, i === 0 ? y : x, at[1 - i] ?? 0);
        const along = (i === 0 ? x : y).name;
        return (
          <Stack key={along} gap={0} miw={280} flex="1 1 320px">
            <Group justify="center" gap="sm">
              <Text size="sm" c="dimmed">
                {place}
              </Text>
              <CurveFigure chart={chart} source={source} part={`along-${along}`} of={FIGURE_TEXTS.cutAlong(along)} />
            </Group>
            <LinePlot chart={chart} height="clamp(220px, 26vh, 520px)" onZoom={onZoom(i === 0 ? 'x' : 'y')} />
          </Stack>
        );
      })}
    </Group>
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
