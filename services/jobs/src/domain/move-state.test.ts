import { describe, expect, it } from '@jest/globals';
import { replaySteps, type SearchModel, type SearchReport, searchStates } from '@tally/testkit';
import { batchScenario } from '../../test/search/batch-scenario.js';
import { directScenario } from '../../test/search/direct-scenario.js';
import { RULES, type Rules, type Scenario } from '../../test/search/scenario.js';
import { workerScenario } from '../../test/search/worker-scenario.js';
import { moveJob, moveTasks } from './move-state.js';

/** Twice what the largest search has. */
const STATES_MAX = 100_000;

const direct = { tasks: 2, runners: 2, faults: 1 } as const;
const deep = { tasks: 1, runners: 2, faults: 3 } as const;
const batch = { tasks: 2, runners: 1, faults: 2 } as const;
const stopped = { tasks: 1, runners: 2, faults: 1, mayStop: true } as const;
const stoppedOnCluster = { tasks: 2, runners: 1, faults: 1, mayStop: true } as const;
const extended = { tasks: 1, runners: 2, faults: 1, mayStop: true, extensions: 1 } as const;
const extendedOnCluster = { tasks: 1, runners: 1, faults: 1, mayStop: true, extensions: 1 } as const;
const targeted = { tasks: 1, runners: 1, faults: 1, mayStop: true, hasTarget: true } as const;
const targetedOnCluster = { ...targeted, faults: 0 } as const;
const worker = { tasks: 1, runners: 1, faults: 0, words: 2 } as const;

/**
 * Every order of everything that may happen to a small job (test/search/scenario.ts). A violation is the shortest way to it:
 * `replaySteps(scenario, seed)` takes it again.
 */
describe('whatever happens to a job, in every order and cut off after every statement', () => {
  const reports: SearchReport[] = [];
  const scenarios: [string, SearchModel<Scenario>][] = [
    ['of two tasks with two runners', directScenario(direct)],
    ['of one task with two runners that fail thrice', directScenario(deep)],
    ['of which an external worker reports, too', workerScenario(worker)],
    ['of two tasks on a cluster', batchScenario(batch)],
    ['of one task with two runners that its owner may stop', directScenario(stopped)],
    ['of one task with two runners that its owner may stop and extend', directScenario(extended)],
    ['of two tasks on a cluster that its owner may stop', batchScenario(stoppedOnCluster)],
    ['of one task on a cluster that its owner may stop and extend', batchScenario(extendedOnCluster)],
    ['that goes on until its target', directScenario(targeted)],
    ['that goes on until its target on a cluster', batchScenario(targetedOnCluster)],
  ];
  it.each(scenarios)(
    '%s: it ends once, with each history counted once, moves as the tables say, and leaves nothing behind',
    (_, scenario) => {
      const report = searchStates(scenario, STATES_MAX);
      reports.push(report);
      expect(report.violation).toBeUndefined();
    },
    300_000,
  );

  it('was looked at in more than a million orders of two steps', () => {
    const sum = (of: (report: SearchReport) => number) => reports.reduce((total, report) => total + of(report), 0);
    expect(sum(({ stepCount }) => stepCount)).toBeGreaterThan(200_000);
    expect(sum(({ pairCount }) => pairCount)).toBeGreaterThan(1_000_000);
  });
});

/** Rules with a mistake, and what it leads to. */
const MISTAKES: [string, (rules: Partial<Rules>) => SearchModel<Scenario>, Partial<Rules>, RegExp][] = [
  [
    'that forgets whether the attempt is the current one',
    (rules) => directScenario(deep, { ...RULES, ...rules }),
    {
      decideTaskEnd: (draft, id, end, ports) => {
        const attempt = draft.findAttempt(id);
        if (attempt !== undefined && end.kind !== 'lost') draft.putAttempt({ ...attempt, endedAt: null });
        return RULES.decideTaskEnd(draft, id, end, ports);
      },
    },
    /contradict each other/,
  ],
  [
    'that gives an attempt away twice',
    (rules) => directScenario(deep, { ...RULES, ...rules }),
    {
      decideClaim: (draft, claim) => {
        const attempt = draft.findAttempt(claim.attemptId);
        if (attempt !== undefined) draft.putAttempt({ ...attempt, endedAt: null });
        return RULES.decideClaim(draft, claim);
      },
    },
    /lease|one too many|is open/,
  ],
  [
    'that cancels without taking the work back',
    (rules) => directScenario(direct, { ...RULES, ...rules }),
    {
      decideCancel: (draft, jobId) => {
        const job = draft.findJob(jobId);
        if (job === undefined || !moveJob(draft, job.jobKey, 'canceled')) return job?.state;
        moveTasks(draft, job.jobKey, 'canceled');
        return 'CANCELED';
      },
    },
    /the job is CANCELED and something of it is open/,
  ],
  [
    'that merges without one of the tasks',
    (rules) => directScenario(direct, { ...RULES, ...rules }),
    {
      decideMergeStart: (draft, ...merge) => {
        const order = RULES.decideMergeStart(draft, ...merge);
        return order && { ...order, taskIds: order.taskIds.slice(1) };
      },
    },
    /COMPLETED with the histories of 1 tasks/,
  ],
  [
    'that forgets that the job was stopped',
    (rules) => batchScenario(stoppedOnCluster, { ...RULES, ...rules }),
    {
      decideStop: (draft, jobId, leaseMs) => {
        const answer = RULES.decideStop(draft, jobId, leaseMs);
        const job = draft.findJob(jobId);
        if (job !== undefined) draft.putJob({ ...job, stoppedAt: null });
        return answer;
      },
    },
    /it was stopped and does not say so/,
  ],
  [
    'that deletes what has not ended',
    (rules) => directScenario(direct, { ...RULES, ...rules }),
    {
      decideDelete: (draft, jobId) => {
        const job = draft.findJob(jobId);
        if (job !== undefined) draft.deleteJob(job.jobKey);
        return job && 'deleted';
      },
    },
    /a job that is PENDING was deleted/,
  ],
  [
    'that does not hear that a cluster has nothing more',
    (rules) => batchScenario(batch, { ...RULES, ...rules }),
    {
      decideBatchReport: (draft, jobId, report, leaseMs) =>
        RULES.decideBatchReport(draft, jobId, { ...report, end: undefined }, leaseMs),
    },
    /it never comes to rest|it stays/,
  ],
  [
    'that takes a late end of the tasks before an extension for one of all',
    (rules) => batchScenario(extendedOnCluster, { ...RULES, ...rules }),
    {
      decideBatchReport: (draft, jobId, report, leaseMs) => {
        const end = report.end && { ...report.end, lastTask: Number.MAX_SAFE_INTEGER };
        return RULES.decideBatchReport(draft, jobId, { ...report, end }, leaseMs);
      },
    },
    /task 2 of an extension became FAILED/,
  ],
  [
    'that lets a worker say that an ended task runs',
    (rules) => workerScenario(worker, { ...RULES, ...rules }),
    {
      decideWorkerTaskUpdate: (draft, target, ports) => {
        const job = draft.findJob(target.jobId);
        const task = job && draft.findTask(job.jobKey, target.taskId);
        if (task !== undefined) draft.putTask({ ...task, state: target.update.state ?? task.state });
        return RULES.decideWorkerTaskUpdate(draft, target, ports);
      },
    },
    /task 1 (was|is)|its attempt/,
  ],
];

describe('the search finds a rule', () => {
  it.each(MISTAKES)('%s, and its seed leads there again', (_, scenarioOf, rules, what) => {
    const scenario = scenarioOf(rules);
    const { violation } = searchStates(scenario, STATES_MAX);
    expect(violation?.what).toMatch(what);
    const { path = [], seed = '' } = violation ?? {};
    const last = seed.slice(0, Math.max(0, seed.lastIndexOf('.')));
    const state = replaySteps(scenario, last).at(-1) ?? scenario.start;
    expect(scenario.stepsOf(state).map(({ name }) => name)).toContain(path.at(-1));
  });
});
