import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { type Chart, type Layout, nearestBin } from './chart.js';
import type { Zoom } from './curves-chart.js';

/** A drag that is flatter than this part of the box was along x, and one that is narrower along y. */
const FLAT = 0.25;
const DRAG_PIXELS = 6;

/** Of a drawing, pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * The place of a chart that somebody looks at by pointer or keys, and the part that he draws a box around.
 * @param onZoom - undefined: nothing can be chosen
 */
export function usePointer(chart: Chart, layout: Layout, onZoom: ((zoom: Zoom | undefined) => void) | undefined) {
  /** Of the axis. */
  const [cursor, setCursor] = useState<number>();
  const [drag, setDrag] = useState<readonly [Place, Place]>();
  const placeIn = (event: PointerEvent<SVGRectElement>): Place => {
    const { left, top } = event.currentTarget.ownerSVGElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const surface = {
    onPointerMove: (event: PointerEvent<SVGRectElement>) => {
      const place = placeIn(event);
      if (drag !== undefined) setDrag([drag[0], place]);
      setCursor(layout.x.scale.invert(clampTo(layout, place).x));
    },
    onPointerLeave: () => drag === undefined && setCursor(undefined),
    onPointerDown: (event: PointerEvent<SVGRectElement>) => {
      if (onZoom === undefined || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag([placeIn(event), placeIn(event)]);
    },
    onPointerUp: (event: PointerEvent<SVGRectElement>) => {
      const zoom = drag && zoomOf(layout, drag[0], placeIn(event), chart);
      if (zoom !== undefined) onZoom?.(zoom);
      setDrag(undefined);
    },
    onPointerCancel: () => setDrag(undefined),
    onDoubleClick: () => onZoom?.(undefined),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      if (cursor === undefined) onZoom?.(undefined);
      else setCursor(undefined);
      return;
    }
    const next = nextBin(chart, layout, cursor, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setCursor(next);
  };
  return { cursor, drag, surface, onKeyDown, leave: () => setCursor(undefined) };
}

/** A place within the box of a chart. */
export function clampTo({ box }: Layout, { x, y }: Place): Place {
  return {
    x: Math.max(box.left, Math.min(box.left + box.width, x)),
    y: Math.max(box.top, Math.min(box.top + box.height, y)),
  };
}

/** Which axes a drag means: whoever drags along the curve wants a part of x, however level his hand was. */
export function axesOf({ box }: Layout, from: Place, to: Place): { readonly isX: boolean; readonly isY: boolean } {
  const [across, up] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  return {
    isX: across >= DRAG_PIXELS && across / box.width >= (up / box.height) * FLAT,
    isY: up >= DRAG_PIXELS && up / box.height >= FLAT && up / box.height >= (across / box.width) * FLAT,
  };
}

function zoomOf(layout: Layout, from: Place, to: Place, { x, y, right }: Chart): Zoom | undefined {
  const [a, b] = [clampTo(layout, from), clampTo(layout, to)];
  const { isX, isY } = axesOf(layout, a, b);
  if (!isX && !isY) return undefined;
  const of = (scale: Layout['x']['scale'], one: number, other: number) => {
    const [low, high] = [scale.invert(Math.min(one, other)), scale.invert(Math.max(one, other))];
    return low < high ? ([low, high] as const) : ([high, low] as const);
  };
  return {
    x: isX ? of(layout.x.scale, a.x, b.x) : x.range,
    y: isY && right === undefined ? of(layout.y.scale, a.y, b.y) : y.range,
  };
}

/** The place of the next bin of the first series for a key. */
function nextBin({ series }: Chart, layout: Layout, cursor: number | undefined, key: string): number | undefined {
  const bins = series[0]?.x ?? [];
  const [low = 0, high = 0] = layout.x.scale.domain();
  const inside = bins.filter((x) => x >= low && x <= high);
  const now = cursor === undefined ? undefined : nearestBin(inside, cursor);
  const last = inside.length - 1;
  const at = now ?? Math.floor(last / 2);
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: now === undefined ? at : at - 1,
    ArrowRight: now === undefined ? at : at + 1,
    Home: 0,
    End: last,
    PageUp: at - Math.ceil(last / 10),
    PageDown: at + Math.ceil(last / 10),
  };
  const wanted = steps[key];
  return wanted === undefined ? undefined : inside[Math.max(0, Math.min(last, wanted))];
}
