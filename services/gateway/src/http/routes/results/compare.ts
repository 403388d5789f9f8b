import { onJob } from '../../access.js';
import { openChunkStream } from '../../answer/chunk-stream.js';
import { openObject } from '../../answer/json-text.js';
import { tagOf } from '../../answer/respond.js';
import { defineRoute } from '../../route.js';
import { comparisonQuery, comparisonResponse } from '../../schemas/comparison.js';
import { selectPages } from './selection.js';

/** GET /results/compare: how the results of two jobs differ. */
export const compareResults = defineRoute({
  method: 'GET',
  path: '/results/compare',
  auth: 'session',
  access: { action: 'read', of: [...onJob('read').of, { kind: 'job', field: 'with' }] },
  summary: 'Compare the results of two jobs',
  description: `Pages belong together by estimator and name, and are compared where unit and axes are the same. Differences are the job \`with\` less \`job_id\`; errors are
those of independent jobs. Curves have differences of their readings; pages over one to three axes in space a gamma pass rate, \`job_id\`
being the reference.`,
  requestClass: 'stream',
  query: comparisonQuery,
  responses: {
    200: {
      description: 'The selected pages of the first job; one that cannot be compared says why in `not_compared`',
      schema: comparisonResponse,
      headers: { ETag: 'Strong validator of this comparison in this encoding' },
    },
    304: { description: 'The client has this version (If-None-Match)' },
    403: { description: "One is another user's job" },
    404: { description: 'One of the jobs does not exist or has no results yet, or no such estimator' },
    409: { description: 'Results were replaced while they were read' },
  },
  handle: async ({ query, accessed, call }, services) => {
    const withOwnerId = accessed[1]?.ownerId;
    const request = {
      jobId: query.job_id,
      withJobId: query.with,
      estimatorName: query.estimator_name ?? '',
      pages: [...selectPages(query.page_numbers, query.page_number)],
      gamma: {
        dosePercent: query.gamma_dose_percent,
        distanceMm: query.gamma_distance_mm,
        cutoffPercent: query.gamma_cutoff_percent,
      },
      wantsGammaMap: query.gamma_map === 'true',
    };
    const { header, chunks } = await openChunkStream(
      services.results.compareResults({ ...request, withOwnerId }, call),
      'a comparison',
    );
    return {
      kind: 'stream',
      status: 200,
      tag: tagOf(header.version, JSON.stringify(request)),
      text: comparisonText({ job_id: query.job_id, with: query.with }, chunks),
    };
  },
});

async function* comparisonText(jobs: object, estimators: AsyncIterable<Uint8Array>) {
  yield `${openObject({ message: 'Comparison', ...jobs })}"estimators":`;
  yield* estimators;
  yield '}';
}
