import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { jobs } from '@tally/contracts';
import fc from 'fast-check';
import { ANY_PLATFORM, as, openSuite, type Suite, submission } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
beforeAll(async () => {
  suite = await openSuite();
  const copy = await suite.start({ cleanUpIntervalMs: 20, attemptsMax: 4, sweepIntervalMs: 3_600_000 });
  gateway = suite.client('gateway', copy);
  runner = suite.client('direct-runner', copy);
});
afterAll(() => suite.stop());

const ledgerOf = async (ownerId: bigint) => {
  const text = 'SELECT coalesce(sum(cpu_ms), 0)::float8 AS ms FROM usage_entries WHERE owner_id = $1';
  return (await suite.sql<{ ms: number }>(text, [String(ownerId)]))[0]?.ms ?? -1;
};
/** Open attempts of a user, by task. */
const openAttempts = (ownerId: bigint) =>
  suite.sql<{ id: string }>(
    `SELECT attempts.id FROM attempts JOIN tasks ON tasks.id = task_key JOIN jobs ON jobs.id = job_key
     WHERE owner_id = $1 AND ended_at IS NULL ORDER BY tasks.id`,
    [String(ownerId)],
  );
const duration = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1_000_000 });
const exchange = (part: Partial<jobs.ExchangeTasksRequest>) =>
  runner.exchangeTasks({ runnerId: 'runner-1', progress: [], ends: [], claims: [], executables: [], ...part });

interface Step {
  readonly kind: 'heartbeat' | 'end' | 'repeat' | 'late' | 'cancel';
  readonly at: number;
  readonly ms: number;
  readonly outcome: 'failed' | 'released' | 'completed';
}
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('heartbeat', 'end', 'repeat', 'late', 'cancel'),
    at: fc.nat(1),
    ms: fc.integer({ min: 0, max: 5_000 }),
    outcome: fc.constantFrom('failed', 'released', 'completed'),
  }) as fc.Arbitrary<Step>,
  { minLength: 3, maxLength: 14 },
);

const outcomeOf = ({ outcome }: Step): jobs.TaskEnd['outcome'] => {
  if (outcome === 'completed') return { $case: 'completed', value: { simulatedPrimaries: 50n } };
  if (outcome === 'released') return { $case: 'released', value: {} };
  return { $case: 'failed', value: { reason: 'SIMULATOR_CRASHED', message: '', isRetryable: true } };
};

/** Largest time that was said of each attempt, whatever it was said with; counted once it has ended. */
async function play(ownerId: bigint, plan: readonly Step[]): Promise<ReadonlyMap<string, number>> {
  const { jobId } = await as(ownerId, () => gateway.submitJob(submission({ taskCount: 2 })));
  const said = new Map<string, number>();
  const ended: jobs.TaskEnd[] = [];
  for (const step of plan) {
    const open = await openAttempts(ownerId);
    const attemptId = open[step.at % Math.max(open.length, 1)]?.id;
    const last = ended[step.at % Math.max(ended.length, 1)];
    const note = (id: string, ms: number) => said.set(id, Math.max(said.get(id) ?? 0, ms));
    if (step.kind === 'cancel') await as(ownerId, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    else if (step.kind === 'repeat' && last !== undefined) await exchange({ ends: [last, last] });
    else if (step.kind === 'late' && last !== undefined) {
      note(last.attemptId, step.ms);
      const late = { attemptId: last.attemptId, simulatedPrimaries: 1n, processorTime: duration(step.ms) };
      await exchange({ progress: [late, late] });
    } else if (attemptId !== undefined && (step.kind === 'heartbeat' || step.kind === 'end')) {
      await exchange({ claims: [attemptId] });
      note(attemptId, step.ms);
      const processorTime = duration(step.ms);
      if (step.kind === 'heartbeat')
        await exchange({ progress: [{ attemptId, simulatedPrimaries: 1n, processorTime }] });
      if (step.kind === 'end') {
        const end = { attemptId, outcome: outcomeOf(step), processorTime };
        ended.push(end);
        await Promise.all([exchange({ ends: [end] }), exchange({ ends: [end] })]);
      }
    }
  }
  await as(ownerId, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
  return said;
}

describe('the ledger of processor time', () => {
  it('has each attempt once, whatever is repeated, late, killed or tried again, and keeps it when the job is deleted', async () => {
    let ownerId = 100n;
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        ownerId += 1n;
        const said = await play(ownerId, plan);
        const claimed = await suite.sql<{ id: string; cpu: number }>(
          `SELECT attempts.id, cpu_ms AS cpu FROM attempts JOIN tasks ON tasks.id = task_key JOIN jobs ON jobs.id = job_key
           WHERE owner_id = $1 AND runner_id IS NOT NULL`,
          [String(ownerId)],
        );
        for (const { id, cpu } of claimed) if (said.has(id)) expect([id, cpu]).toEqual([id, said.get(id)]);
        const total = claimed.reduce((sum, { cpu }) => sum + cpu, 0);
        expect(await ledgerOf(ownerId)).toBe(total);
        await suite.sql('DELETE FROM jobs WHERE owner_id = $1', [String(ownerId)]);
        expect(await ledgerOf(ownerId)).toBe(total);
      }),
      { numRuns: 25 },
    );
  });
});
