// Budgets of counts (bench/budgets.json), and whether counts keep to them.
/** What calls and statements differ by when nothing has changed. */
const NOTHING = 0.5;
/** A service that allocates a smaller share of what an operation does is not looked at: what it does by the clock shows. */
const LEAST_SHARE = 0.1;
/**
 * Budgets that are accepted leave so much room: more than counts of the same code differ, less than a careless change
 * costs. Tasks and idle services work by the clock; a busy machine collects garbage at other moments.
 */
const ROOM = { other: 0.1, byTheClock: 0.3, allocations: 0.3 };
const isIdle = (name) => name.startsWith('a second');

const sumOf = (object) => Object.values(object).reduce((sum, value) => sum + value, 0);
export const tenths = (value) => Math.round(10 * value) / 10;
const larger = (object, least) => Object.entries(object).filter(([, value]) => value > least);

/** What an operation may cost: `{calls, statements, kib: {gateway: 120, …}}`; of idle services no allocation. */
export function budgetFor(name, { calls, statements, kib }) {
  const room = isIdle(name) || name === 'no-op task' ? ROOM.byTheClock : ROOM.other;
  const most = (sum) => tenths(sum + Math.max(NOTHING, room * sum));
  const working = isIdle(name) ? [] : larger(kib, LEAST_SHARE * sumOf(kib));
  return {
    calls: most(sumOf(calls)),
    statements: most(sumOf(statements)),
    kib: Object.fromEntries(working.map(([service, value]) => [service, Math.ceil(value * (1 + ROOM.allocations))])),
  };
}

/**
 * Rows `{name, what, counted, most}`. A service without a budget may allocate next to nothing; nor may anything without a
 * budget at all.
 */
export function compareCount(name, count, budget = { calls: 0, statements: 0, kib: {} }) {
  const total = (part) => {
    const shares = larger(count[part], NOTHING).map(([service, value]) => `${service} ${tenths(value)}`);
    const what = shares.length > 1 ? `${part} (${shares.join(', ')})` : part;
    return { name, what, counted: sumOf(count[part]), most: budget[part] };
  };
  const little = Math.ceil(2 * LEAST_SHARE * sumOf(budget.kib));
  const unexpected = isIdle(name) ? [] : larger(count.kib, little).map(([service]) => service);
  const allocation = (service) => ({
    name,
    what: `KiB in ${service}`,
    counted: count.kib[service],
    most: budget.kib[service] ?? little,
  });
  return [
    total('calls'),
    total('statements'),
    ...[...new Set([...Object.keys(budget.kib), ...unexpected])].map(allocation),
  ];
}

/** The file as people read it: a line an entry. */
export function writeBudgets({ loads, counts }) {
  const lines = (entries) =>
    Object.entries(entries)
      .map(([name, budget]) => `    ${JSON.stringify(name)}: ${JSON.stringify(budget)}`)
      .join(',\n');
  return `{
  "loads": {
${lines(loads)}
  },
  "counts": {
${lines(counts)}
  }
}
`;
}
