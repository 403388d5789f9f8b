const number = (value) => (value === undefined ? '–' : String(value));
const list = (byName, least, unit) =>
  Object.entries(byName ?? {})
    .filter(([, value]) => value >= least)
    .map(([name, value]) => `${name} ${value}${unit}`)
    .join(', ');

/** Prints what a load took, in a line for the whole and one for its parts. */
export function printLoad(say, name, load) {
  const facts = [
    load.rate !== undefined && `${number(load.rate)}/s`,
    load.p50Ms !== undefined &&
      `p50 ${number(load.p50Ms)} ms, p99 ${number(load.p99Ms)} ms, worst ${number(load.maxMs)} ms`,
    load.cpuMs !== undefined && `processor ${number(load.cpuMs)} ms`,
    load.statements > 0 && `${number(load.statements)} statements`,
    load.cores !== undefined && `${number(load.cores)} cores, ${number(load.pssMiB)} MiB`,
    load.foreignCores + load.stolenCores > 0.2 && `disturbed by ${load.foreignCores} + ${load.stolenCores} cores`,
  ];
  say(`${name.padEnd(44)} ${facts.filter(Boolean).join('   ')}`);
  const parts = [
    list(load.cpuMsByService, 0.005, ' ms'),
    list(load.statementsByService, 0.005, ''),
    load.peakMiB && `peaks ${list(load.peakMiB, 1, ' MiB')}`,
    list(load.coresByService, 0.001, ' cores'),
    list(load.pssMiBByService, 1, ' MiB'),
    list(load.errors, 1, ' times'),
  ];
  for (const part of parts.filter(Boolean)) say(`    ${part}`);
}
