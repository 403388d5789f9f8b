import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '../workspace-root.js';

const KEPT =
  /^(tally_|rabbitmq_(queue_messages|alarms_)|nodejs_eventloop_lag_p99_seconds|process_(resident_memory_bytes|cpu_seconds_total))/;

/** Lines of samples that alert rules and the dashboard may look at. */
const samplesOf = (text: string) => text.split('\n').filter((line) => KEPT.test(line));

/** Name and names of labels of each sample: `tally_jobs{service,state}`. */
function shapesOf(lines: readonly string[]): ReadonlySet<string> {
  const shapes = lines.map((line) => {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    return `${name}{${[...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).join()}}`;
  });
  return new Set(shapes);
}

/**
 * Compares what `GET /metrics` of a real program answered with its recording, from which the tests of the alert rules
 * take their series (tools/k8s/alerts); writes the recording when TALLY_RECORD=1.
 * @returns metrics, with the names of their labels, that only one of the two has
 */
export function compareMetricRecording(program: string, text: string): readonly string[] {
  const file = path.join(workspaceRoot(), 'tools/k8s/alerts/recorded', `${program}.prom`);
  const lines = samplesOf(text);
  if (process.env.TALLY_RECORD === '1') writeFileSync(file, `${lines.join('\n')}\n`);
  const known = shapesOf(existsSync(file) ? samplesOf(readFileSync(file, 'utf8')) : []);
  const found = shapesOf(lines);
  return [...new Set([...known, ...found])].filter((shape) => !(known.has(shape) && found.has(shape)));
}
