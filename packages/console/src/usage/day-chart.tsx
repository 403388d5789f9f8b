import { useElementSize } from '@mantine/hooks';
import { scaleBand, scaleLinear } from 'd3-scale';
import type { Output } from '../api/client.js';
import { duration } from '../format.js';
import { USAGE_TEXTS as T } from '../texts/usage.js';

type Day = Output<'GET', '/usage'>['days'][number];

const HEIGHT = 260;
const [LEFT, BOTTOM, TOP] = [56, 24, 14];
const DAY_MS = 86_400_000;
/** Room for the label of a day, pixels. */
const LABEL_PIXELS = 36;
/** Units of the axis, the largest first, by their seconds. */
const UNITS = [
  [3_600, T.hours],
  [60, T.minutes],
  [1, T.seconds],
] as const;

interface ChartProps {
  readonly from: string;
  readonly to: string;
  readonly days: readonly Day[];
}

/** Processor time by day, a bar each, as wide as its place. */
export function DayChart(props: ChartProps) {
  const { ref, width } = useElementSize();
  return (
    <div ref={ref} style={{ height: HEIGHT }}>
      {width > LEFT && <Bars {...props} width={width} />}
    </div>
  );
}

function Bars({ from, to, days, width }: ChartProps & { readonly width: number }) {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  const all = Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(from) + i * DAY_MS).toISOString().slice(0, 10),
  );
  const seconds = new Map<string, number>();
  for (const { day, processor_seconds: more } of days) seconds.set(day, (seconds.get(day) ?? 0) + more);
  const most = Math.max(...seconds.values());
  const [unitSeconds, unit] = UNITS.find(([size]) => most >= size) ?? [1, T.seconds];
  const heightOf = (day: string) => (seconds.get(day) ?? 0) / unitSeconds;
  const x = scaleBand(all, [LEFT, width]).padding(0.2);
  const y = scaleLinear([0, most / unitSeconds], [HEIGHT - BOTTOM, TOP]).nice(4);
  const step = Math.ceil((count * LABEL_PIXELS) / (width - LEFT));
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={T.chart} style={{ display: 'block' }}>
      {y.ticks(4).map((tick) => (
        <g key={tick} transform={`translate(0,${y(tick)})`}>
          <line x1={LEFT} x2={width} stroke="var(--mantine-color-default-border)" />
          <text x={LEFT - 8} dy="0.32em" textAnchor="end" fontSize={12} fill="currentColor">
            {y.tickFormat(4)(tick)}
          </text>
        </g>
      ))}
      <text x={0} y={TOP} dy="0.32em" fontSize={12} fill="currentColor">
        {unit}
      </text>
      {all.map((day, i) => (
        <g key={day}>
          <rect
            x={x(day)}
            y={y(heightOf(day))}
            width={x.bandwidth()}
            height={HEIGHT - BOTTOM - y(heightOf(day))}
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
