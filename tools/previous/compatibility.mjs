// Which versions of services, clients and the chart go together, as a document.
import { chartFaults } from './chart-variables.mjs';
import { methodFaults } from './compare-contracts.mjs';

/** Programs that call the gateway; what of them is tried is in e2e/cli/releases and e2e/python/releases. */
const CLIENTS = ['`tally` (command line)', '`tally-client` (Python)'];

/** Name of the service of the suite behind a path such as `/jobs.v1.JobsService/GetJob`. */
const serviceOf = (method) => method.slice(1, method.indexOf('.')).replaceAll('_', '-');

/** RPCs and operations that only the later of two releases has, by service. */
function added(before, after) {
  const byService = new Map();
  const add = (service, name) => byService.set(service, [...(byService.get(service) ?? []), name]);
  for (const operation of after.operations) if (!before.operations.includes(operation)) add('gateway', operation);
  for (const method of after.contracts.methods.keys()) {
    if (before.contracts.methods.has(method)) continue;
    add(serviceOf(method), method.slice(method.indexOf('/', 1) + 1));
  }
  return byService;
}

/** @throws Error: the HTTP interface lacks what the previous release had */
function requireOperations(previous, now) {
  const lost = previous.operations.filter((operation) => !now.operations.includes(operation));
  if (lost.length > 0) throw new Error(`gone from the HTTP interface: ${lost.join(', ')}`);
}

const table = (headings, rows) =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function chartRows(previous, now) {
  const cell = (chart, image, service) => {
    const [given, taken] = [chart.chart.get(service), image.images.get(service)];
    if (given === undefined || taken === undefined) return 'not there';
    const faults = chartFaults(given, taken);
    return faults.length === 0 ? 'yes' : `no: ${faults.join(', ')}`;
  };
  return [...now.images.keys()].map((service) => [
    service,
    ...[
      [previous, previous],
      [previous, now],
      [now, now],
      [now, previous],
    ].map(([chart, image]) => cell(chart, image, service)),
  ]);
}

/**
 * The document.
 * @param callers - who calls a service
 * @param previous, now - two releases: `version`; `contracts` (load-contracts.mjs); `operations` of the HTTP interface, such as
 *   `GET /jobs`; `chart` (readChart) and `images`, by service the `settings` that each knows and those `required`
 * @throws Error: an RPC or operation of the previous release is not what it was, and there is nothing to tell
 */
export function compatibilityDocument({ callers, previous, now }) {
  const faults = methodFaults(previous.contracts, now.contracts);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  requireOperations(previous, now);
  const [before, after] = [previous.version, now.version];
  const news = added(previous, now);
  const pairs = [
    ...CLIENTS.map((client) => [client, 'gateway']),
    ...Object.entries(callers).flatMap(([callee, names]) => names.map((caller) => [caller, callee])),
  ];
  const rows = pairs.map(([caller, callee]) => [
    caller,
    callee,
    'yes',
    'yes',
    'yes',
    news.has(callee) ? 'yes, but for what is new' : 'yes',
  ]);
  const versions = [`${before}, ${before}`, `${before}, ${after}`, `${after}, ${after}`, `${after}, ${before}`];
  const lists = [...news].map(([service, names]) => [service, names.map((name) => `\`${name}\``).join(', ')]);
  return `# Which versions go together

This page is for operators who replace one part of Tally, and for users whose client is older or newer than the service. It is made by
\`pnpm check:previous --table\`, after contract tests, a rolling upgrade under load, and the clients of each release with the service of the
other had passed with ${before} and ${after}; do not edit.

## Services and clients

Each column names the version of the caller, then that of the service it calls.

${table(['Caller', 'Calls', ...versions], rows)}

${
  lists.length === 0
    ? 'Nothing can be asked for that could not be asked for before.'
    : `New in ${after}: a caller that asks ${before} for these is told that they are not there, until the service is upgraded, too.\n\n${table(['Service', 'RPCs and operations'], lists)}`
}

## The chart

Each column names the version of the chart with its default values, then that of the image of the service. A service does not start with a
setting that it does not know: where the table says no, upgrade or roll back chart and service together.

${table(['Service', ...versions], chartRows(previous, now))}
`;
}
