import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@tally/testkit';
import type { EventFollower } from '../fixtures/event-follower.js';
import type { FaultKind } from './fault-kinds.js';
import type { FaultySuite } from './faulty-suite.js';
import type { JobLoad } from './job-load.js';

/** Where a job is when a fault comes. */
const PHASES = ['any', 'accepted', 'running', 'merging', 'ended'] as const;
type Phase = (typeof PHASES)[number];
const STATES: Readonly<Record<Exclude<Phase, 'any'>, readonly string[]>> = {
  accepted: ['PENDING'],
  running: ['RUNNING'],
  merging: ['MERGING_QUEUED', 'MERGING_RUNNING'],
  ended: ['COMPLETED', 'FAILED', 'CANCELED'],
};
const PHASE_PATIENCE_MS = 1_500;
/** How long something stays broken. */
const [HELD_MS_MIN, HELD_MS_MAX] = [200, 2_500];
const HEALED_TIMEOUT_MS = 120_000;

/** One fault as it was. */
export interface FaultRecord {
  readonly kind: string;
  readonly target: string;
  readonly phase: Phase;
  readonly heldMs: number;
  /** From the mending until a request through the whole way is answered. */
  readonly recoveryMs: number;
}

/** Numbers from [0, 1) that a seed decides (mulberry32, public domain, by Tommy Ettinger). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of them. */
export const pick = <T>(all: readonly T[], random: () => number): T | undefined =>
  all[Math.floor(random() * all.length)];

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

/**
 * Breaks and mends one thing after the other, each kind as often as any other, while `isBusy`. What it does is the seed's
 * choice; how that meets what the jobs do is the machine's.
 */
export async function injectFaults(
  on: FaultySuite,
  {
    kinds,
    load,
    follower,
    random,
    isBusy,
    onFault,
  }: {
    readonly kinds: readonly FaultKind[];
    readonly load: JobLoad;
    readonly follower: EventFollower;
    readonly random: () => number;
    readonly isBusy: () => boolean;
    readonly onFault: () => void;
  },
): Promise<FaultRecord[]> {
  const records: FaultRecord[] = [];
  while (isBusy()) {
    for (const kind of shuffled(kinds, random)) {
      if (!isBusy()) break;
      const phase = pick(PHASES, random) ?? 'any';
      const heldMs = HELD_MS_MIN + random() * (HELD_MS_MAX - HELD_MS_MIN);
      await phaseReached(follower, phase);
      const target = pick(kind.targets(on), random);
      if (target === undefined) continue; // none at the moment, or never on this machine
      const mend = await kind.inject(on, target);
      await sleep(heldMs);
      await mend();
      const from = performance.now();
      await waitFor(() => load.answers(), { timeoutMs: HEALED_TIMEOUT_MS, what: `an answer after ${kind.name}` });
      onFault();
      records.push({ kind: kind.name, target, phase, heldMs, recoveryMs: performance.now() - from });
    }
  }
  return records;
}

/** The next job gets there; or nothing does for a while, and the fault comes all the same. */
async function phaseReached(follower: EventFollower, phase: Phase): Promise<void> {
  if (phase === 'any') return;
  const from = follower.events.length;
  const states = STATES[phase];
  const isThere = () =>
    follower.events.slice(from).some(({ name, data }) => name === 'job' && states.includes(String(data.job_state)));
  await waitFor(isThere, { timeoutMs: PHASE_PATIENCE_MS, what: `a job that is ${phase}` }).catch(() => {});
}
