import { Button, useComputedColorScheme } from '@mantine/core';
import { useElementSize, useViewportSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { figure } from '../../format.js';
import { TEXTS } from '../../texts.js';
import { axisTitle, type Grid } from '../page-data.js';
import type { Box } from './chart.js';
import type { Zoom } from './curves-chart.js';
import { screenFormat } from './line-plot.js';
import { type ColorRange, paint } from './plane-image.js';
import { layOutPlane, type PlaneChart, type PlaneLayout } from './plane-layout.js';
import { PlaneLines, PlaneSvg } from './plane-svg.js';
import classes from './plots.module.css';
import { unitWords } from './rich-text.js';
import { measured } from './ticks.js';
import type { Place } from './use-pointer.js';

/** When a plane is on the screen (`performance.getEntriesByName`). */
const PLANE_PAINTED_MARK = 'plane painted';
const DRAG_PIXELS = 8;
/** Of the window, pixels. */
const HEIGHT = { share: 0.58, least: 300, most: 1_300 };

export interface PlanePlotProps {
  readonly chart: PlaneChart;
  /** Bin through which the cuts go. */
  readonly at: readonly [number, number];
  readonly onCut: (at: readonly [number, number]) => void;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

const clamp = (value: number, size: number) => Math.max(0, Math.min(size - 1, value));

/** A plane of values as colours: a click, or the arrow keys, move the cuts; a drag chooses a part. */
export function PlanePlot({ chart, at, onCut, onZoom }: PlanePlotProps) {
  const { grid, range, zoom } = chart;
  const isDark = useComputedColorScheme() === 'dark';
  const { ref, width } = useElementSize();
  const { height: viewport } = useViewportSize();
  const height = Math.max(HEIGHT.least, Math.min(HEIGHT.most, HEIGHT.share * viewport));
  const canvas = useRef<HTMLCanvasElement>(null);
  const [x, y] = grid.axes;
  const [nx, ny] = [x?.centres.length ?? 1, y?.centres.length ?? 1];
  const format = useMemo(() => screenFormat(width, height, isDark), [width, height, isDark]);
  const layout = useMemo(() => layOutPlane(chart, format), [chart, format]);
  usePainting(canvas, grid, range);
  const { hover, drag, surface } = useSurface(
    (place) => layout !== undefined && onCut(binAt(layout, place, nx, ny)),
    (from, to) => layout !== undefined && onZoom(partOf(layout, from, to)),
    () => onZoom(undefined),
  );
  if (x === undefined || y === undefined || layout === undefined) return undefined;
  const { box, image } = layout;
  const binOf = (place: Place) => binAt(layout, place, nx, ny);
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return onZoom(undefined);
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onCut([clamp(at[0] + step[0], nx), clamp(at[1] + step[1], ny)]);
  };
  const label = labelOf(grid, at);
  const centre = [
    image.left - box.left + ((at[0] + 0.5) / nx) * image.width,
    image.top - box.top + (1 - (at[1] + 0.5) / ny) * image.height,
  ] as const;
  return (
    <div ref={ref} className={classes.plane}>
      <div style={{ position: 'relative', height: layout.height }}>
        <PlaneSvg chart={chart} layout={layout} format={format} />
        <div
          className={classes.picture}
          style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
          {...surface}
        >
          <canvas
            ref={canvas}
            className={classes.image}
            style={{ left: image.left - box.left, top: image.top - box.top, width: image.width, height: image.height }}
            onKeyDown={move}
            tabIndex={0}
            role="application"
            aria-label={label}
            data-plane
          />
          <div className={classes.line} style={{ left: centre[0], top: 0, width: 1, height: '100%' }} />
          <div className={classes.line} style={{ top: centre[1], left: 0, height: 1, width: '100%' }} />
          {drag !== undefined && isDrag(...drag) && <Selected from={drag[0]} to={drag[1]} />}
        </div>
        {/* contours lie over the bins, which lie over the frame */}
        {chart.levels.length > 0 && (
          <svg className={classes.over} width={width} height={layout.height} aria-hidden="true">
            <PlaneLines chart={chart} layout={layout} lineWidth={format.lineWidth} />
          </svg>
        )}
        {hover !== undefined && drag === undefined && (
          <Hover box={box} at={hover} words={hoverWords(chart, binOf(hover))} width={width} />
        )}
        {zoom !== undefined && (
          <Button className={classes.whole} size="compact-xs" variant="default" onClick={() => onZoom(undefined)}>
            {TEXTS.results.whole}
          </Button>
        )}
      </div>
    </div>
  );
}

const isDrag = (from: Place, to: Place): boolean =>
  Math.abs(to.x - from.x) > DRAG_PIXELS && Math.abs(to.y - from.y) > DRAG_PIXELS;

/** Both places of a bin, and its value with its error. */
function hoverWords({ grid: { axes, values, errors, unit } }: PlaneChart, [ix, iy]: readonly [number, number]): string {
  const [x, y] = axes;
  const bin = iy * (x?.centres.length ?? 1) + ix;
  const places = [x, y].map((axis, i) =>
    axis === undefined
      ? ''
      : `${axis.name} = ${measured(axis.centres[i === 0 ? ix : iy] ?? 0, undefined, unitWords(axis.unit))}`,
  );
  const value = values[bin] ?? 0;
  return `${places.join(', ')}: ${Number.isNaN(value) ? TEXTS.results.notLookedAt : measured(value, errors[bin], unitWords(unit))}`;
}

/** The part of a plane between two places of its box. */
function partOf({ box, x, y }: PlaneLayout, from: Place, to: Place): Zoom {
  const edges = (one: number, other: number, most: number) =>
    [Math.max(0, Math.min(one, other)), Math.min(most, Math.max(one, other))] as const;
  const [left, right] = edges(from.x, to.x, box.width);
  const [top, bottom] = edges(from.y, to.y, box.height);
  return {
    x: [x.scale.invert(box.left + left), x.scale.invert(box.left + right)],
    y: [y.scale.invert(box.top + bottom), y.scale.invert(box.top + top)],
  };
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** What a plane is, and its value where the cuts cross, for who does not see it. */
function labelOf({ name, unit, axes, values }: Grid, at: readonly [number, number]): string {
  const sizes = axes.map(({ centres }) => centres.length);
  const places = axes.map((axis, i) => `${axisTitle(axis)} ${figure(axis.centres[at[i] ?? 0] ?? 0)}`);
  const value = values[at[1] * (sizes[0] ?? 1) + at[0]] ?? 0;
  return `${name}, ${sizes.join(' × ')}; ${places.join(', ')}: ${figure(value)} ${unit}`;
}

/** Paints the bins, a pixel each, whenever they or their colours change. */
function usePainting(canvas: RefObject<HTMLCanvasElement | null>, grid: Grid, range: ColorRange): void {
  const [nx, ny] = [grid.axes[0]?.centres.length ?? 1, grid.axes[1]?.centres.length ?? 1];
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    if (element.width !== nx) element.width = nx;
    if (element.height !== ny) element.height = ny;
    const context = element.getContext('2d');
    let isGone = false;
    const paintAll = async () => {
      if (context === null || !(await paint(context, grid, range, () => !isGone))) return;
      requestAnimationFrame(() => performance.mark(PLANE_PAINTED_MARK));
    };
    void paintAll();
    return () => {
      isGone = true;
    };
  }, [canvas, grid, range, nx, ny]);
}

function Selected({ from, to }: { readonly from: Place; readonly to: Place }) {
  const style = {
    left: Math.min(from.x, to.x),
    top: Math.min(from.y, to.y),
    width: Math.abs(to.x - from.x),
    height: Math.abs(to.y - from.y),
  };
  return <div className={classes.selected} style={style} />;
}

interface HoverProps {
  readonly box: Box;
  /** Within the box. */
  readonly at: Place;
  readonly words: string;
  readonly width: number;
}

function Hover({ box, at, words, width }: HoverProps) {
  const isRight = at.x > box.width / 2;
  const beside = isRight ? { right: width - box.left - at.x + 12 } : { left: box.left + at.x + 12 };
  return (
    <div className={classes.values} role="status" data-values style={{ top: box.top + at.y + 12, ...beside }}>
      {words}
    </div>
  );
}

/** The bin at a place of the box, on its edges the next one. */
function binAt({ box, image }: PlaneLayout, place: Place, nx: number, ny: number): readonly [number, number] {
  return [
    clamp(Math.floor(((place.x + box.left - image.left) / image.width) * nx), nx),
    clamp(ny - 1 - Math.floor(((place.y + box.top - image.top) / image.height) * ny), ny),
  ];
}

/** Where the pointer is in the box of a plane, clicks, and boxes that it draws. */
function useSurface(onClick: (at: Place) => void, onDrag: (from: Place, to: Place) => void, onDoubleClick: () => void) {
  const [hover, setHover] = useState<Place>();
  const [drag, setDrag] = useState<readonly [Place, Place]>();
  const placeOf = (event: PointerEvent<HTMLElement>): Place => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const surface = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag([placeOf(event), placeOf(event)]);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      setHover(placeOf(event));
      if (drag !== undefined) setDrag([drag[0], placeOf(event)]);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const to = placeOf(event);
      if (drag !== undefined && isDrag(drag[0], to)) onDrag(drag[0], to);
      else if (drag !== undefined) onClick(to);
      setDrag(undefined);
    },
    onPointerCancel: () => setDrag(undefined),
    onPointerLeave: () => setHover(undefined),
    onDoubleClick,
  };
  return { hover, drag, surface };
}
