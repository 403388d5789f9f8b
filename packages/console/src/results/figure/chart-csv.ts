import type { Grid } from '../page-data.js';
import type { Chart } from '../plot/chart.js';
import type { Zoom } from '../plot/curves-chart.js';

/** A cell of a CSV (RFC 4180); a text that a spreadsheet would take for a formula begins with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+@\t-]/.test(text) ? `'${text}` : text;
  return /[",\n#]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const named = (name: string, unit: string): string => cell(unit === '' ? name : `${name} / ${unit}`);
const number = (value: number | null | undefined): string =>
  value === null || value === undefined || Number.isNaN(value) ? '' : String(value);

/** Lines before the header, as in CSV of the service. */
const head = (about: readonly string[]): string[] => about.map((line) => `# ${line.replaceAll('\n', ' ')}`);

/** What a chart shows, within its ranges: a column for each value and error, or rows by series where they have other bins. */
export function chartAsCsv({ x, y, right, series }: Chart, about: readonly string[]): string {
  const isInside = (at: number) => x.range === undefined || (at >= x.range[0] && at <= x.range[1]);
  const unitOf = (isRight: boolean) => (isRight ? (right?.unit ?? '') : y.unit);
  const [first] = series;
  const isSame = series.every(
    (one) => one.x.length === first?.x.length && one.x.every((at, bin) => at === first?.x[bin]),
  );
  if (isSame && first !== undefined) {
    const names = series.flatMap(({ label, isRight, errors }) => [
      named(label, unitOf(isRight)),
      ...(errors.length > 0 ? [named(`error of ${label}`, unitOf(isRight))] : []),
    ]);
    const rows = first.x.flatMap((at, bin) =>
      isInside(at)
        ? [
            [
              number(at),
              ...series.flatMap((one) => [
                number(one.y[bin]),
                ...(one.errors.length > 0 ? [number(one.errors[bin])] : []),
              ]),
            ].join(','),
          ]
        : [],
    );
    return [...head(about), [named(x.name, x.unit), ...names].join(','), ...rows, ''].join('\n');
  }
  const rows = series.flatMap((one) =>
    one.x.flatMap((at, bin) =>
      isInside(at)
        ? [
            [cell(one.label), number(at), number(one.y[bin]), number(one.errors[bin]), cell(unitOf(one.isRight))].join(
              ',',
            ),
          ]
        : [],
    ),
  );
  return [...head(about), ['curve', named(x.name, x.unit), 'value', 'error', 'unit'].join(','), ...rows, ''].join('\n');
}

/** Bins of a plane within a part of it, a row each. */
export function planeAsCsv(
  { axes, values, errors, name, unit }: Grid,
  zoom: Zoom | undefined,
  about: readonly string[],
): string {
  const [x, y] = axes;
  if (x === undefined || y === undefined) return '';
  const isInside = (at: number, range: Zoom['x']) => range === undefined || (at >= range[0] && at <= range[1]);
  const header = [
    named(x.name, x.unit),
    named(y.name, y.unit),
    named(name, unit),
    ...(errors.length > 0 ? [named('error', unit)] : []),
  ];
  const rows: string[] = [];
  for (const [iy, up] of y.centres.entries()) {
    if (!isInside(up, zoom?.y)) continue;
    for (const [ix, across] of x.centres.entries()) {
      const bin = iy * x.centres.length + ix;
      if (!isInside(across, zoom?.x)) continue;
      const error = errors.length > 0 ? [number(errors[bin])] : [];
      rows.push([number(across), number(up), number(values[bin]), ...error].join(','));
    }
  }
  return [...head(about), header.join(','), ...rows, ''].join('\n');
}

/** A name of a file of the job, the estimator and the page it is from: letters that every system takes. */
export const fileName = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.replace(/[^\p{L}\p{N}._+-]+/gu, '-').replace(/^-|-$/g, ''))
    .filter((part) => part !== '')
    .join('_');
