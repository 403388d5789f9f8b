import { onJob } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { required, toProvenance } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { jobQuery } from '../../schemas/parameters.js';
import { estimatorsResponse } from '../../schemas/result.js';

/** GET /estimators: names and sizes of the results. */
export const listEstimators = defineRoute({
  method: 'GET',
  path: '/estimators',
  auth: 'session',
  access: onJob('read'),
  summary: 'Estimators and pages of a job, without numbers',
  query: jobQuery,
  responses: {
    200: { description: "In the project's order", schema: estimatorsResponse },
    403: { description: "Another user's job" },
    404: { description: 'No such job, or no results yet' },
  },
  handle: async ({ query, call }, { results }) => {
    const { header: given, estimators } = await results.listEstimators({ jobId: query.job_id }, call);
    return answer({
      message: 'Estimators',
      ...toProvenance(required(given, 'header')),
      estimators: estimators.map(({ name, pages }) => ({
        name,
        pages: pages.map(({ pageNumber, name: pageName, sizes, nonFiniteCount = 0 }) => ({
          page_number: pageNumber,
          name: pageName,
          dimensions: sizes,
          ...(nonFiniteCount === 0 ? {} : { non_finite_count: nonFiniteCount }),
        })),
      })),
    });
  },
});
