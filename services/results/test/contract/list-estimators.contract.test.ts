import { describe, expect, it } from '@jest/globals';
import { readResults } from '../read-results.js';
import {
  asUser,
  createJob,
  finalPage,
  OWNER,
  pageHeader,
  resultsMessages,
  streamOf,
  taskOutputMessages,
  taskPage,
  useResults,
} from '../results-suite.js';

const suite = useResults();
const list = (jobId: string, userId = OWNER) => asUser(userId, () => suite.gateway.listEstimators({ jobId }));
const zone = pageHeader([], { estimatorIndex: 2, estimatorName: 'A zone', pageName: 'LET' });
const mesh = pageHeader([2, 1, 3], { pageName: 'Dose' });
const second = pageHeader([2, 1, 3], { pageNumber: 2, pageName: 'Fluence' });
const estimators = (nonFiniteCount: number | undefined) => [
  {
    name: 'Depth dose',
    pages: [
      { pageNumber: 1, name: 'Dose', sizes: [2, 1, 3], nonFiniteCount },
      { pageNumber: 2, name: 'Fluence', sizes: [2, 1, 3], nonFiniteCount },
    ],
  },
  { name: 'A zone', pages: [{ pageNumber: 1, name: 'LET', sizes: [], nonFiniteCount }] },
];

describe('ListEstimators OK', () => {
  it('names the estimators of final results with the sizes of their pages, and says what GetResults says first', async () => {
    const jobId = await createJob(suite);
    const pages = [zone, second, mesh].map((header) => {
      const zeros = Array.from({ length: header.axes.length === 0 ? 1 : 6 }, () => 0);
      return finalPage(header, zeros, zeros);
    });
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, pages)));
    const listed = await list(jobId);
    expect(listed.estimators).toEqual(estimators(0));
    expect(listed.header).toEqual((await readResults(suite, jobId)).header);
  });

  it('says of final and of partial results what they simulate, and the warnings of the submission', async () => {
    const warnings = [{ code: 'QUANTITY_OMITTED', message: '"Neutrons" of output "Depth dose" is left out' }];
    const descriptionJson = JSON.stringify({ title: 'żółć', beam: 'proton, 150 MeV' });
    const jobId = await createJob(suite, undefined, { warnings, descriptionJson });
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, 1, [taskPage(zone, () => 0)])));
    const told = async () => [(await list(jobId)).header, (await readResults(suite, jobId)).header];
    for (const header of await told()) expect(header).toMatchObject({ warnings, descriptionJson, isPartial: true });
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, [finalPage(zone, [0], [0])])));
    for (const header of await told()) expect(header).toMatchObject({ warnings, descriptionJson, isPartial: false });
  });

  it('names those of the task outputs that are there before the results are final', async () => {
    const jobId = await createJob(suite);
    const pages = [zone, second, mesh].map((header) => taskPage(header, () => 0));
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, 4, pages)));
    const listed = await list(jobId);
    expect(listed.estimators).toEqual(estimators(undefined));
    expect(listed.header).toEqual((await readResults(suite, jobId)).header);
  });
});

describe('ListEstimators NOT_FOUND', () => {
  it('has nothing before a task has delivered, and knows no other job', async () => {
    await expect(list(await createJob(suite))).rejects.toMatchObject({ reason: 'RESULTS_UNAVAILABLE' });
    await expect(list('none')).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'JOB_NOT_FOUND' });
  });
});

describe('ListEstimators PERMISSION_DENIED', () => {
  it("refuses another user's job, and callers other than the gateway", async () => {
    const jobId = await createJob(suite);
    await expect(list(jobId, 8n)).rejects.toMatchObject({ reason: 'JOB_OF_ANOTHER_USER' });
    await expect(suite.jobs.listEstimators({ jobId })).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});

describe('ListEstimators UNAUTHENTICATED', () => {
  it('needs a user', async () => {
    await expect(suite.gateway.listEstimators({ jobId: 'none' })).rejects.toMatchObject({ reason: 'USER_REQUIRED' });
  });
});
