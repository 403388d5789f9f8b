// The loads of a run beside the floor of the same run and their budgets, as a table (Markdown).
import { rounded } from '../load/statistics.mjs';

/** Of the services; PostgreSQL and RabbitMQ have memory of their own to spend. */
function largestPeak({ peakMiB }) {
  const services = Object.entries(peakMiB ?? {}).filter(([name]) => !['postgresql', 'rabbitmq'].includes(name));
  return services.length === 0 ? undefined : Math.max(...services.map(([, peak]) => peak));
}

const show = (value, unit) => (value === undefined ? '' : `${value}${unit}`);
const timeOf = (load) => (load?.shows === 'rate' ? show(load.rate, '/s') : show(load?.p50Ms, ' ms'));
const processorOf = (load) => show(load?.cpuMs, ' ms');

/** Budgets by their names: what of a load they bound, and the unit. */
const BOUNDS = {
  ms: [({ p50Ms }) => p50Ms, 'ms'],
  cpuMs: [({ cpuMs }) => cpuMs, 'ms of processor'],
  peakMiB: [largestPeak, 'MiB'],
  cores: [({ cores }) => cores, 'cores'],
  pssMiB: [({ pssMiB }) => pssMiB, 'MiB'],
};

/** What a load may take, and OVER where it takes more. */
function budgetOf(load, budget) {
  const bounds = Object.entries(budget).map(([name, most]) => {
    const [read, unit] = BOUNDS[name];
    return `${most} ${unit}${read(load) > most ? ' OVER' : ''}`;
  });
  return bounds.join(', ');
}

function rowOf(name, load, floor, budget) {
  if (load[load.shows] === undefined)
    return [name, `refused: ${Object.keys(load.errors).join(', ')}`, '', '', '', '', '', ''];
  if (load.shows === 'pssMiB')
    return [name, '', `${load.cores} cores`, `${load.pssMiB} MiB`, '', '', '', budgetOf(load, budget)];
  const [cost, least] = load.cpuMs === undefined ? [load.p50Ms, floor?.p50Ms] : [load.cpuMs, floor?.cpuMs];
  const times = least > 0 ? `${rounded(cost / least)}×` : '';
  const peak = show(largestPeak(load), ' MiB');
  return [
    name,
    timeOf(load),
    processorOf(load),
    peak,
    timeOf(floor),
    processorOf(floor),
    times,
    budgetOf(load, budget),
  ];
}

/**
 * Lines of the table. `loads`, `floors`: records of the suite and of the floor by the same names; `budgets` by these names.
 */
export function tableOf(loads, floors, budgets) {
  const head = ['Load', 'Time', 'Processor', 'Memory', 'Floor: time', 'processor', 'Times', 'Budget'];
  const rows = Object.entries(loads).map(([name, load]) => rowOf(name, load, floors[name], budgets[name] ?? {}));
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)];
}

const END = '<!-- end -->';

/** A document with the lines instead of what the marks of a command enclose. @throws Error: it has no marks */
export function withTable(text, lines, command = 'pnpm bench --write') {
  const mark = `<!-- ${command} -->`;
  const from = text.indexOf(mark);
  const to = text.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`no ${mark} before ${END}`);
  return `${text.slice(0, from + mark.length)}\n${lines.join('\n')}\n${text.slice(to)}`;
}
