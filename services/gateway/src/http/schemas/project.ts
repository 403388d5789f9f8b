import { PROJECT_BYTES_MAX, THUMBNAIL_BYTES_MAX, THUMBNAIL_LENGTH_MAX } from '@tally/contracts';
import { z } from 'zod';
import { submissionHeaders, timestamp } from './job.js';
import { problemResponse } from './message.js';
import { groupId, plainText, queryInteger } from './parameters.js';
import { belongingShape, viewQuery } from './share.js';

const projectId = plainText.min(1).max(128).meta({ description: 'Project id, as POST /projects returned it' });
const revision = z.int().min(1).max(2_147_483_647);

const title = plainText.max(256).meta({ description: 'One line' });
const note = plainText
  .max(256)
  .meta({ description: 'What this revision is, one line; a revision with a note is kept' });

/** Whether bytes begin as a picture does (W3C PNG 5.2; RFC 9649, 2.3), by the name of its type. */
const PICTURES: ReadonlyMap<string, (head: string) => boolean> = new Map([
  ['png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['webp', (head) => head.startsWith('RIFF') && head.slice(8) === 'WEBP'],
]);

function isPicture(url: string): boolean {
  const [, type = '', base64 = ''] = /^data:image\/(png|webp);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  return (
    bytes.byteLength <= THUMBNAIL_BYTES_MAX && PICTURES.get(type)?.(bytes.subarray(0, 12).toString('latin1')) === true
  );
}

const THUMBNAIL_MESSAGE = `must be a data URL of PNG or WebP in base64, of at most ${THUMBNAIL_BYTES_MAX} bytes`;
const THUMBNAIL_WORDS = `data:image/png;base64,… or data:image/webp;base64,… of at most ${THUMBNAIL_BYTES_MAX} bytes`;

const thumbnail = z
  .string()
  .max(THUMBNAIL_LENGTH_MAX)
  .refine(isPicture, THUMBNAIL_MESSAGE)
  .meta({ description: THUMBNAIL_WORDS });
const thumbnailOrNone = z
  .string()
  .max(THUMBNAIL_LENGTH_MAX)
  .refine((url) => url === '' || isPicture(url), THUMBNAIL_MESSAGE)
  .meta({ description: `${THUMBNAIL_WORDS}; empty: none any more` });

const project = z.record(z.string(), z.unknown());
const PROJECT_WORDS = `Project of the editor, kept as it was written, whether or not it can run; at most ${PROJECT_BYTES_MAX} bytes of JSON`;

/** Members of a body with a project that are passed on as they were sent. */
export const PROJECT_MEMBERS = ['project'] as const;

/** Headers of POST /projects. */
export const projectHeaders = submissionHeaders;

/** Body of POST /projects. */
export const projectCreation = z.object({
  title: title.optional().meta({ description: "One line; else the project's own, else Untitled" }),
  project: project.meta({ description: PROJECT_WORDS }),
  thumbnail: thumbnail.optional(),
  note: note.optional(),
  group_id: groupId.optional().meta({ description: 'A group of yours that the project belongs to, too' }),
});

/** Body of PUT /projects. */
export const projectUpdate = z.object({
  project_id: projectId,
  revision: revision.meta({ description: 'That the change is based on' }),
  title: title.min(1).optional(),
  project: project.optional().meta({ description: `${PROJECT_WORDS}; the text of that revision unless given` }),
  thumbnail: thumbnailOrNone.optional(),
  note: note.optional(),
});

export const projectCreated = z.object({ message: z.string(), project_id: z.string(), revision: z.literal(1) });

export const projectSaved = z.object({
  message: z.string(),
  project_id: z.string(),
  revision: revision.meta({ description: 'That has what was sent; the same as before where nothing has changed' }),
  saved_at: timestamp,
});

export const projectChanged = problemResponse.extend({
  revision: revision.meta({ description: 'The current one, which somebody has saved meanwhile' }),
  saved_at: timestamp,
});

/** Query of GET /projects. */
export const projectsQuery = z.object({
  page_size: queryInteger(1, 100).default(6).meta({ description: 'Projects per page' }),
  page_idx: queryInteger(1, 1_000_000_000).default(1).meta({ description: 'Page, from 1' }),
  order_by: z.enum(['updated_at', 'created_at', 'title']).default('updated_at'),
  order_type: z.enum(['ascend', 'descend']).default('descend'),
  search: plainText.max(256).default('').meta({ description: 'What the title contains, in upper or lower case' }),
  ...viewQuery,
});

const sizeBytes = z.int().min(0).meta({ description: 'Length of the JSON text' });

const projectShape = {
  project_id: z.string(),
  title: z.string(),
  revision,
  created_at: timestamp,
  updated_at: timestamp,
  size_bytes: sizeBytes,
};

export const projectsResponse = z.object({
  message: z.string(),
  page_count: z.int().min(0),
  projects_count: z.int().min(0),
  projects: z.array(
    z.object({
      ...projectShape,
      thumbnail: z.string().optional().meta({ description: 'A data URL' }),
      ...belongingShape,
    }),
  ),
});

/** Query of GET /projects/project. */
export const projectQuery = z.object({
  project_id: projectId,
  revision: queryInteger(1, 2_147_483_647).optional().meta({ description: 'The current one unless given' }),
});

export const projectResponse = z.object({
  message: z.string(),
  ...projectShape,
  revision: revision.meta({ description: 'Of this text' }),
  current_revision: revision,
  saved_at: timestamp.meta({ description: 'When this revision was saved' }),
  note: z.string().optional(),
  ...belongingShape,
  project: project.meta({ description: 'As it was saved' }),
});

/** Query of what concerns one project. */
export const ownProjectQuery = z.object({ project_id: projectId });

export const revisionsResponse = z.object({
  message: z.string(),
  revisions: z.array(
    z.object({
      revision: revision.meta({ description: 'There are gaps where saves were folded' }),
      saved_at: timestamp,
      title: z.string(),
      note: z.string().optional(),
      size_bytes: sizeBytes,
      job_ids: z.array(z.string()).meta({ description: 'Jobs that ran it, the newest first, at most 20' }),
      job_count: z.int().min(0).meta({ description: 'All jobs that ran it' }),
    }),
  ),
});
