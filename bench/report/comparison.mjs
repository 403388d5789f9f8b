// This run beside the bare minimum of the same run, the peer and an earlier result, in units of the calibration: machines
// are told apart by what a fixed piece of work takes on them.
import fs from 'node:fs';
import path from 'node:path';
import { rounded } from '../load/statistics.mjs';

const PEER = path.join(import.meta.dirname, '../baselines/peer.json');
const BUDGETS = path.join(import.meta.dirname, '../budgets.json');

/** What a load cannot be cheaper than, and how often it needs that. */
const FLOORS = [
  [/^GET \/(auth\/status)? \(/, () => ['floor: Express (16)']],
  [/^(GET \/(jobs|user)|POST \/tasks)/, () => ['floor: Express, gRPC hop, PostgreSQL (16)']],
  [/^POST \/auth\/login/, () => ['floor: password hash']],
  [/^no-op job, (\d+)/, (tasks) => ['floor: no-op simulator', Number(tasks)]],
  [/^sustained/, () => ['floor: no-op simulator']],
  [/^(POST|GET) \/results, (\d+) values/, (method, size) => [`floor: ${method} of ${size} values`]],
];

/** Processor time of the floor of a load, ms, as it would be when the load ran. */
function floorMs(name, load, loads) {
  for (const [pattern, find] of FLOORS) {
    const match = pattern.exec(name);
    if (match === null) continue;
    const [floorName, times = 1] = find(...match.slice(1));
    const floor = loads[floorName];
    return floor === undefined ? undefined : (times * floor.cpuMs * load.calibrationMs) / floor.calibrationMs;
  }
  return undefined;
}

const UNITS = { rate: '/s', p50Ms: ' ms', maxMs: ' ms at worst', pssMiB: ' MiB' };

/** The figure that a load is about, which it names in `shows`. */
function figureOf(load) {
  const value = load[load.shows];
  if (value === undefined) return `refused: ${Object.keys(load.errors).join(', ')}`;
  return `${load.cores === undefined ? '' : `${load.cores} cores, `}${value}${UNITS[load.shows]}`;
}

/** How many times better `load` is than `base`: `figure`, that which it is about, and `processor` time. */
export function factors(load, base) {
  const scale = load.shows === 'pssMiB' ? 1 : load.calibrationMs / base.calibrationMs;
  const ratio = base[load.shows] / load[load.shows];
  const processor = load.shows === 'pssMiB' ? base.cores / load.cores : base.cpuMs / load.cpuMs;
  return { figure: load.shows === 'rate' ? scale / ratio : scale * ratio, processor: scale * processor };
}

const showTimes = (factor) =>
  Number.isFinite(factor) && factor > 0 ? `${factor < 10 ? factor.toPrecision(2) : Math.round(factor)}×` : '';

/** Of the services; PostgreSQL and RabbitMQ have memory of their own to spend. */
function largestPeak({ peakMiB }) {
  const services = Object.entries(peakMiB ?? {}).filter(([name]) => !['postgresql', 'rabbitmq'].includes(name));
  return Math.max(...services.map(([, peak]) => peak));
}

/** Budgets by their names: what is used of them, times in ms of the calibration that budgets are given in, and the unit. */
const FIGURES = {
  cpuMs: ({ load, scale }) => [scale * load.cpuMs, 'ms'],
  /** What its floor does not need of the processor. */
  besidesFloorCpuMs: ({ load, floor, scale }) => [scale * (load.cpuMs - floor), 'ms besides the floor'],
  timesFloor: ({ load, floor }) => [load.cpuMs / floor, '× the floor'],
  p50Ms: ({ load, scale }) => [scale * load.p50Ms, 'ms'],
  maxMs: ({ load, scale }) => [scale * load.maxMs, 'ms'],
  peakMiB: ({ load }) => [largestPeak(load), 'MiB'],
  cores: ({ load }) => [load.cores, 'cores'],
  pssMiB: ({ load }) => [load.pssMiB, 'MiB'],
};

/**
 * What of its budget a load has used. `timesPeer` is a goal: how many times better than the peer, by processor time where
 * the peer's is known.
 * @param context - `floor`: its processor time, ms; `peer`: the peer's record of the load; both may be missing
 */
export function budgetOf(load, budget, calibrationMs, { floor, peer }) {
  const scale = calibrationMs / load.calibrationMs;
  const show = ([name, most]) => {
    if (name === 'timesPeer') return showGoal(load, peer, most);
    const [used, unit] = FIGURES[name]({ load, floor, scale });
    return Number.isFinite(used) ? `${rounded(used)} of ${most} ${unit}${used > most ? ' OVER' : ''}` : [];
  };
  return Object.entries(budget).flatMap(show).join(', ');
}

function showGoal(load, peer, least) {
  if (peer === undefined) return [];
  const { figure, processor } = factors(load, peer);
  const times = Number.isFinite(processor) ? processor : figure;
  return `${rounded(times)} of ${least}× the peer${times < least ? ' UNDER' : ''}`;
}

/** Prints a table (Markdown) of all loads of a result. `earlierFile`: an earlier result, or one of bench/baselines. */
export function printComparison(say, { loads }, earlierFile) {
  const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
  const [peer, earlier, budgets] = [read(PEER), read(earlierFile), read(BUDGETS)];
  const rows = [
    ['load', 'figure', 'processor', '× floor', 'peer', 'processor', nameOf(earlier), 'processor', 'budgets'],
  ];
  for (const [name, load] of Object.entries(loads)) {
    if (load[load.shows] === undefined) {
      rows.push([name, figureOf(load), ...rows[0].slice(2).map(() => '')]);
      continue;
    }
    const floor = floorMs(name, load, loads);
    const others = [peer, earlier].map((other) => (name in other.loads ? factors(load, other.loads[name]) : {}));
    const budget = budgetOf(load, budgets.loads[name] ?? {}, budgets.calibrationMs, { floor, peer: peer.loads[name] });
    const times = [load.cpuMs / floor, ...others.flatMap(({ figure, processor }) => [figure, processor])];
    rows.push([
      name,
      figureOf(load),
      load.cpuMs === undefined ? '' : `${load.cpuMs} ms`,
      ...times.map(showTimes),
      budget,
    ]);
  }
  say(
    '\n"3.0×" in the columns of others: three times better than they, by the figure of the load and by processor time.\n',
  );
  for (const line of asMarkdown(rows)) say(line);
}

const nameOf = ({ name, commit }) => name ?? commit ?? 'earlier';

function asMarkdown([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (row) => `| ${row.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}
