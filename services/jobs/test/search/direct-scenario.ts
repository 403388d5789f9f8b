import type { SearchModel, SearchStep } from '@tally/testkit';
import type { TaskEnd } from '../../src/domain/direct/report-task-end.js';
import type { AttemptRow } from '../../src/domain/snapshot.js';
import type { AttemptId, RunnerId } from '../../src/domain/task.js';
import { changeJobIn, changeTasksIn, type MemoryRows } from '../memory-store.js';
import {
  EARLY_PRIMARIES,
  EXTEND_LIMITS,
  EXTENDS,
  errorOf,
  fault,
  JOB,
  jobOf,
  LEASE_MS,
  LIMITS,
  modelOf,
  NOW,
  newScenario,
  PAST,
  PRIMARIES,
  RULES,
  type Rules,
  type Scenario,
  type ScenarioSize,
  step,
  WORKER_PORTS,
  type Work,
  withNumber,
} from './scenario.js';

const FAILED = { kind: 'failed', reason: 'R', message: 'm' } as const;
const ENDS = {
  'fails, to be tried again': { ...FAILED, isRetryable: true },
  'fails for good': { ...FAILED, isRetryable: false },
  'hands back': { kind: 'released' },
} as const;

/** Runners, who take what waits, and everybody who may end it under them. */
export function runnerSteps(scenario: Scenario, rules: Rules): SearchStep<Scenario>[] {
  return scenario.runners.flatMap((work, i) => {
    const name = `r${i + 1}`;
    const runnerId = name as RunnerId;
    const holding = (next: Work | undefined) => ({ runners: scenario.runners.with(i, next) });
    if (work === undefined) return claims(scenario, rules, runnerId, holding);
    const dies = fault(scenario, `${name} dies`, () => holding(undefined));
    return work.kind === 'task'
      ? [...taskSteps(scenario, rules, { name, work, holding }), ...dies]
      : [...mergeSteps(scenario, rules, { name, work, holding }), ...dies];
  });
}

type Holding = (next: Work | undefined) => Pick<Scenario, 'runners'>;

function claims(scenario: Scenario, rules: Rules, runnerId: RunnerId, holding: Holding): SearchStep<Scenario>[] {
  const tasks = [...scenario.rows.attempts.keys()].map((id) =>
    step(scenario, `${runnerId} claims ${id}`, (rows) => {
      const claim = { attemptId: id as AttemptId, runnerId, leaseMs: LEASE_MS };
      const order = changeTasksIn(rows, NOW, [{ attemptId: claim.attemptId, need: 'start' }], (draft) =>
        rules.decideClaim(draft, claim),
      );
      return order === undefined ? {} : holding({ kind: 'task', id, taskId: order.taskId, isStored: false });
    }),
  );
  // whoever has one holds it: it is taken from somebody who lives only when he stood still for too long
  const merges = [...scenario.rows.merges.values()].flatMap(({ id }) => {
    const isHeld = scenario.runners.some((work) => work?.id === id);
    const take = (rows: MemoryRows) => {
      const order = changeJobIn(rows, NOW, { ref: { jobId: JOB }, tasks: 'tally' }, (draft) =>
        rules.decideMergeStart(draft, JOB, id),
      );
      if (order === undefined) return {};
      const { taskIds, number } = order;
      return holding({ kind: 'merge', id, taskIds, number, isStored: false });
    };
    const name = `${runnerId} claims ${id}`;
    return isHeld ? fault(scenario, name, take) : step(scenario, name, take);
  });
  return [...tasks, ...merges];
}

interface Holder<Kind extends Work['kind']> {
  readonly name: string;
  readonly work: Extract<Work, { kind: Kind }>;
  readonly holding: Holding;
}

function taskSteps(scenario: Scenario, rules: Rules, { name, work, holding }: Holder<'task'>): SearchStep<Scenario>[] {
  const attemptId = work.id as AttemptId;
  const end = (rows: MemoryRows, said: TaskEnd) =>
    changeTasksIn(rows, NOW, [{ attemptId, need: 'end' }], (draft) =>
      rules.decideTaskEnd(draft, attemptId, said, WORKER_PORTS),
    );
  if (work.isStored) {
    const task = [...scenario.rows.tasks.values()].find(({ taskId }) => taskId === work.taskId);
    const requested = Number(task?.requestedPrimaries ?? PRIMARIES);
    const primaries = task?.mustFinish === true ? Math.min(EARLY_PRIMARIES, requested) : requested;
    const completed = { kind: 'completed', simulatedPrimaries: BigInt(primaries) } as const;
    return [
      step(scenario, `${name} completes`, (rows) => {
        end(rows, completed);
        return holding(undefined);
      }),
      ...fault(scenario, `${name} completes unheard`, (rows) => {
        end(rows, completed);
        return {};
      }),
    ];
  }
  return [
    step(scenario, `${name} reports`, (rows) => {
      const progress = { simulatedPrimaries: 5n, estimatedSeconds: undefined };
      const wanted = changeTasksIn(rows, NOW, [{ attemptId, need: 'task' }], (draft) =>
        rules.decideProgress(draft, attemptId, progress, LEASE_MS),
      );
      return wanted === 'stop' ? holding(undefined) : {};
    }),
    step(scenario, `${name} stores`, () => ({
      ...holding({ ...work, isStored: true }),
      ...(scenario.outputs === undefined ? {} : { outputs: withNumber(scenario.outputs, work.taskId) }),
    })),
    ...Object.entries(ENDS).flatMap(([verb, said]) =>
      fault(scenario, `${name} ${verb}`, (rows) => {
        end(rows, said);
        return holding(undefined);
      }),
    ),
  ];
}

function mergeSteps(
  scenario: Scenario,
  rules: Rules,
  { name, work, holding }: Holder<'merge'>,
): SearchStep<Scenario>[] {
  const relativeError = (rows: MemoryRows) => {
    const merged = [...rows.tasks.values()].filter(({ taskId }) => work.taskIds.includes(taskId));
    return errorOf(merged.reduce((sum, task) => sum + Number(task.simulatedPrimaries), 0));
  };
  const merge = { jobId: JOB, mergeId: work.id };
  const end = (rows: MemoryRows) =>
    changeJobIn(rows, NOW, { ref: { jobId: JOB }, tasks: 'tally' }, (draft) =>
      rules.decideMergeEnd(draft, { ...merge, relativeError: relativeError(rows) }),
    );
  const fail = (rows: MemoryRows, isRetryable: boolean) =>
    changeJobIn(rows, NOW, { ref: { jobId: JOB }, tasks: 'tally' }, (draft) =>
      rules.decideMergeFailure(draft, { ...merge, failure: 'R: m', isRetryable }, LIMITS),
    );
  if (work.isStored) {
    return [
      step(scenario, `${name} completes`, (rows) => {
        end(rows);
        return holding(undefined);
      }),
      ...fault(scenario, `${name} completes unheard`, (rows) => {
        end(rows);
        return {};
      }),
    ];
  }
  return [
    step(scenario, `${name} stores`, () => ({
      ...holding({ ...work, isStored: true }),
      ...(scenario.outputs === undefined || work.number < scenario.finalMerge
        ? {}
        : { final: work.taskIds, finalMerge: work.number }),
    })),
    ...[true, false].flatMap((isRetryable) =>
      fault(scenario, `${name} fails${isRetryable ? '' : ' for good'}`, (rows) => {
        fail(rows, isRetryable);
        return holding(undefined);
      }),
    ),
  ];
}

/** A lease is over; of somebody who lives, that is a fault. */
function lapse(scenario: Scenario, attempt: AttemptRow): SearchStep<Scenario>[] {
  const isOfLiving = scenario.runners.some((work) => work?.id === attempt.id);
  const name = `the lease of ${attempt.id} ends`;
  const run = (rows: MemoryRows) => {
    rows.attempts.set(attempt.id, { ...attempt, leaseExpiresAt: PAST });
    return {};
  };
  return isOfLiving ? fault(scenario, name, run) : [step(scenario, name, run)];
}

/** Time, and whoever looks what it has done: he may have looked long ago. */
export function sweepSteps(scenario: Scenario, rules: Rules): SearchStep<Scenario>[] {
  const { attempts, merges } = scenario.rows;
  const held = [...attempts.values()].filter(({ runnerId }) => runnerId !== null);
  const lapses = held.flatMap((one) =>
    one.leaseExpiresAt === null || one.leaseExpiresAt < NOW ? [] : lapse(scenario, one),
  );
  const lost = held.map((one) =>
    step(
      scenario,
      `${one.leaseExpiresAt === null || one.leaseExpiresAt >= NOW ? 'the sweep is late for' : 'the sweep ends'} ${one.id}`,
      (rows) => {
        const attemptId = one.id as AttemptId;
        changeTasksIn(rows, NOW, [{ attemptId, need: 'end' }], (draft) =>
          rules.decideTaskEnd(draft, attemptId, { kind: 'lost' }, WORKER_PORTS),
        );
        return {};
      },
    ),
  );
  const awaited = [...merges.values()].flatMap((merge) =>
    merge.dueAt <= NOW
      ? []
      : step(scenario, `the lease of ${merge.id} ends`, (rows) => {
          rows.merges.set(merge.jobKey, { ...merge, dueAt: PAST });
          return {};
        }),
  );
  return [...lapses, ...lost, ...awaited];
}

/** Its owner, at any moment. What is deleted here is removed from results later. */
export function ownerSteps(scenario: Scenario, rules: Rules): SearchStep<Scenario>[] {
  const toRemove = [...scenario.rows.duties].filter((duty) => duty.startsWith('remove '));
  const removes = toRemove.map((duty) =>
    step(scenario, 'results removes it', (rows) => {
      rows.duties.delete(duty);
      return { outputs: undefined, final: undefined };
    }),
  );
  if (jobOf(scenario.rows) === undefined) return removes;
  const stops = step(scenario, 'its owner stops', (rows) => {
    changeJobIn(rows, NOW, { ref: { jobId: JOB }, tasks: 'all' }, (draft) => rules.decideStop(draft, JOB, LEASE_MS));
    return {};
  });
  const { extensionsLeft } = scenario;
  const extend = step(scenario, EXTENDS, (rows) => {
    changeJobIn(rows, NOW, { ref: { jobId: JOB }, tasks: 'usage' }, (draft) =>
      rules.decideExtension(draft, JOB, { primaries: PRIMARIES, taskCount: 1, idempotencyKey: '' }, EXTEND_LIMITS),
    );
    return { extensionsLeft: extensionsLeft - 1 };
  });
  return [
    ...removes,
    ...(scenario.mayStop ? [stops] : []),
    ...(extensionsLeft > 0 && jobOf(scenario.rows)?.state === 'COMPLETED' ? [extend] : []),
    step(scenario, 'its owner cancels', (rows) => {
      changeJobIn(rows, NOW, { ref: { jobId: JOB }, tasks: 'all' }, (draft) => rules.decideCancel(draft, JOB));
      return {};
    }),
    step(scenario, 'its owner deletes', (rows) => {
      changeJobIn(rows, NOW, { ref: { jobId: JOB }, tasks: 'tally' }, (draft) => rules.decideDelete(draft, JOB));
      return {};
    }),
  ];
}

/** Those who hold something go on, those who do not take what waits, and what nobody holds any more is swept. */
export const HEALING = [/^r\d completes$/, /^r\d stores$/, /^results removes/, /^the sweep ends/] as const;

/** The next claim that would give something, so that healing goes on. */
export function claimOf({ rows, runners }: Scenario): RegExp[] {
  const idle = runners.indexOf(undefined);
  const due = [...rows.merges.values()].find(({ dueAt }) => dueAt <= NOW)?.id;
  const [waiting = due] = rows.messages;
  return idle < 0 || waiting === undefined ? [] : [new RegExp(`^r${idle + 1} claims ${waiting}$`)];
}

/** Leases of workers of whom nobody knows any more. */
export function lapseOf({ rows, runners }: Scenario): RegExp[] {
  const leased = [...rows.attempts.values()].filter(({ leaseExpiresAt }) => leaseExpiresAt !== null);
  const awaited = [...rows.merges.values()].filter(({ dueAt }) => dueAt > NOW);
  const orphan = [...leased, ...awaited].find(({ id }) => !runners.some((work) => work?.id === id));
  return orphan === undefined ? [] : [new RegExp(`^the lease of ${orphan.id} ends$`)];
}

/** A job of the direct platform. */
export function directScenario(size: ScenarioSize, rules: Rules = RULES): SearchModel<Scenario> {
  const stepsOf = (scenario: Scenario) => [
    ...runnerSteps(scenario, rules),
    ...sweepSteps(scenario, rules),
    ...ownerSteps(scenario, rules),
  ];
  const model = modelOf(newScenario('direct', size), stepsOf, HEALING);
  return healing(model);
}

/** With the steps of healing that depend on the scenario. */
export function healing(model: SearchModel<Scenario>, more: readonly RegExp[] = []): SearchModel<Scenario> {
  return {
    ...model,
    healOf: (scenario, steps) => {
      const fixed = model.healOf(scenario, steps);
      if (fixed !== undefined) return fixed;
      for (const pattern of [...more, ...claimOf(scenario), ...lapseOf(scenario)]) {
        const index = steps.findIndex(({ name }) => pattern.test(name));
        if (index >= 0) return index;
      }
      return undefined;
    },
  };
}
