import { Badge, Card, Group, Text, Title } from '@mantine/core';
import type { JobStatus } from '../api/queries.js';
import { duration, figure } from '../format.js';
import { TEXTS } from '../texts.js';
import { type ConvergencePoint, convergencePlot } from './convergence.js';
import classes from './convergence.module.css';

const T = TEXTS.job;
type Target = NonNullable<JobStatus['target']>;

const percent = (share: number): string => `${figure(100 * share, 2)} %`;
const count = (primaries: number): string => Math.round(primaries).toLocaleString('en');

/** Merges of which the error is known. */
function pointsOf({ convergence }: Target): ConvergencePoint[] {
  return convergence.flatMap(({ primaries, relative_error: error }) =>
    error === null || error === undefined || error <= 0 ? [] : [{ primaries, relativeError: error }],
  );
}

/** What is wanted, how far it is, and what is left, in words. */
function wordsOf(target: Target, isReached: boolean | undefined): string {
  const last = pointsOf(target).at(-1);
  if (last === undefined) return T.noConvergence;
  const now = T.convergedTo(percent(last.relativeError), count(last.primaries));
  if (isReached !== undefined) return `${now} ${isReached ? T.reached : T.notReached(count(target.max_primaries))}`;
  const { predicted_primaries: predicted, predicted_seconds: seconds } = target;
  if (predicted === undefined) return now;
  const left = T.moreNeeded(
    count(Math.max(0, predicted - last.primaries)),
    seconds === undefined ? undefined : duration(seconds),
  );
  return predicted > target.max_primaries
    ? `${now} ${left} ${T.tooMany(count(target.max_primaries))}`
    : `${now} ${left}`;
}

/** How the error of a job with a target has fallen, and what is left. */
export function Convergence({
  target,
  isReached,
}: {
  readonly target: Target;
  readonly isReached: boolean | undefined;
}) {
  const points = pointsOf(target);
  const words = wordsOf(target, isReached);
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {T.target(target.estimator, percent(target.relative_error))}
        </Title>
        {isReached !== undefined && (
          <Badge color={isReached ? 'teal' : 'orange'} variant="light" tt="none" autoContrast>
            {isReached ? T.isReached : T.isNotReached}
          </Badge>
        )}
      </Group>
      <Text size="sm" role="status" data-convergence={points.length}>
        {words}
      </Text>
      {points.length > 0 && <Plot points={points} target={target} words={words} />}
    </Card>
  );
}

/** Of the drawing, and of the room for its axes. */
const SIZE = { width: 420, height: 210, left: 54, right: 12, top: 10, bottom: 40 };

interface PlotProps {
  readonly points: readonly ConvergencePoint[];
  readonly target: Target;
  readonly words: string;
}

function Plot({ points, target: { relative_error: wanted, predicted_primaries: predicted }, words }: PlotProps) {
  const { x, y, xTicks, yTicks } = convergencePlot(points, wanted, predicted);
  const { width, height, left, right, top, bottom } = SIZE;
  const across = (primaries: number) => left + x(primaries) * (width - left - right);
  const up = (error: number) => height - bottom - y(error) * (height - top - bottom);
  const last = points.at(-1);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={classes.plot} role="img" aria-label={words}>
      {yTicks.map((error) => (
        <g key={error}>
          <path className={classes.grid} d={`M${left} ${up(error)}H${width - right}`} />
          <text x={left - 6} y={up(error)} textAnchor="end" dominantBaseline="central">
            {percent(error)}
          </text>
        </g>
      ))}
      {xTicks.map((primaries) => (
        <g key={primaries}>
          <path className={classes.grid} d={`M${across(primaries)} ${top}V${height - bottom}`} />
          <text x={across(primaries)} y={height - bottom + 14} textAnchor="middle">
            {primaries.toLocaleString('en', { notation: 'compact' })}
          </text>
        </g>
      ))}
      <text x={width - right} y={height - 4} textAnchor="end">
        {T.primariesAxis}
      </text>
      <path className={classes.target} d={`M${left} ${up(wanted)}H${width - right}`} />
      {last !== undefined && predicted !== undefined && predicted > last.primaries && (
        <path
          className={classes.predicted}
          d={`M${across(last.primaries)} ${up(last.relativeError)}L${across(predicted)} ${up(wanted)}`}
        />
      )}
      <path
        className={classes.line}
        d={points
          .map((point, i) => `${i === 0 ? 'M' : 'L'}${across(point.primaries)} ${up(point.relativeError)}`)
          .join('')}
      />
      {points.map((point) => (
        <circle key={point.primaries} cx={across(point.primaries)} cy={up(point.relativeError)} r={3.5} />
      ))}
    </svg>
  );
}
