import { describe, expect, it } from '@jest/globals';
import { jobFolderPath } from './job-folder-path.js';
import { type JobId, readJobId } from './job-id.js';

const cluster = { scratchFolder: '/scratch/{user}/tally' };
const jobId = readJobId('20261121-150405-0191c2a4-7f3e-7c1d-9a55-1f2e3d4c5b6a');

describe('jobFolderPath', () => {
  it('is the folder of the job in the scratch folder of the user', () => {
    expect(jobFolderPath(cluster, 'jane.doe@site', jobId)).toBe(`/scratch/jane.doe@site/tally/${jobId}`);
    expect(jobFolderPath({ scratchFolder: '/tmp' }, 'jane', jobId)).toBe(`/tmp/${jobId}`);
  });

  it.each([
    '',
    '.',
    '..',
    '../root',
    '/',
    'a/b',
    '-rf',
    '$&',
    '$(id)',
    'a b',
    'a\nb',
    'ä',
    '~root',
    '*',
    'a\0',
    'a'.repeat(65),
  ])('refuses the login name %j', (name) => {
    expect(() => jobFolderPath(cluster, name, jobId)).toThrow(
      expect.objectContaining({ reason: 'CREDENTIAL_UNUSABLE' }),
    );
  });

  it.each([
    '',
    '.',
    '..',
    '../..',
    '/',
    '*',
    ' ',
    `${jobId}/..`,
    `${jobId}/tasks`,
    `${jobId}\n`,
    jobId.toUpperCase(),
    '-rf',
  ])('refuses the job id %j', (id) => {
    expect(() => jobFolderPath(cluster, 'jane', id as JobId)).toThrow(RangeError);
  });

  it.each([
    '',
    '/',
    'scratch',
    '/scratch/../etc',
    '/scratch//x',
    '/scratch/',
    '/scratch/{other}',
    '/a b',
    '/-x',
    '/.ssh',
    '/x\n',
  ])('refuses the scratch folder %j, whatever let it through', (scratchFolder) => {
    expect(() => jobFolderPath({ scratchFolder }, 'jane', jobId)).toThrow(RangeError);
  });
});
