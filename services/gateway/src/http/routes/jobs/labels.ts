import { currentContext } from '@tally/service-kit';
import { fail } from '../../../errors.js';
import { onJob } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { toProblem } from '../../answer/problem.js';
import { required, toNotedLabels } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { labelsChanged, labelsResponse, labelsUpdate } from '../../schemas/jobs/labels.js';

/** PUT /jobs/labels: title, tags, note, favourite and archive of a job. */
export const updateJobLabels = defineRoute({
  method: 'PUT',
  path: '/jobs/labels',
  auth: 'session',
  access: onJob('change'),
  summary: 'Change the title, tags or note of a job, or make it a favourite or archived',
  description: `In any state of the job; what is not given stays as it is. With \`revision\` the change is made only if nobody has made
another one since: else 409 with the labels as they are, and nothing is stored. A repeat gets the first answer.`,
  body: labelsUpdate,
  responses: {
    200: { description: 'Stored, or there already', schema: labelsResponse },
    403: { description: "Another user's job" },
    404: { description: 'No such job' },
    409: { description: '`LABELS_CHANGED`: somebody has changed the labels meanwhile', schema: labelsChanged },
  },
  handle: async ({ body, call }, services) => {
    const { job_id: jobId, revision: baseRevision, title, note, favourite, archived } = body;
    const tags = { addedTags: body.add_tags, removedTags: body.remove_tags };
    const change = { jobId, baseRevision, title, note, ...tags, isFavourite: favourite, isArchived: archived };
    const updated = await services.jobs.updateJobLabels(change, call);
    const now = { title: updated.title, labels: toNotedLabels(required(updated.labels, 'labels')) };
    if (!updated.isConflict) return answer({ message: 'Labels stored', job_id: jobId, ...now });
    const { status, body: problem } = toProblem(fail('LABELS_CHANGED'), currentContext()?.requestId ?? '');
    return answer({ ...problem, ...now }, status);
  },
});
