import { describe, expect, it } from '@jest/globals';
import { createJob, finalPage, OWNER, pageHeader, resultsMessages, streamOf, useResults } from '../../results-suite.js';

const suite = useResults();
const draw = (...jobs: { jobId: string; label: string }[]) => suite.jobs.drawCurves({ ownerId: OWNER, jobs });
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const curve = pageHeader([1, 1, 4], { pageName: 'Dose' });
const plane = pageHeader([2, 2, 1], { pageName: 'Dose' });

/** A job with these pages. */
async function jobWith(...headers: (typeof curve)[]): Promise<string> {
  const jobId = await createJob(suite);
  const pages = headers.map((header) => finalPage(header, numbers(4), numbers(4)));
  await suite.gateway.putResults(streamOf(resultsMessages(jobId, pages)));
  return jobId;
}

describe('DrawCurves OK', () => {
  it('draws the first page that is a curve as PNG, and says what it shows', async () => {
    const jobId = await jobWith(plane, { ...curve, pageNumber: 2 });
    const { picture, words } = await draw({ jobId, label: 'one' });
    expect([...picture.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(words).toMatch(/^Dose .* over .*; the bands are standard errors\.$/);
  });

  it('draws several, and leaves out jobs without results, without a curve, and of other users', async () => {
    const [one, two] = [await jobWith(curve), await jobWith(curve)];
    const none = await createJob(suite);
    const { words } = await draw(...[none, one, await jobWith(plane), two].map((jobId) => ({ jobId, label: jobId })));
    expect(words).toContain(', 2 jobs');
    expect((await draw({ jobId: none, label: '' })).picture).toHaveLength(0);
    const jobs = [{ jobId: one, label: '' }];
    expect((await suite.jobs.drawCurves({ ownerId: OWNER + 1n, jobs })).picture).toHaveLength(0);
  });
});

describe('DrawCurves INVALID_ARGUMENT', () => {
  it('refuses no job, and more than eight', async () => {
    for (const count of [0, 9]) {
      const jobs = numbers(count).map((number) => ({ jobId: `20260102-030405-0000000${number}`, label: '' }));
      await expect(draw(...jobs)).rejects.toMatchObject({ status: 'INVALID_ARGUMENT' });
    }
  });
});
