import { describe, expect, it } from '@jest/globals';
import { SIM_TYPES } from '@tally/simulators';
import { type BatchJob, HELPER_LIMITS, jobFile } from './batch-job.js';
import { JobFolderError } from './file-format.js';

const JOB: BatchJob = {
  jobId: '20260102-030405-6f1c2a5e-0000-4000-8000-000000000000',
  simType: 'simA',
  inputType: 'editor',
  seed: '18446744073709551615',
  tasks: [
    { taskId: 1, primaries: 10, firstHistory: 0 },
    { taskId: 3, primaries: 9, firstHistory: 10 },
  ],
  gateway: { url: 'https://tally.example/api', caFile: '/etc/ssl/site.pem' },
  simulator: { executable: '/opt/simA/bin/simA', args: ['--quiet'], env: { OMP_NUM_THREADS: '1' }, version: '1.0.1' },
  confinement: { kind: 'auto', readOnlyPaths: ['/opt/data'], wrapper: ['/usr/bin/apptainer', 'exec', '{folder}'] },
  limits: HELPER_LIMITS,
};
const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

describe('job.json', () => {
  it('comes back as it was written', () => {
    expect(jobFile.parse(bytes(jobFile.encode(JOB)))).toEqual(JOB);
    const bare = { ...JOB, gateway: null, simulator: null };
    expect(jobFile.parse(bytes(jobFile.encode(bare)))).toEqual(bare);
  });

  it('may name every simulator', () => {
    for (const simType of SIM_TYPES) expect(jobFile.parse(bytes({ ...JOB, simType })).simType).toBe(simType);
  });

  it('does not need members that a later version may add', () => {
    expect(jobFile.parse(bytes({ ...JOB, later: 1 }))).toEqual(JOB);
  });

  const url = (text: string) => ({ gateway: { url: text, caFile: null } });
  it.each<[string, object]>([
    ['a job id that is a path', { jobId: '../x' }],
    ['an unknown simulator', { simType: 'simE' }],
    ['a seed of more than 64 bits', { seed: '18446744073709551616' }],
    ['a negative seed', { seed: '-1' }],
    ['no tasks', { tasks: [] }],
    ['a task twice', { tasks: [JOB.tasks[0], JOB.tasks[0]] }],
    ['a task without primaries', { tasks: [{ taskId: 1, primaries: 0, firstHistory: 0 }] }],
    ['plain http to another machine', url('http://tally.example')],
    ['plain http to a name that begins like the loopback address', url('http://127.0.0.1.example')],
    ['a password in the URL', url('https://a:b@tally.example')],
    ['another protocol', url('file:///etc/passwd')],
    ['an executable without its folder', { simulator: { ...JOB.simulator, executable: 'simA' } }],
    ['an argument with NUL', { simulator: { ...JOB.simulator, args: ['a\0b'] } }],
    ['a variable with a blank', { simulator: { ...JOB.simulator, env: { 'A B': '' } } }],
    ['a limit of nothing', { limits: { ...HELPER_LIMITS, requestTimeoutMs: 0 } }],
  ])('is refused with %s', (_what, change) => {
    expect(() => jobFile.parse(bytes({ ...JOB, ...change }))).toThrow(JobFolderError);
  });

  it('is not written when it could not be read back', () => {
    expect(() => jobFile.encode({ ...JOB, tasks: [] })).toThrow(JobFolderError);
  });

  it.each(['http://127.0.0.1:8080', 'http://localhost:1', 'http://[::1]:8080', 'https://a.example:444/x'])(
    'may name a gateway at %s',
    (text) => {
      expect(jobFile.parse(bytes({ ...JOB, ...url(text) })).gateway?.url).toBe(text);
    },
  );
});
