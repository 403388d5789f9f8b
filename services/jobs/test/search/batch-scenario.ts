import type { SearchModel, SearchStep } from '@tally/testkit';
import { type BatchReport, endReport } from '../../src/domain/batch/batch-report.js';
import { changeJobIn, changeTasksIn, type MemoryRows } from '../memory-store.js';
import { healing, ownerSteps, runnerSteps, sweepSteps } from './direct-scenario.js';
import {
  type ClusterTask,
  ENDS_LATE,
  fault,
  JOB,
  jobOf,
  LEASE_MS,
  modelOf,
  NOW,
  newScenario,
  RULES,
  type Rules,
  type Scenario,
  type ScenarioSize,
  step,
  WORKER_PORTS,
  WORKER_STEP,
  withNumber,
} from './scenario.js';

const UNSAID = {
  requestedPrimaries: undefined,
  simulatedPrimaries: undefined,
  estimatedSeconds: undefined,
  startTime: undefined,
  endTime: undefined,
};

const isOver = (at: ClusterTask) => at === 'completed' || at === 'dead';

/** The program on a node does its task: says that it runs, has its output stored, says so, and that it is done. */
function nodeSteps(scenario: Scenario, rules: Rules): SearchStep<Scenario>[] {
  const say = (rows: MemoryRows, taskId: number, state: 'RUNNING' | 'COMPLETED') => {
    const said = { jobId: JOB, taskId, attemptName: undefined, update: { ...UNSAID, state } };
    const need = state === 'RUNNING' ? 'start' : 'end';
    return changeTasksIn(rows, NOW, [{ jobId: JOB, taskId, need }], (draft) =>
      rules.decideWorkerTaskUpdate(draft, said, WORKER_PORTS),
    );
  };
  return scenario.cluster.flatMap((at, i): SearchStep<Scenario>[] => {
    const taskId = i + 1;
    const name = `${WORKER_STEP}${taskId}`;
    const to = (next: ClusterTask) => ({ cluster: scenario.cluster.with(i, next) });
    if (isOver(at)) return [];
    const dies = fault(scenario, `node ${taskId} dies`, () => to('dead'));
    switch (at) {
      case 'waiting':
        return [
          step(scenario, `${name} starts`, (rows) => {
            say(rows, taskId, 'RUNNING');
            return to('running');
          }),
          ...fault(scenario, `node ${taskId} starts unheard`, () => to('running')),
          ...dies,
        ];
      case 'running': {
        const stored = scenario.outputs === undefined ? {} : { outputs: withNumber(scenario.outputs, taskId) };
        return [
          step(scenario, `${name} repeats that it runs`, (rows) => {
            say(rows, taskId, 'RUNNING');
            return {};
          }),
          step(scenario, `node ${taskId} stores`, () => ({ ...to('stored'), ...stored })),
          ...dies,
        ];
      }
      case 'stored':
        return [tellOutput(scenario, rules, taskId, `node ${taskId} tells of its output`, to('told')), ...dies];
      default:
        return [
          step(scenario, `${name} completes`, (rows) => {
            say(rows, taskId, 'COMPLETED');
            return to('completed');
          }),
          ...fault(scenario, `${name} completes unheard`, (rows) => {
            say(rows, taskId, 'COMPLETED');
            return {};
          }),
          ...dies,
        ];
    }
  });
}

function tellOutput(
  scenario: Scenario,
  rules: Rules,
  taskId: number,
  name: string,
  after: Partial<Scenario>,
): SearchStep<Scenario> {
  return step(scenario, name, (rows) => {
    changeTasksIn(rows, NOW, [{ jobId: JOB, taskId, need: 'end' }], (draft) =>
      rules.decideOutput(draft, JOB, taskId, LEASE_MS),
    );
    return after;
  });
}

/** batch-bridge says what the scheduler shows, late and repeatedly; the end only when no node has anything to say any more. */
function bridgeSteps(scenario: Scenario, rules: Rules): SearchStep<Scenario>[] {
  const report = (rows: MemoryRows, said: BatchReport) =>
    changeJobIn(rows, NOW, { ref: { jobId: JOB, platform: 'batch' }, tasks: 'all' }, (draft) =>
      rules.decideBatchReport(draft, JOB, said, LEASE_MS),
    );
  const { end: _, ...nothing } = endReport('');
  const words = scenario.cluster.flatMap((at, i): SearchStep<Scenario>[] => {
    const taskId = i + 1;
    const say = (state: 'RUNNING' | 'FAILED') =>
      step(scenario, `the bridge says that ${taskId} ${state === 'RUNNING' ? 'runs' : 'failed'}`, (rows) => {
        report(rows, { ...nothing, end: undefined, tasks: [{ taskId, state, failure: '' }] });
        return {};
      });
    if (at === 'waiting') return [];
    const isLate = scenario.outputs?.includes(taskId) === true && at === 'dead';
    const delivers = isLate
      ? [tellOutput(scenario, rules, taskId, `the bridge tells of the output of ${taskId}`, {})]
      : [];
    return [say('RUNNING'), ...(at === 'dead' ? [say('FAILED')] : []), ...delivers];
  });
  const isEverythingOver = scenario.cluster.every(isOver);
  const taskCount = scenario.cluster.length;
  const first = jobOf(scenario.rows)?.submittedTaskCount ?? taskCount;
  const late =
    first < taskCount
      ? [
          step(scenario, ENDS_LATE, (rows) => {
            report(rows, endReport('Nothing more comes from the cluster', first));
            return {};
          }),
        ]
      : [];
  const ends = isEverythingOver
    ? [
        step(scenario, 'the bridge says that it is over', (rows) => {
          report(rows, endReport('Nothing more comes from the cluster', taskCount));
          return {};
        }),
      ]
    : [];
  const newTasks = first < taskCount ? scenario.cluster.slice(first) : scenario.cluster;
  const refused = newTasks.every((at) => at === 'waiting')
    ? fault(scenario, 'the bridge says that it was refused', (rows) => {
        report(rows, endReport('SUBMISSION_FAILED: no', taskCount));
        return { cluster: scenario.cluster.map((at) => (isOver(at) ? at : ('dead' as const))) };
      })
    : [];
  return [...words, ...late, ...ends, ...refused, ...commandSteps(scenario)];
}

/** What is to be told to batch-bridge is told until it has heard it; it ends what runs. */
function commandSteps(scenario: Scenario): SearchStep<Scenario>[] {
  const hasCancel = [...scenario.rows.duties].some((duty) => duty.startsWith(`cancel ${JOB}`));
  return [...scenario.rows.duties].flatMap((duty) => {
    const [kind, , lastTask = scenario.cluster.length] = duty.split(' ');
    const isEnded = (at: ClusterTask, i: number) => i < Number(lastTask) && !isOver(at);
    const obey = () => ({ cluster: scenario.cluster.map((at, i) => (isEnded(at, i) ? ('dead' as const) : at)) });
    // a submission has been told, and is told again as long as the job is open
    if (kind === 'submit' || kind === 'remove') return [];
    if (kind === 'delete' && hasCancel) return [];
    return [
      step(scenario, `the bridge takes: ${kind}`, (rows) => {
        rows.duties.delete(duty);
        return obey();
      }),
      ...fault(scenario, `the bridge takes unheard: ${kind}`, obey),
    ];
  });
}

/** A job of the batch platform, whose results runners merge. */
export function batchScenario(size: ScenarioSize, rules: Rules = RULES): SearchModel<Scenario> {
  const stepsOf = (scenario: Scenario) => [
    ...nodeSteps(scenario, rules),
    ...bridgeSteps(scenario, rules),
    ...runnerSteps(scenario, rules),
    ...sweepSteps(scenario, rules),
    ...ownerSteps(scenario, rules),
  ];
  const model = modelOf(newScenario('batch', size), stepsOf, [
    /^the bridge takes: /,
    /^worker \d (starts|completes)$/,
    /^node \d (stores|tells of its output)$/,
    /^r\d completes$/,
    /^r\d stores$/,
    /^results removes/,
    /^the sweep ends/,
  ]);
  return {
    ...healing(model),
    // the end is said until it is known to be
    healOf: (scenario, steps) => {
      const found = healing(model).healOf(scenario, steps);
      if (found !== undefined) return found;
      const isOpen = [...scenario.rows.jobs.values()].some(({ closedAt }) => closedAt === null);
      const index = steps.findIndex(({ name }) => name === 'the bridge says that it is over');
      return isOpen && index >= 0 ? index : undefined;
    },
  };
}
