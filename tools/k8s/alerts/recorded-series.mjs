// What real programs answered to `GET /metrics`: the services of the suite, and RabbitMQ's exporter as it comes. Written by
// e2e/metrics.e2e.test.ts with TALLY_RECORD=1, which else compares names and labels with what it finds.
import fs from 'node:fs';
import path from 'node:path';

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/** Samples of a recording, `{name, labels, value}`; empty where there is none. */
export function recordedSeries(program) {
  const file = path.join(import.meta.dirname, 'recorded', `${program}.prom`);
  if (!fs.existsSync(file)) return [];
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, labels = '', value] = LINE.exec(line) ?? [];
      if (name === undefined) return [];
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text]);
      // `service` of ours is `exported_service` to a Prometheus that finds pods by the ServiceMonitor
      const known = pairs.filter(([label]) => label !== 'service');
      return [{ name, labels: Object.fromEntries(known), value: Number(value) }];
    });
}
