import { Group, SegmentedControl, Skeleton, Slider, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type PagePart, type PageRef, pageQuery, queryClient } from '../api/queries.js';
import { figure } from '../format.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { TEXTS } from '../texts.js';
import { Comparison } from './comparison.js';
import { useFigureSource } from './figure/figure-source.js';
import { OverlayChoice } from './overlay-choice.js';
import { type Axis, axisTitle, toGrid } from './page-data.js';
import { PlaneView } from './plane-view.js';
import { readNumbers } from './plot/curves-chart.js';
import { type ColorRange, type Extent, joinExtents, rangeOf } from './plot/plane-image.js';
import { useUnits } from './units.js';
import { useGamma } from './use-gamma.js';
import { useHistories } from './use-histories.js';
import { useOverlays } from './use-overlays.js';
import { useView } from './use-view.js';

const T = TEXTS.results;
/** How long a slider rests before its slice is asked for: a drag over a hundred slices is not a hundred requests. */
const SETTLED_MS = 60;

interface VolumeViewProps {
  readonly own: PageRef;
  /** Bins of every axis, the first the fastest. */
  readonly sizes: readonly number[];
}

/** A page of three axes or more, plane by plane: each is asked for when it is looked at. */
export function VolumeView({ own, sizes }: VolumeViewProps) {
  const long = useMemo(() => sizes.flatMap((size, axis) => (size > 1 ? [axis] : [])), [sizes]);
  const planes = long.flatMap((x, i) => long.slice(i + 1).map((y) => [x, y] as const));
  const { search, set } = useView();
  const [wantedPlane = 0, ...bins] = readNumbers(search.slice, 1 + sizes.length);
  const plane = planes[wantedPlane] === undefined ? 0 : wantedPlane;
  const [x, y] = planes[plane] ?? [0, 1];
  const across = long.filter((axis) => axis !== x && axis !== y);
  const [wanted, setBins] = useState<Readonly<Record<number, number | undefined>>>(Object.fromEntries(bins.entries()));
  const binIn = (of: typeof wanted, axis: number) => {
    const [bin, size] = [of[axis], sizes[axis] ?? 1];
    return bin === undefined || !Number.isInteger(bin) || bin < 0 || bin >= size ? Math.floor(size / 2) : bin;
  };
  const axes = useAxes(own, long);
  const [settled] = useDebouncedValue(wanted, SETTLED_MS);
  const first = useRef(wanted);
  const part: PagePart = { axes: across, bins: across.map((axis) => binIn(settled, axis)) };
  const writeSlice = (next: number, of: typeof wanted) =>
    [next, ...sizes.map((_, axis) => of[axis] ?? '')].join(',').replace(/,+$/, '');
  useEffect(() => {
    if (settled !== first.current) set({ slice: writeSlice(plane, settled) });
  }, [settled]);
  const overlays = useOverlays(own, long.length);
  const gamma = useGamma(false);
  if (axes === undefined) return <Skeleton h={480} />;
  return (
    <Stack>
      <Group>
        <Text size="sm">{T.plane}</Text>
        <SegmentedControl
          aria-label={T.plane}
          data={planes.map((pair, i) => ({
            value: String(i),
            label: pair.map((axis) => axes.get(axis)?.name ?? '').join(', '),
          }))}
          value={String(plane)}
          onChange={(value) => set({ slice: writeSlice(Number(value), wanted), zoom: undefined, cut: undefined })}
        />
      </Group>
      {across.map((axis) => (
        <Position
          key={axis}
          axis={axes.get(axis)}
          bin={binIn(wanted, axis)}
          onChange={(bin) => setBins({ ...wanted, [axis]: bin })}
        />
      ))}
      <Slice key={plane} own={own} part={part} sizes={sizes} overlays={overlays} />
      <OverlayChoice overlays={overlays} isSingle />
      <Comparison own={own} overlays={overlays} gamma={gamma} />
    </Stack>
  );
}

/** The axes by their position: a line of the page along each has its bins. */
function useAxes(own: PageRef, long: readonly number[]): ReadonlyMap<number, Axis> | undefined {
  const lines = useQueries({
    queries: long.map((axis) => {
      const others = long.filter((other) => other !== axis);
      return { ...pageQuery(own, { axes: others, bins: others.map(() => 0) }), staleTime: Number.POSITIVE_INFINITY };
    }),
  });
  const found = lines.flatMap(({ data }, i) => {
    const axis = data ? toGrid(data).axes[0] : undefined;
    return axis === undefined ? [] : [[long[i] ?? 0, axis] as const];
  });
  return found.length === long.length ? new Map(found) : undefined;
}

interface PositionProps {
  readonly axis: Axis | undefined;
  readonly bin: number;
  readonly onChange: (bin: number) => void;
}

function Position({ axis, bin, onChange }: PositionProps) {
  if (axis === undefined) return undefined;
  return (
    <div>
      <Text size="sm" role="status">
        {T.slice(axisTitle(axis), figure(axis.centres[bin] ?? 0))}
      </Text>
      <Slider
        min={0}
        max={axis.centres.length - 1}
        value={bin}
        onChange={onChange}
        label={(i) => figure(axis.centres[i] ?? 0)}
        thumbLabel={T.across(axis.name)}
      />
    </div>
  );
}

interface SliceProps {
  readonly own: PageRef;
  readonly part: PagePart;
  readonly sizes: readonly number[];
  readonly overlays: ReturnType<typeof useOverlays>;
}

function Slice({ own, part, sizes, overlays }: SliceProps) {
  const slice = useQuery({ ...pageQuery(own, part), placeholderData: (before) => before });
  const [ref] = overlays.refs;
  const second = useQuery({
    ...pageQuery(ref ?? own, part),
    enabled: ref !== undefined,
    placeholderData: (before) => before,
  });
  const histories = useHistories(own, part);
  const source = useFigureSource(own, slice.data?.name ?? '');
  const { chosen } = useUnits();
  const toRange = useSharedColors(chosen.join());
  const grid = useMemo(() => (slice.data ? toGrid(slice.data, chosen) : undefined), [slice.data, chosen]);
  const other = useMemo(
    () =>
      ref !== undefined && second.data
        ? { label: overlays.labelOf(ref), grid: toGrid(second.data, chosen) }
        : undefined,
    [second.data, ref, chosen],
  );
  useEffect(() => {
    if (slice.isPlaceholderData || !slice.isSuccess || part.axes.length !== 1) return;
    const [axis = 0, bin = 0] = [part.axes[0], part.bins[0]];
    for (const next of [bin - 1, bin + 1]) {
      if (next >= 0 && next < (sizes[axis] ?? 1))
        void queryClient.prefetchQuery(pageQuery(own, { axes: [axis], bins: [next] }));
    }
  }, [slice.isPlaceholderData, slice.isSuccess, part.axes[0], part.bins[0]]);
  if (slice.isError) return <ProblemNotice error={slice.error} onRetry={() => void slice.refetch()} />;
  if (grid === undefined) return <Skeleton h={480} />;
  return (
    <Stack gap={4} data-slice={slice.isPlaceholderData ? undefined : part.bins.join()}>
      <PlaneView
        grid={grid}
        label={overlays.ownLabel}
        source={source}
        other={other}
        rangeOf={toRange}
        histories={histories}
      />
      <Text size="xs" c="dimmed">
        {T.sharedColors}
      </Text>
    </Stack>
  );
}

/** Colours that slices have together: from the smallest to the largest value of those that have been looked at. @param units - of the values */
function useSharedColors(units: string) {
  const seen = useRef<Extent>(undefined);
  const seenIn = useRef(units);
  return useCallback(
    (extent: Extent, isLogarithmic: boolean): ColorRange => {
      if (seenIn.current !== units) [seen.current, seenIn.current] = [undefined, units];
      seen.current = seen.current === undefined ? extent : joinExtents(seen.current, extent);
      return rangeOf(seen.current, isLogarithmic);
    },
    [units],
  );
}
