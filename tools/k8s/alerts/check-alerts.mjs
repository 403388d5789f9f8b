// The alert rules as Prometheus' own tool sees them, and every alert fired once by series that real programs gave.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { PROMTOOL, provideGoProgram } from '../../../packages/testkit/dist/src/index.js';
import { SERVICES } from '../service-facts.mjs';
import { ALERT_CASES, NOT_RECORDED } from './alert-cases.mjs';
import { recordedSeries } from './recorded-series.mjs';

/** Every alert's `for` and range has passed by then. */
const EVALUATED_AT = '2h';

/** What a Prometheus that finds pods by the ServiceMonitor adds. */
const targetLabels = (job) => ({ job: `tally-${job}`, namespace: 'tally', pod: `tally-${job}-0` });
const sortedNames = (labels) => Object.keys(labels).toSorted((a, b) => (a < b ? -1 : 1));
const shapeOf = ({ name, labels }) => `${name}{${sortedNames(labels).join()}}`;
const keyOf = ({ job, name, labels }) =>
  `${job} ${name} ${JSON.stringify(sortedNames(labels).map((label) => [label, labels[label]]))}`;

/** All that a suite shows that is well: the cluster `closed` of batch-bridge's test does not answer on purpose. */
function recorded() {
  return SERVICES.flatMap((job) => [
    { job, name: 'up', labels: {}, values: '1x150' },
    ...recordedSeries(job)
      .filter(({ labels }) => labels.cluster !== 'closed')
      .map(({ name, labels, value }) => ({
        job,
        name,
        labels,
        values: `${value}x150`,
      })),
  ]);
}

function seriesOf({ given = [], gone = [] }, all) {
  const isGone = (series) =>
    gone.some(({ job = series.job, name = series.name }) => job === series.job && name === series.name);
  const replaced = new Set(given.map(keyOf));
  return [...all.filter((series) => !isGone(series) && !replaced.has(keyOf(series))), ...given];
}

/** Series of cases that nobody has ever seen. */
export function inventedSeries() {
  const waiting = recordedSeries('jobs-waiting').map(({ name, labels }) => ({
    name,
    labels,
  }));
  const seen = [...recorded(), ...waiting.map((series) => ({ job: 'jobs', ...series }))];
  const known = new Set(seen.map((series) => `${series.job} ${shapeOf(series)}`));
  return ALERT_CASES.flatMap(({ name, given = [] }) =>
    given
      .filter((series) => !NOT_RECORDED.has(series.name) && !known.has(`${series.job} ${shapeOf(series)}`))
      .map((series) => `${name}: ${series.job} has no ${shapeOf(series)}`),
  );
}

/** Alerts that no case fires. */
export function unfiredAlerts(rules) {
  const fired = new Set(ALERT_CASES.flatMap(({ firing }) => firing));
  return rules.flatMap(({ alert }) => (alert === undefined || fired.has(alert) ? [] : [alert]));
}

function unitTests(rules) {
  const text = JSON.stringify(rules);
  const all = recorded().filter(({ name }) => text.includes(name));
  const label = (labels) =>
    Object.entries(labels)
      .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      .join();
  const groups = ALERT_CASES.map((each) => ({
    name: each.name,
    interval: '1m',
    input_series: seriesOf(each, all).map(({ job, name, labels, values }) => ({
      series: `${name}{${label({ ...targetLabels(job), ...labels })}}`,
      values,
    })),
    promql_expr_test: [
      {
        expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: EVALUATED_AT,
        exp_samples: each.firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  }));
  return { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: groups };
}

/**
 * Runs `promtool check rules` and `promtool test rules`.
 * @returns one entry for each with its faults, or why there is no promtool
 */
export async function promtoolFaults(groups) {
  const provided = await provideGoProgram(PROMTOOL);
  if ('reason' in provided) return provided;
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-alerts-'));
  try {
    fs.writeFileSync(path.join(dir, 'rules.yaml'), stringify({ groups }));
    fs.writeFileSync(path.join(dir, 'tests.yaml'), stringify(unitTests(groups.flatMap(({ rules }) => rules))));
    const run = (...args) => {
      const { status, stdout, stderr } = spawnSync(provided.program, args, { cwd: dir, encoding: 'utf8' });
      return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
    };
    return {
      check: run('check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml'),
      test: run('test', 'rules', 'tests.yaml'),
    };
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
