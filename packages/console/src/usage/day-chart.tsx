import { scaleBand, scaleLinear } from 'd3-scale';
import type { Output } from '../api/client.js';
import { duration } from '../format.js';
import { USAGE_TEXTS as T } from '../texts/usage.js';

type Day = Output<'GET', '/usage'>['days'][number];

const [WIDTH, HEIGHT] = [960, 260];
const [LEFT, BOTTOM, TOP] = [56, 24, 12];
const DAY_MS = 86_400_000;
const HOUR_SECONDS = 3_600;
/** As many labels of days as stand beside each other. */
const LABELS_MAX = 16;

interface ChartProps {
  readonly from: string;
  readonly to: string;
  readonly days: readonly Day[];
}

/** Processor time by day, a bar each. */
export function DayChart({ from, to, days }: ChartProps) {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  const all = Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(from) + i * DAY_MS).toISOString().slice(0, 10),
  );
  const seconds = new Map<string, number>();
  for (const { day, processor_seconds: more } of days) seconds.set(day, (seconds.get(day) ?? 0) + more);
  const hours = (day: string) => (seconds.get(day) ?? 0) / HOUR_SECONDS;
  const x = scaleBand(all, [LEFT, WIDTH]).padding(0.2);
  const y = scaleLinear([0, Math.max(...all.map(hours))], [HEIGHT - BOTTOM, TOP]).nice(4);
  const step = Math.ceil(count / LABELS_MAX);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={T.chart} style={{ width: '100%', height: 'auto' }}>
      {y.ticks(4).map((tick) => (
        <g key={tick} transform={`translate(0,${y(tick)})`}>
          <line x1={LEFT} x2={WIDTH} stroke="var(--mantine-color-default-border)" />
          <text x={LEFT - 8} dy="0.32em" textAnchor="end" fontSize={12} fill="currentColor">
            {y.tickFormat(4)(tick)}
          </text>
        </g>
      ))}
      <text x={0} y={TOP} dy="0.32em" fontSize={12} fill="currentColor">
        {T.hours}
      </text>
      {all.map((day, i) => (
        <g key={day}>
          <rect
            x={x(day)}
            y={y(hours(day))}
            width={x.bandwidth()}
            height={HEIGHT - BOTTOM - y(hours(day))}
            fill="var(--mantine-primary-color-filled)"
          >
            <title>{T.bar(day, duration(seconds.get(day) ?? 0))}</title>
          </rect>
          {i % step === 0 && (
            <text
              x={(x(day) ?? 0) + x.bandwidth() / 2}
              y={HEIGHT - 6}
              textAnchor="middle"
              fontSize={12}
              fill="currentColor"
            >
              {Number(day.slice(8))}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
