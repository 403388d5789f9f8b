// What the suite takes while nobody asks for anything.
import { setTimeout as sleep } from 'node:timers/promises';

const SETTLE_MS = 15_000;
const WATCH_MS = 20_000;

/** Of the suite alone: the floor has no duties. */
export async function idle({ processes, isFloor }, meter) {
  if (isFloor) return;
  await sleep(SETTLE_MS);
  await meter.waitForQuiet();
  const before = processes.now();
  await sleep(WATCH_MS);
  const { total, wall } = processes.since(before);
  const sizes = Object.values(processes.memory()).map(({ pss }) => pss);
  await meter.note('idle, with a runner', {
    shows: 'pssMiB',
    cores: Math.round((1000 * total) / wall) / 1000,
    pssMiB: Math.round(sizes.reduce((sum, pss) => sum + pss, 0)),
  });
}
