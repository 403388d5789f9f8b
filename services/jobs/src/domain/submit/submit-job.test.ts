import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@tally/testkit';
import { SILENT_NOTIFIER } from '../../../test/silent-notifier.js';
import { fail } from '../errors.js';
import type { NewJob } from '../ports.js';
import type { ConvertedProject, ProjectConverter } from './convert-project.js';
import { checkTaskCount, type Submission, type SubmitJobPorts, submitJob } from './submit-job.js';

const converted: ConvertedProject = {
  title: undefined,
  primaries: 10,
  taskPrimariesMax: 5,
  deck: { 'deck.txt': Buffer.from('deck') },
  warnings: [{ code: 'W', message: 'left out' }],
  work: { engine: 'reference 0.2.0', kind: 'proton:7', fingerprint: 'f', startSeconds: 1, primarySeconds: 1e-4 },
  estimators: undefined,
  simulatorDeck: undefined,
};
const submission: Submission = {
  ownerId: 1n,
  platform: 'direct',
  simulator: 'simB',
  inputType: 'editor',
  taskCount: 4,
  title: '',
  simDataJson: Buffer.from('{}'),
  origin: { requestId: null, traceparent: null },
  seed: undefined,
  onUnsupported: 'refuse',
  idempotencyKey: '',
  clusterName: undefined,
  schedulerOptionsJson: Buffer.alloc(0),
};

/** Ports that remember what happened, in order. */
function ports(overrides: { converter?: Partial<ProjectConverter>; outcome?: 'abandoned' } = {}) {
  const events: string[] = [];
  const created: NewJob[] = [];
  const all: SubmitJobPorts = {
    submissions: {
      findAnswer: async () => undefined,
      beginSubmission: async () => void events.push('begin'),
      createJob: async (job) => {
        events.push('create');
        created.push(job);
        return overrides.outcome ?? { jobKey: 7n };
      },
      forgetSubmission: async () => void events.push('forget'),
      abandonSubmission: async () => void events.push('abandon'),
      deleteExpiredKeys: async () => {},
      noteFailure: async () => {},
    },
    projects: { findTitle: async () => ({ kind: 'own', value: { title: 'Kept', revision: 3 } }) },
    jobData: {
      createInput: async () => void events.push('input'),
      mergeOutputs: async () => undefined,
      deleteJobData: async () => {},
      deleteJobParts: async () => {},
      updateOwner: async () => {},
    },
    converter: {
      listSimulators: () => [{ simulator: 'simB', isAvailable: true, engine: 'test 1' }],
      convert: async () => converted,
      ...overrides.converter,
    },
    cluster: undefined,
    findExecutables: async () => new Map(),
    builtInEngine: 'allow',
    findConfinement: async () => ({ names: [], refusingFiles: new Set() }),
    clock: fakeClock(new Date('2026-03-04T05:06:07Z')),
    notifier: { ...SILENT_NOTIFIER, tasks: () => void events.push('wake') },
    limits: { ntasksMax: 1000, simDataBytesMax: 1000 },
  };
  return { all, events, created };
}

describe('submitting a job', () => {
  it('writes ahead, then stores the input, then the job, then wakes the dispatcher', async () => {
    const { all, events } = ports();
    await submitJob(all, submission);
    expect(events).toEqual(['begin', 'input', 'create', 'wake']);
  });

  it('splits the primaries exactly, names and dates the job, and passes warnings on', async () => {
    const { all, created } = ports();
    const answer = await submitJob(all, { ...submission, seed: 5n });
    expect(answer).toEqual({ jobId: created[0]?.jobId, jobKey: 7n, seed: 5n, warnings: converted.warnings });
    expect(answer.jobId).toMatch(/^20260304-050607-/);
    expect(created[0]?.title).toBe('Untitled');
    expect(created[0]?.tasks.map(({ primaries }) => primaries)).toEqual([3, 3, 2, 2]);
    expect(created[0]?.tasks.map(({ firstHistory }) => firstHistory)).toEqual([0, 3, 6, 8]);
  });

  it('gives up what it wrote when a step fails', async () => {
    for (const step of ['input', 'create'] as const) {
      const { all, events } = ports();
      const broken = () => Promise.reject(new Error(step));
      const submissions = step === 'create' ? { ...all.submissions, createJob: broken } : all.submissions;
      const jobData = step === 'input' ? { ...all.jobData, createInput: broken } : all.jobData;
      await expect(submitJob({ ...all, submissions, jobData }, submission)).rejects.toThrow(step);
      expect(events.at(-1)).toBe('abandon');
      expect(events).not.toContain('wake');
    }
  });

  it('says so when the sweeper was faster', async () => {
    const { all } = ports({ outcome: 'abandoned' });
    await expect(submitJob(all, submission)).rejects.toMatchObject({ reason: 'SUBMISSION_ABANDONED' });
  });

  it('passes on that the converter failed, and leaves nothing', async () => {
    const broken = () => {
      throw fail('CONVERSION_FAILED', { cause: new TypeError('a fault of ours') });
    };
    const { all, events } = ports({ converter: { convert: broken } });
    await expect(submitJob(all, submission)).rejects.toMatchObject({ status: 'INTERNAL', reason: 'CONVERSION_FAILED' });
    expect(events).toEqual(['begin', 'forget']);
  });

  it('fails with nothing to undo when it cannot write ahead, whatever becomes of the project', async () => {
    const converters: Partial<ProjectConverter>[] = [{}, { convert: () => Promise.reject(fail('CONVERSION_FAILED')) }];
    for (const converter of converters) {
      const { all, events } = ports({ converter });
      const beginSubmission = () => Promise.reject(new Error('no database'));
      const submissions = { ...all.submissions, beginSubmission };
      const expected = 'convert' in converter ? { reason: 'CONVERSION_FAILED' } : { message: 'no database' };
      await expect(submitJob({ ...all, submissions }, submission)).rejects.toMatchObject(expected);
      expect(events).toEqual([]);
    }
  });

  it.each([[{ isAvailable: false }], [undefined]])(
    'refuses a simulator that cannot run here, by its name',
    async (status) => {
      const listSimulators = () =>
        status === undefined ? [] : [{ simulator: 'simB' as const, engine: 'none', ...status }];
      const { all, events } = ports({ converter: { listSimulators } });
      await expect(submitJob(all, submission)).rejects.toMatchObject({
        status: 'INVALID_ARGUMENT',
        reason: 'SIMULATOR_UNAVAILABLE',
        message: 'This deployment cannot run simB',
      });
      expect(events).toEqual([]);
    },
  );
});

describe('the number of tasks', () => {
  it('is one that leaves every task what the simulator counts', () => {
    expect(() => checkTaskCount(2, converted)).not.toThrow();
    const fields = [{ field: '/ntasks', message: expect.stringMatching(/^must be at least 2: .*; use more tasks$/) }];
    expect(() => checkTaskCount(1, converted)).toThrow(expect.objectContaining({ reason: 'REQUEST_INVALID', fields }));
    expect(() => checkTaskCount(11, converted)).toThrow(expect.objectContaining({ reason: 'REQUEST_INVALID' }));
  });
});
