const list = (byName, least, unit) =>
  Object.entries(byName ?? {})
    .filter(([, value]) => value >= least)
    .map(([name, value]) => `${name} ${value}${unit}`)
    .join(', ');

/** Prints what a load took, in a line for the whole and some for its parts. */
export function printLoad(say, name, load) {
  const facts = [
    load.rate !== undefined && `${load.rate}/s`,
    load.p50Ms !== undefined && `median ${load.p50Ms} ms, worst ${load.maxMs} ms`,
    load.cpuMs !== undefined && `processor ${load.cpuMs} ms`,
    load.cores !== undefined && `${load.cores} cores, ${load.pssMiB} MiB`,
    load.disturbedCores > 0.2 && `disturbed by ${load.disturbedCores} cores`,
  ];
  say(`${name.padEnd(44)} ${facts.filter(Boolean).join('   ')}`);
  const parts = [
    list(load.cpuMsByService, 0.005, ' ms'),
    load.peakMiB && `peaks ${list(load.peakMiB, 1, ' MiB')}`,
    list(load.errors, 1, ' times'),
  ];
  for (const part of parts.filter(Boolean)) say(`    ${part}`);
}
