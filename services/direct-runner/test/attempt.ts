import { encodeTaskOutput, type TaskOutput } from '@tally/merge';
import type { AttemptId, JobId, WorkOrder } from '../src/domain/task.js';

/** What a fixture simulator does, step by step (fixtures/simulator.mjs). */
export type Step = readonly [verb: string, ...args: (string | number)[]];

export function deckOf(...steps: Step[]): Record<string, string> {
  const manifest = { driver: 'reference', estimators: [] };
  return { 'problem.json': JSON.stringify({ steps }), 'manifest.json': JSON.stringify(manifest) };
}

/** What the reader of such an output warns of. */
export const WARNINGS = [{ code: 'AXIS_UNNAMED', message: 'an axis has no name' }];

/** A small task output of `primaries` histories whose dose is `dose` in each. */
export function outputOf(primaries: number, dose = 1): TaskOutput {
  return {
    primaries,
    batches: 2,
    engine: 'fixture 1',
    counters: { lost: 1 },
    warnings: WARNINGS,
    pages: [
      {
        estimatorName: 'depth',
        fileName: 'depth_',
        pageNumber: 1,
        pageName: 'Dose',
        kind: 'linear',
        unit: 'MeV/g',
        scale: 2,
        axes: [{ name: 'z', unit: 'cm', centers: [0.5, 1.5, 2.5] }],
        moments: [Float64Array.of(1, 2, 3), Float64Array.of(1, 4, 9)].map((values, power) =>
          values.map((value) => value * dose ** (power + 1) * primaries),
        ),
      },
    ],
  };
}

export function writeOutput(output: TaskOutput): Step {
  return ['output', Buffer.from(encodeTaskOutput(output)).toString('base64')];
}

export function orderOf(overrides: Partial<WorkOrder> = {}): WorkOrder {
  return {
    attemptId: crypto.randomUUID() as AttemptId,
    jobId: '20260101-000000-fixture' as JobId,
    taskId: 1,
    attempt: 1,
    simType: 'simA',
    inputType: 'editor',
    primaries: 100,
    firstHistory: 0,
    seed: '42',
    leaseMs: 5_000,
    heartbeatMs: 200,
    ...overrides,
  };
}
