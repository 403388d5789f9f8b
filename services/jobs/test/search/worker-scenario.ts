import type { SearchModel, SearchStep } from '@tally/testkit';
import type { State } from '../../src/domain/job-state.js';
import { changeJobIn, changeTasksIn, type MemoryRows } from '../memory-store.js';
import { HEALING, healing, ownerSteps, runnerSteps, sweepSteps } from './direct-scenario.js';
import {
  JOB,
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
const TASK_WORDS = [
  { state: 'PENDING' },
  { state: 'RUNNING' },
  { state: 'COMPLETED' },
  { state: 'FAILED' },
  { state: 'FAILED', failure: 'F' },
] as const;
const NEEDS = { PENDING: 'facts', RUNNING: 'start', COMPLETED: 'end', FAILED: 'end' } as const;
const JOB_WORDS: readonly State[] = ['MERGING_RUNNING', 'COMPLETED', 'FAILED'];

/** An external worker says whatever the interface lets it say, in any order, under any name, or nothing more. */
function workerSteps(scenario: Scenario, rules: Rules): SearchStep<Scenario>[] {
  if (scenario.wordsLeft === 0) return [];
  const say = (what: string, run: (rows: MemoryRows) => Partial<Scenario>) =>
    step(scenario, `${WORKER_STEP}says: ${what}`, (rows) => ({ ...run(rows), wordsLeft: scenario.wordsLeft - 1 }));
  const tasks = [...scenario.rows.tasks.values()];
  const taskIds = tasks.map(({ taskId }) => taskId);
  const ofTasks = tasks.flatMap(({ taskId, currentAttemptId }) =>
    // by no name, by its own, and by the one that a runner has
    [undefined, 'a', currentAttemptId].flatMap((attemptName) =>
      TASK_WORDS.map((words) =>
        say(`${attemptName ?? ''} of ${taskId} ${Object.values(words).join()}`, (rows) => {
          const said = { jobId: JOB, taskId, attemptName, update: { ...UNSAID, ...words } };
          const need = NEEDS[words.state];
          changeTasksIn(rows, NOW, [{ jobId: JOB, taskId, need }], (draft) =>
            rules.decideWorkerTaskUpdate(draft, said, WORKER_PORTS),
          );
          return {};
        }),
      ),
    ),
  );
  const ofJob = JOB_WORDS.map((state) =>
    say(`it is ${state}`, (rows) => {
      const tasks = state === 'MERGING_RUNNING' ? 'tally' : 'all';
      const update = { state, endTime: undefined, jobDir: undefined, arrayId: undefined, collectId: undefined };
      changeJobIn(rows, NOW, { ref: { jobId: JOB }, tasks }, (draft) =>
        rules.decideWorkerJobUpdate(draft, JOB, update, WORKER_PORTS),
      );
      return {};
    }),
  );
  const outputs = taskIds.map((taskId) =>
    say(`output of ${taskId}`, (rows) => {
      changeTasksIn(rows, NOW, [{ jobId: JOB, taskId, need: 'end' }], (draft) =>
        rules.decideOutput(draft, JOB, taskId, LEASE_MS),
      );
      const has = scenario.outputs ?? [];
      return scenario.outputs === undefined ? {} : { outputs: withNumber(has, taskId) };
    }),
  );
  const final = say('final results', (rows) => {
    const results = { kind: 'final', contentHash: 'h', primaries: undefined } as const;
    changeJobIn(rows, NOW, { ref: { jobId: JOB }, tasks: 'all' }, (draft) =>
      rules.decideFinalResults(draft, JOB, results),
    );
    return scenario.outputs === undefined ? {} : { final: taskIds };
  });
  return [...ofTasks, ...ofJob, ...outputs, final];
}

/** A job of the direct platform of which an external worker reports, too. */
export function workerScenario(size: ScenarioSize, rules: Rules = RULES): SearchModel<Scenario> {
  const stepsOf = (scenario: Scenario) => [
    ...workerSteps(scenario, rules),
    ...runnerSteps(scenario, rules),
    ...sweepSteps(scenario, rules),
    ...ownerSteps(scenario, rules),
  ];
  return healing(modelOf(newScenario('direct', size), stepsOf, HEALING));
}
