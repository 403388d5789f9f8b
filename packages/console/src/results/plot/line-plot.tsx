import { Box, Group, Loader, Text, useComputedColorScheme } from '@mantine/core';
import { axisTop } from '@tally/merge/readings';
import { useEffect, useMemo, useRef, useState } from 'react';
import { TEXTS } from '../../texts.js';
import { axisTitle, type Curve } from '../page-data.js';
import classes from './plots.module.css';
import { axisEnd, drawLines, type PlotLine, type PlotOptions } from './root.js';

/** Colours that people with any colour vision tell apart (Okabe and Ito 2008), the first one ours. */
const COLORS = ['#0a8f6c', '#d55e00', '#0072b2', '#cc79a7', '#e69f00', '#56b4e9', '#7a6ff0', '#999999'];

export interface LinePlotProps {
  readonly curves: readonly Curve[];
  /** Of the drawing, as CSS. */
  readonly height: string;
  readonly isLogarithmic: boolean;
  readonly hasErrors: boolean;
}

/** What JSROOT is given for curves. */
export function linesOf(curves: readonly Curve[], hasErrors: boolean): PlotLine[] {
  const [first] = curves;
  return curves.map(({ axis, values, errors, label, unit }, i) => ({
    x: axis.centres,
    y: values,
    errors,
    hasBand: hasErrors,
    label: unit === first?.unit ? label : TEXTS.results.onTheRight(label, unit),
    color: COLORS[i % COLORS.length] ?? '#000000',
    isRight: unit !== first?.unit,
  }));
}

export function optionsOf(curves: readonly Curve[], isLogarithmic: boolean, isDark: boolean): PlotOptions {
  const [first] = curves;
  return {
    xTitle: first === undefined ? '' : axisTitle(first.axis),
    yTitle: first?.unit ?? '',
    rightTitle: curves.find(({ unit }) => unit !== first?.unit)?.unit,
    isLogarithmic,
    isDark,
  };
}

/** Curves with their error bands over one axis; those of a second unit by an axis on the right. */
export function LinePlot({ curves, height, isLogarithmic, hasErrors }: LinePlotProps) {
  const isDark = useComputedColorScheme() === 'dark';
  const box = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<string>();
  const [isDrawn, setIsDrawn] = useState(false);
  const [hasBeenDrawn, setHasBeenDrawn] = useState(false);
  const lines = useMemo(() => linesOf(curves, hasErrors), [curves, hasErrors]);
  useEffect(() => {
    const element = box.current;
    let isGone = false;
    let remove = () => {};
    if (element === null) return;
    setIsDrawn(false);
    drawLines(element, lines, optionsOf(curves, isLogarithmic, isDark), () => !isGone).then(
      (undo) => {
        if (undo === undefined) return;
        setIsDrawn(true);
        setHasBeenDrawn(true);
        remove = undo;
        if (isGone) undo();
      },
      (err: unknown) => setError(String(err)),
    );
    return () => {
      isGone = true;
      remove();
    };
  }, [lines, curves, isLogarithmic, isDark]);
  const outside = curves.reduce((sum, { values, errors }) => {
    const end = axisEnd(axisTop(values, errors), isLogarithmic);
    return sum + values.filter((value) => value > end).length;
  }, 0);
  const points = curves.reduce((sum, { values }) => sum + values.length, 0);
  const label = `${curves.map((curve) => curve.label).join(', ')}: ${TEXTS.results.points(points)}`;
  return (
    <Box>
      {error !== undefined && <Text c="red">{error}</Text>}
      <div className={classes.frame} style={{ height }}>
        {!hasBeenDrawn && <Loader className={classes.loader} size="sm" />}
        <div ref={box} className={classes.plot} role="img" aria-label={label} data-drawn={isDrawn} />
      </div>
      {outside > 0 && (
        <Text size="xs" c="dimmed" ta="center">
          {TEXTS.results.outside(outside)}
        </Text>
      )}
      {curves.length > 1 && (
        <Group gap="md" mt={4} justify="center">
          {lines.map(({ label: text, color, isRight }, i) => (
            <Group key={`${text} ${i}`} gap={6} wrap="nowrap">
              <span className={classes.key} data-right={isRight} style={{ color }} />
              <Text size="xs">{text}</Text>
            </Group>
          ))}
        </Group>
      )}
    </Box>
  );
}
