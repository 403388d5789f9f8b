import { describe, expect, it } from '@jest/globals';
import { newJobId } from '@tally/service-kit';
import { MemoryStores } from '../../test/memory-stores.js';
import { type Death, SubmissionScenario } from '../../test/submission-scenario.js';
import { describeSubmissions } from '../../test/submission-suite.js';
import type { JobId } from './job-id.js';
import { markerOf } from './submission.js';

describeSubmissions(() => new MemoryStores());

const ACTIONS = ['cancel', 'delete', 'repeat', 'close', 'suspend'] as const;
type Action = (typeof ACTIONS)[number];
/** What comes between two statements of the first copy of the service: before its call of this number. */
interface Event {
  readonly action: Action;
  readonly at: number;
}
interface Schedule {
  readonly events: readonly Event[];
  readonly death?: Death;
}

const act: Readonly<Record<Action, (scenario: SubmissionScenario) => Promise<unknown>>> = {
  cancel: (scenario) => scenario.stop('canceled'),
  delete: (scenario) => scenario.stop('deleted'),
  repeat: (scenario) => scenario.accept(),
  /** It ends at jobs. What is at the scheduler by then, jobs has canceled. */
  close: async (scenario) => {
    const isAtScheduler = scenario.isJobOpen && scenario.reports.some(({ arrayId }) => arrayId !== undefined);
    scenario.isJobOpen = false;
    if (isAtScheduler) await scenario.stop('canceled');
  },
  /** The first copy stands still; another one takes over and does what is due. Then the first goes on. */
  suspend: (scenario) => scenario.live(5),
};

/** By which a schedule is made again: `[{"action":"cancel","at":3}]`, and the death, if there is one. */
const seedOf = (schedule: Schedule) => JSON.stringify(schedule);

/** Two arrays and the collect job; what is to come comes, then a copy lives that nothing happens to. */
async function run({ events, death }: Schedule): Promise<SubmissionScenario> {
  const scenario = new SubmissionScenario(new MemoryStores(), newJobId(new Date()) as JobId, 5);
  await scenario.accept();
  const left = [...events];
  scenario.onCall = async (holder, call) => {
    if (holder !== 'copy-1') return;
    while (left[0]?.at === call) {
      const event = left.shift();
      if (event !== undefined) await act[event.action](scenario);
    }
  };
  await scenario.live(3, death);
  for (const { action } of left) await act[action](scenario); // it did not get so far
  await scenario.live(60);
  return scenario;
}

/** What is wrong with a submission that nothing happens to any more. */
async function judge(scenario: SubmissionScenario, { events }: Schedule): Promise<string | undefined> {
  const alive = scenario.jobs.filter(({ isCanceled }) => !isCanceled).map(({ marker }) => marker);
  if (new Set(alive).size < alive.length) return `something runs twice: ${alive.join()}`;
  const whole = [0, 1, 2].map((ordinal) => markerOf(scenario.jobId, ordinal));
  const { kind } = await scenario.outcome();
  if (kind !== 'submitted') return `it is ${kind}`;
  const isStopped = events.some(({ action }) => action === 'cancel' || action === 'delete' || action === 'close');
  if (!isStopped) return alive.toSorted().join() === whole.join() ? undefined : `there is only ${alive.join()}`;
  const [collect] = whole;
  return alive.every((marker) => marker === collect) ? undefined : `${alive.join()} still runs`;
}

/** Every schedule of one and of two events, and of one event and a death. */
function* schedules(callCount: number): Generator<Schedule> {
  const calls = Array.from({ length: callCount }, (_, i) => i + 1);
  const events = calls.flatMap((at) => ACTIONS.map((action): Event => ({ action, at })));
  for (const first of events) {
    yield { events: [first] };
    for (const second of events)
      if (second.at >= first.at && second.action !== first.action) yield { events: [first, second] };
    // two faults at once: a copy that dies right after it has called sbatch in the place of another leaves a duplicate
    if (first.action === 'suspend') continue;
    for (const atCall of calls.filter((call) => call >= first.at))
      for (const mode of ['before', 'after', 'late'] as const) yield { events: [first], death: { atCall, mode } };
  }
}

describe('a submission', () => {
  it('is made once and whole, or ended, whatever two things come between any of its statements', async () => {
    const unharmed = new SubmissionScenario(new MemoryStores(), newJobId(new Date()) as JobId, 5);
    await unharmed.accept();
    await unharmed.live(3);
    const faults: string[] = [];
    let count = 0;
    for (const schedule of schedules(unharmed.callCount)) {
      count++;
      const fault = await judge(await run(schedule), schedule);
      if (fault !== undefined) faults.push(`${seedOf(schedule)}: ${fault}`);
    }
    expect(faults.slice(0, 10)).toEqual([]);
    expect(count).toBeGreaterThan(10_000);
  }, 300_000);
});
