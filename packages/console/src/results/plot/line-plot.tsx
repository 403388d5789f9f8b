import { Box, Button, Group, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { axisTop } from '@tally/merge/readings';
import { useMemo } from 'react';
import { TEXTS } from '../../texts.js';
import { axisEnd, type Chart, type Format, type Layout, layOut, nearestBin } from './chart.js';
import { ChartSvg } from './chart-svg.js';
import type { Zoom } from './curves-chart.js';
import classes from './plots.module.css';
import { unitWords } from './rich-text.js';
import { measured } from './ticks.js';
import { axesOf, clampTo, type Place, usePointer } from './use-pointer.js';

const T = TEXTS.results;

export interface LinePlotProps {
  readonly chart: Chart;
  /** Of the drawing, as CSS. */
  readonly height: string;
  /** Somebody has chosen a part; undefined: all of it. Without it nothing can be chosen. */
  readonly onZoom?: ((zoom: Zoom | undefined) => void) | undefined;
}

/** Curves with their error bands over one axis; the values nearest to the pointer, or to a place chosen by keys, in words. */
export function LinePlot({ chart, height, onZoom }: LinePlotProps) {
  const isDark = useComputedColorScheme() === 'dark';
  const { ref, width, height: high } = useElementSize();
  const format = useMemo(() => screenFormat(width, high, isDark), [width, high, isDark]);
  const layout = useMemo(() => layOut(chart, format), [chart, format]);
  const { cursor, drag, onKeyDown, leave, surface } = usePointer(chart, layout, onZoom);
  const isDrawn = width > 0 && high > 0;
  const isZoomed = chart.x.range !== undefined || chart.y.range !== undefined;
  const points = chart.series.reduce((sum, { y }) => sum + y.length, 0);
  const label = `${chart.series.map((one) => one.label).join(', ')}: ${T.points(points)}`;
  const count = outside(chart);
  return (
    <Box>
      <div className={classes.frame} style={{ height }}>
        <div
          ref={ref}
          className={classes.plot}
          role="application"
          tabIndex={0}
          aria-label={label}
          data-drawn={isDrawn}
          onKeyDown={onKeyDown}
          onBlur={leave}
        >
          {isDrawn && (
            <ChartSvg chart={chart} layout={layout} format={format}>
              {drag !== undefined && <DragBox layout={layout} drag={drag} />}
              {cursor !== undefined && drag === undefined && (
                <Cursor chart={chart} layout={layout} at={cursor} format={format} />
              )}
              <rect
                x={layout.box.left}
                y={layout.box.top}
                width={layout.box.width}
                height={layout.box.height}
                fill="transparent"
                className={classes.surface}
                data-surface
                {...surface}
              />
            </ChartSvg>
          )}
        </div>
        {isDrawn && cursor !== undefined && drag === undefined && (
          <Values chart={chart} layout={layout} at={cursor} width={width} />
        )}
        {isZoomed && onZoom !== undefined && (
          <Button className={classes.whole} size="compact-xs" variant="default" onClick={() => onZoom(undefined)}>
            {T.whole}
          </Button>
        )}
      </div>
      {count > 0 && (
        <Text size="xs" c="dimmed" ta="center">
          {T.outside(count)}
        </Text>
      )}
      {chart.series.length > 1 && <Keys chart={chart} />}
    </Box>
  );
}

/** On a screen letters follow its size; what is narrow has smaller ones. */
export function screenFormat(width: number, height: number, isDark: boolean): Format {
  const fontSize = width < 420 ? 11 : width > 1800 ? 17 : 13;
  return {
    width,
    height,
    fontSize,
    lineWidth: fontSize / 6.5,
    hasLegend: false,
    ink: isDark ? '#d5d5d5' : '#222222',
    grid: isDark ? '#4a4a4a' : '#dddddd',
    fontFamily: 'inherit',
    letterWidth: 1.16, // DejaVu Sans and Verdana, the widest of what systems have
  };
}

/** Values above an axis that nobody has chosen. */
function outside({ series, y, right }: Chart): number {
  return series.reduce((sum, { y: values, errors, isRight }) => {
    const axis = isRight ? right : y;
    if (axis?.range !== undefined) return sum;
    const end = axisEnd(axisTop(values, errors), axis?.isLogarithmic === true);
    return sum + values.filter((value) => value > end).length;
  }, 0);
}

function DragBox({ layout, drag: [from, to] }: { readonly layout: Layout; readonly drag: readonly [Place, Place] }) {
  const [a, b] = [clampTo(layout, from), clampTo(layout, to)];
  const { isX, isY } = axesOf(layout, a, b);
  const { box } = layout;
  const place = {
    x: isX ? Math.min(a.x, b.x) : box.left,
    width: isX ? Math.abs(b.x - a.x) : box.width,
    y: isY ? Math.min(a.y, b.y) : box.top,
    height: isY ? Math.abs(b.y - a.y) : box.height,
  };
  return isX || isY ? <rect {...place} className={classes.drag} /> : undefined;
}

interface CursorProps {
  readonly chart: Chart;
  readonly layout: Layout;
  /** Of the axis. */
  readonly at: number;
}

/** The nearest bin of each series to a place of the axis, where there is one at all. */
function binsAt({ series }: Chart, { x }: Layout, at: number) {
  return series.flatMap((one, i) => {
    const bin = nearestBin(one.x, at);
    const [low = 0, high = 0] = x.scale.domain();
    const place = bin === undefined ? Number.NaN : (one.x[bin] ?? Number.NaN);
    return bin === undefined || !(place >= low && place <= high) ? [] : [{ one, i, bin, place }];
  });
}

function Cursor({ chart, layout, at, format }: CursorProps & { readonly format: Format }) {
  const bins = binsAt(chart, layout, at);
  const [first] = bins;
  if (first === undefined) return undefined;
  const { box, x, y, right } = layout;
  const line = x.scale(first.place);
  return (
    <g>
      <path d={`M${line} ${box.top}v${box.height}`} stroke={format.ink} strokeWidth={1} strokeDasharray="2 3" />
      {bins.map(({ one, i, bin, place }) => {
        const cy = (one.isRight && right !== undefined ? right : y).scale(one.y[bin] ?? 0);
        if (!(cy >= box.top && cy <= box.top + box.height)) return undefined;
        return <circle key={i} cx={x.scale(place)} cy={cy} r={4} fill={one.color} stroke="#fff" strokeWidth={1} />;
      })}
    </g>
  );
}

/** Value ± error of each series, beside the place they are of. */
function Values({ chart, layout, at, width }: CursorProps & { readonly width: number }) {
  const bins = binsAt(chart, layout, at);
  const [first] = bins;
  if (first === undefined) return undefined;
  const place = layout.x.scale(first.place);
  const isLeft = place > width / 2;
  const unitOf = (isRight: boolean) => unitWords((isRight ? chart.right?.unit : chart.y.unit) ?? '');
  return (
    <div
      className={classes.values}
      role="status"
      data-values
      style={isLeft ? { right: width - place + 14 } : { left: place + 14 }}
    >
      <Text size="xs" fw={600}>
        {chart.x.name} = {measured(first.place, undefined, unitWords(chart.x.unit))}
      </Text>
      {bins.map(({ one, i, bin }) => (
        <Group key={i} gap={6} wrap="nowrap">
          <span className={classes.dot} style={{ background: one.color }} />
          <Text size="xs">
            {bins.length > 1 && `${one.label}: `}
            {measured(one.y[bin] ?? 0, one.errors[bin], unitOf(one.isRight))}
          </Text>
        </Group>
      ))}
    </div>
  );
}

function Keys({ chart: { series } }: { readonly chart: Chart }) {
  return (
    <Group gap="md" mt={4} justify="center">
      {series.map(({ label, color, isRight, form }, i) => (
        <Group key={`${label} ${i}`} gap={6} wrap="nowrap">
          <span
            className={form === 'points' ? classes.dot : classes.key}
            data-right={isRight}
            style={form === 'points' ? { background: color } : { color }}
          />
          <Text size="xs">{label}</Text>
        </Group>
      ))}
    </Group>
  );
}
