import { z } from 'zod';
import { problemResponse } from '../message.js';
import { jobId, plainText } from '../parameters.js';

/** Terms of a search, as jobs reads them. */
export const jobSearch = plainText.max(500).meta({
  description:
    'Terms that all must hold: words of title, tags, note or particle, 8 characters of an id, "several words", `tag:qa`, `simulator:simA,simB`, ' +
    '`particle:proton`, `energy:100..200` (MeV; also `150`, `100..`), `date:2026-03-01..2026-03-31` (submitted, days in UTC), ' +
    '`state:completed`, `platform:direct`, `is:favourite`, `is:archived`, `is:any` (archived or not). Without the last ' +
    'two, archived jobs are left out',
  examples: ['tag:qa particle:proton energy:100..200'],
});

const revision = z.int().min(0).max(2_147_483_647);
const tag = plainText.min(1).max(64).meta({ description: 'One line without quotation marks' });
const tags = z.array(tag).max(100);

const labelsShape = {
  revision: revision.meta({ description: 'Number of changes' }),
  tags: z.array(z.string()).meta({ description: 'In the order of the alphabet' }),
  has_note: z.boolean(),
  favourite: z.boolean(),
  archived: z.boolean().meta({ description: 'It is left out of lists that do not search for archived jobs' }),
};

/** Labels of a job in a list. */
export const jobLabels = z.object(labelsShape).meta({
  id: 'JobLabels',
  description: 'What its owner has noted of a job since; absent: nothing, ever (revision 0)',
});

/** Labels of one job. */
export const notedLabels = z
  .object({ ...labelsShape, note: z.string().meta({ description: 'Of several lines; empty: none' }) })
  .meta({
    id: 'NotedJobLabels',
    description: 'What its owner has noted of a job since; absent: nothing, ever (revision 0)',
  });

/** Body of PUT /jobs/labels: unknown keys are refused, because a misspelt change that does nothing looks done. */
export const labelsUpdate = z.strictObject({
  job_id: jobId,
  revision: revision
    .optional()
    .meta({ description: 'That the change is based on; unless given it is made whatever somebody else has changed' }),
  title: plainText.min(1).max(256).optional().meta({ description: 'One line' }),
  note: z
    .string()
    .max(10_000)
    .regex(/^[^\p{Cs}]*$/u, 'must not contain halves of characters')
    .optional()
    .meta({ description: 'Of several lines; empty: none any more' }),
  add_tags: tags.default([]).meta({ description: 'A job has at most 20 tags, which are the same whatever their case' }),
  remove_tags: tags.default([]),
  favourite: z.boolean().optional(),
  archived: z.boolean().optional(),
});

export const labelsResponse = z.object({
  message: z.string(),
  job_id: z.string(),
  title: z.string(),
  labels: notedLabels,
});
export const labelsChanged = problemResponse.extend({ title: z.string(), labels: notedLabels });

const searchName = plainText.min(1).max(64).meta({ description: 'One line' });
const savedSearch = z.object({ name: searchName, search: jobSearch.min(1) });

/** Body of PUT /user/searches. */
export const savedSearchBody = savedSearch;
/** Query of DELETE /user/searches. */
export const savedSearchQuery = z.object({ name: searchName });
export const savedSearchesResponse = z.object({
  message: z.string(),
  searches: z.array(z.object({ name: z.string(), search: z.string() })).meta({ description: 'By name' }),
});
