import type { SentReading } from '../results/readings.js';
import type { Sweep, SweepJob } from './sweep-title.js';

interface Row extends SweepJob {
  readonly readings: readonly SentReading[];
}

const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table of a sweep: parameters, then each reading with its error and unit, state and job. Numbers have all their digits. */
export function sweepAsCsv(
  sweep: Pick<Sweep, 'names'>,
  rows: readonly Row[],
  unit: string,
  about: readonly string[],
): string {
  const kinds = [...new Map(rows.flatMap(({ readings }) => readings.map((one) => [one.name, one] as const))).values()];
  const header = [
    ...sweep.names.map((name) => (unit === '' || sweep.names.length > 1 ? name : `${name} / ${unit}`)),
    ...kinds.flatMap(({ name, unit: of }) => [of === '' ? name : `${name} / ${of}`, `error of ${name}`]),
    'state',
    'job',
  ];
  const lines = rows.map(({ values, readings, job }) => [
    ...values.map(String),
    ...kinds.flatMap(({ name }) => {
      const found = readings.find((one) => one.name === name);
      return [found === undefined ? '' : String(found.value), String(found?.error ?? '')];
    }),
    job.job_state,
    job.job_id,
  ]);
  return [...about.map((line) => `# ${line}`), ...[header, ...lines].map((line) => line.map(cell).join(',')), ''].join(
    '\n',
  );
}
