import { describe, expect, it } from '@jest/globals';
import { createLogger, createMetrics } from '@tally/service-kit';
import { jobRow, taskRow } from '../test/rows.js';
import { openDraft } from './domain/change.js';
import { moveJob, moveTask } from './domain/move-state.js';
import { emptySnapshot, type Snapshot } from './domain/snapshot.js';
import { addChangeMetrics, lossCounter } from './metrics.js';

const now = new Date(90_000); // the job was submitted at 0

/** What is counted and logged of a change of one job with one task. */
async function observe(
  loaded: Pick<Snapshot, 'jobs' | 'tasks'>,
  decide: (draft: ReturnType<typeof openDraft>) => void,
) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const metrics = createMetrics('jobs');
  const observer = addChangeMetrics(metrics, createLogger({ service: 'jobs', write }));
  const lockedJobs = new Set(loaded.jobs.map(({ jobKey }) => jobKey));
  const snapshot = { ...emptySnapshot(now), ...loaded, lockedJobs };
  const draft = openDraft(snapshot);
  decide(draft);
  observer(draft.change(), snapshot);
  return { lines, text: await metrics.registry.metrics() };
}

describe('a change that is stored', () => {
  it('shows how long a task has waited when it first runs, and not when it runs again', async () => {
    const claim = (draft: ReturnType<typeof openDraft>) => void moveTask(draft, taskRow.taskKey, 'claimed');
    const first = await observe({ jobs: [jobRow], tasks: [taskRow] }, claim);
    expect(first.text).toContain('tally_task_queue_seconds_sum{service="jobs",platform="direct"} 90');
    const again = await observe({ jobs: [jobRow], tasks: [{ ...taskRow, startTime: new Date(1) }] }, claim);
    expect(again.text).not.toContain('tally_task_queue_seconds_sum{');
  });

  it('shows how long a job took, and says in which part and why it and its task failed', async () => {
    const failure = 'SIMULATOR_FAILED: the simulator failed: exit code 3 (attempt 3 of 3)';
    const { lines, text } = await observe(
      { jobs: [{ ...jobRow, state: 'RUNNING' }], tasks: [{ ...taskRow, state: 'RUNNING' }] },
      (draft) => {
        moveTask(draft, taskRow.taskKey, 'failed', { failure });
        moveJob(draft, jobRow.jobKey, 'nothingDelivered', { failure: `1 of 1 tasks failed; task 1: ${failure}` });
      },
    );
    expect(text).toContain('tally_job_seconds_sum{service="jobs",platform="direct",state="FAILED"} 90');
    const reason = { code: 'SIMULATOR_FAILED', stage: 'run', exit_code: 3, retryable: true };
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'task failed', job_id: 'job-1', task_id: 1, ...reason }),
      expect.objectContaining({ msg: 'job failed', job_id: 'job-1', ...reason }),
    ]);
  });
});

it('losses are there as 0 before the first one', async () => {
  const metrics = createMetrics('jobs');
  lossCounter(metrics);
  const text = await metrics.registry.metrics();
  expect(text).toMatch(/^tally_leases_lost_total.* 0$/m);
});
