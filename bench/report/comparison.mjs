// This run beside the bare minimum of the same run, the peer and an earlier result, in units of the calibration: machines
// are told apart by what a fixed piece of work takes on them.
import fs from 'node:fs';
import path from 'node:path';
import { rounded } from '../load/statistics.mjs';

const PEER = path.join(import.meta.dirname, '../baselines/peer.json');
const BUDGETS = path.join(import.meta.dirname, '../budgets.json');

const BARE_HOP = 'floor: Express, gRPC hop, PostgreSQL';
/** What a load cannot be cheaper than, which is measured just before it, and how often it needs that. */
const FLOORS = [
  [/^GET \/ \(/, () => ['floor: Express, before root (16)']],
  [/^GET \/auth\/status \(/, () => ['floor: Express, before status (16)']],
  [/^POST \/auth\/login/, () => ['floor: password hash']],
  [/^POST \/tasks/, () => [`${BARE_HOP}, before tasks (16)`]],
  [/^GET \/jobs/, () => [`${BARE_HOP}, before jobs (16)`]],
  [/^GET \/user/, () => [`${BARE_HOP}, before list (16)`]],
  [/^sustained, jobs of ((\d+) tasks?)/, (inTasks, tasks) => [`floor: no-op job, ${inTasks}`, 1 / Number(tasks)]],
  // the largest beside what only parses, or sends, as many bytes
  [/^(POST|GET) \/results, 10000000 values/, (method) => [`floor: ${method} of 10000000 values`]],
  [/^((no-op job|submit|(POST|GET) \/(results|logfiles)), .*|1000 idle streams.*)/, (load) => [`floor: ${load}`]],
];
/** A load that takes no more than this many times its floor has reached these goals, whatever they say. */
const FLOOR_TIMES = 1.7;
const GOALS_OF_FLOOR = new Set(['cpuMs', 'besidesProcessCpuMs', 'p50Ms', 'pssMiB', 'timesPeer']);

/** What a load takes of what its floor is about: memory of an idle suite, MiB, else processor time, ms. */
const costOf = (load) => (load.shows === 'pssMiB' ? load.pssMiB : load.cpuMs);
/** How much slower the machine was when a load ran than when another did; memory does not depend on it. */
const slowness = (load, other) => (load.shows === 'pssMiB' ? 1 : load.calibrationMs / other.calibrationMs);
/**
 * The floor of a load; NaN: it was not measured, or there is none. It counts as it is, whatever the calibrations say: two of them
 * scatter more than the machine changes in a minute.
 */
export function floorOf(name, loads) {
  for (const [pattern, find] of FLOORS) {
    const match = pattern.exec(name);
    if (match === null) continue;
    const [floor, times = 1] = find(...match.slice(1));
    return loads[floor] === undefined ? Number.NaN : times * costOf(loads[floor]);
  }
  return Number.NaN;
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
  const scale = slowness(load, base);
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
  /** What its process does not need of the processor. */
  besidesProcessCpuMs: ({ load, process, scale }) => [scale * (load.cpuMs - process), 'ms besides the process'],
  timesFloor: ({ load, floor }) => [costOf(load) / floor, '× the floor'],
  p50Ms: ({ load, scale }) => [scale * load.p50Ms, 'ms'],
  maxMs: ({ load, scale }) => [scale * load.maxMs, 'ms'],
  peakMiB: ({ load }) => [largestPeak(load), 'MiB'],
  cores: ({ load }) => [load.cores, 'cores'],
  pssMiB: ({ load }) => [load.pssMiB, 'MiB'],
};

/**
 * What of its budget a load has used. `timesPeer` is a goal: how many times better than the peer, by processor time where
 * the peer's is known. A load near its floor has reached it.
 * @param context - `floor`: of the load, ms or MiB; `process`: processor time of the process of a task, ms; `peer`: the
 *   peer's record of the load; each may be missing
 */
export function budgetOf(load, budget, calibrationMs, { floor, process, peer }) {
  const scale = calibrationMs / load.calibrationMs;
  const timesFloor = costOf(load) / floor;
  const verdict = (name, isMissed, word) => {
    if (!isMissed) return '';
    return GOALS_OF_FLOOR.has(name) && timesFloor <= FLOOR_TIMES
      ? ` but ${rounded(timesFloor)} × the floor`
      : ` ${word}`;
  };
  const show = ([name, most]) => {
    if (name === 'timesPeer') return showGoal(load, peer, most, (isMissed) => verdict(name, isMissed, 'UNDER'));
    const [used, unit] = FIGURES[name]({ load, floor, process, scale });
    return Number.isFinite(used) ? `${rounded(used)} of ${most} ${unit}${verdict(name, used > most, 'OVER')}` : [];
  };
  return Object.entries(budget).flatMap(show).join(', ');
}

function showGoal(load, peer, least, verdict) {
  if (peer === undefined) return [];
  const { figure, processor } = factors(load, peer);
  const times = Number.isFinite(processor) ? processor : figure;
  return `${rounded(times)} of ${least}× the peer${verdict(times < least)}`;
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
    const floor = floorOf(name, loads);
    const process = loads['floor: no-op simulator']?.cpuMs ?? Number.NaN;
    const others = [peer, earlier].map((other) => (name in other.loads ? factors(load, other.loads[name]) : {}));
    const budget = budgetOf(load, budgets.loads[name] ?? {}, budgets.calibrationMs, {
      floor,
      process,
      peer: peer.loads[name],
    });
    const times = [costOf(load) / floor, ...others.flatMap(({ figure, processor }) => [figure, processor])];
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
