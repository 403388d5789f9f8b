import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { figure } from '../../format.js';
import { type Axis, axisTitle, edgesOf, type Grid } from '../page-data.js';
import { type ColorRange, colorsOf, LEGEND_SHARES, paint, ticks, valueAt } from './plane-image.js';
import classes from './plots.module.css';

/** When a plane is on the screen (`performance.getEntriesByName`). */
const PLANE_PAINTED_MARK = 'plane painted';

export interface PlanePlotProps {
  readonly grid: Grid;
  /** Bin through which the cuts go. */
  readonly at: readonly [number, number];
  readonly onCut: (at: readonly [number, number]) => void;
  readonly range: ColorRange;
}

/** First and last edge of an axis. */
function endsOf(axis: Axis): readonly [number, number] {
  const edges = edgesOf(axis);
  return [edges[0] ?? 0, edges.at(-1) ?? 1];
}

const clamp = (value: number, size: number) => Math.max(0, Math.min(size - 1, value));

/** A plane of values as colours; a click, or the arrow keys, move the cuts. */
export function PlanePlot({ grid, at, onCut, range }: PlanePlotProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [x, y] = grid.axes;
  const [nx, ny] = [x?.centres.length ?? 1, y?.centres.length ?? 1];
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
  }, [grid, range, nx, ny]);
  if (x === undefined || y === undefined) return undefined;
  const click = (event: MouseEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const ix = Math.floor(((event.clientX - box.left) / box.width) * nx);
    const iy = ny - 1 - Math.floor(((event.clientY - box.top) / box.height) * ny);
    onCut([clamp(ix, nx), clamp(iy, ny)]);
  };
  const move = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onCut([clamp(at[0] + step[0], nx), clamp(at[1] + step[1], ny)]);
  };
  const value = grid.values[at[1] * nx + at[0]] ?? 0;
  const label = `${grid.name}, ${nx} × ${ny}; ${axisTitle(x)} ${figure(x.centres[at[0]] ?? 0)}, ${axisTitle(y)} ${figure(y.centres[at[1]] ?? 0)}: ${figure(value)} ${grid.unit}`;
  return (
    <div className={classes.plane}>
      <div className={classes.picture}>
        <canvas
          ref={canvas}
          className={classes.image}
          onClick={click}
          onKeyDown={move}
          tabIndex={0}
          role="application"
          aria-label={label}
          data-plane
        />
        <div
          className={classes.line}
          style={{ left: `${(100 * (at[0] + 0.5)) / nx}%`, top: 0, width: 1, height: '100%' }}
        />
        <div
          className={classes.line}
          style={{ bottom: `${(100 * (at[1] + 0.5)) / ny}%`, left: 0, height: 1, width: '100%' }}
        />
      </div>
      <AxisBelow axis={x} />
      <AxisLeft axis={y} />
      <Legend range={range} unit={grid.unit} />
    </div>
  );
}

function AxisBelow({ axis }: { readonly axis: Axis }) {
  const [low, high] = endsOf(axis);
  return (
    <div style={{ position: 'relative', height: 44 }} aria-hidden="true">
      {ticks(low, high, 8).map((at) => (
        <span
          key={at}
          className={classes.tick}
          style={{ left: `${(100 * (at - low)) / (high - low)}%`, top: 4, transform: 'translateX(-50%)' }}
        >
          {at}
        </span>
      ))}
      <span className={classes.tick} style={{ left: '50%', top: 22, transform: 'translateX(-50%)' }}>
        {axisTitle(axis)}
      </span>
    </div>
  );
}

function AxisLeft({ axis }: { readonly axis: Axis }) {
  const [low, high] = endsOf(axis);
  return (
    <div className={classes.left} aria-hidden="true">
      {ticks(low, high, 7).map((at) => (
        <span
          key={at}
          className={classes.tick}
          style={{ right: 0, top: `${100 * (1 - (at - low) / (high - low))}%`, transform: 'translateY(-50%)' }}
        >
          {at}
        </span>
      ))}
      <span className={classes.tick} style={{ left: 6, top: '50%', transform: 'translate(-50%, -50%) rotate(-90deg)' }}>
        {axisTitle(axis)}
      </span>
    </div>
  );
}

function Legend({ range, unit }: { readonly range: ColorRange; readonly unit: string }) {
  return (
    <div className={classes.legend} aria-hidden="true">
      <div className={classes.bar} style={{ background: `linear-gradient(to top, ${colorsOf(range).join(', ')})` }} />
      {LEGEND_SHARES.map((share) => (
        <span
          key={share}
          className={classes.tick}
          style={{
            left: 20,
            top: `${100 * (1 - share)}%`,
            transform: `translateY(${share === 1 ? '0' : share === 0 ? '-100%' : '-50%'})`,
          }}
        >
          {figure(valueAt(share, range), 3)}
        </span>
      ))}
      <span className={classes.tick} style={{ right: 0, top: 'calc(100% + 22px)' }}>
        {unit}
      </span>
    </div>
  );
}
