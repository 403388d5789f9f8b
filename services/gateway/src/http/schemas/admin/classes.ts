import { z } from 'zod';
import { timestamp } from '../job.js';
import { plainText } from '../parameters.js';
import { reason, userId } from './jobs.js';
import { quotaBounds, shownQuota } from './quotas.js';

const classId = plainText.min(1).max(64).meta({ description: 'Id of a class' });
const whatBecomes = z.enum(['block', 'delete']);

/** Body of POST /admin/classes. */
export const classRequest = z.object({
  name: plainText.min(1).max(100).meta({ description: 'Of the class and of its group' }),
  usernames: z
    .array(plainText.min(1).max(128))
    .min(1)
    .max(200)
    .meta({ description: 'User names of the students; none may be taken' }),
  ends_at: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .meta({ type: 'string', format: 'date-time', description: 'When it ends, within 366 days' }),
  at_end: whatBecomes.meta({ description: 'What becomes of the accounts then; `delete`: with all that is theirs' }),
  quota: z.object(quotaBounds).optional().meta({ description: 'Of each student; unless given as the settings say' }),
  templates: z
    .array(plainText.min(1).max(128))
    .max(100)
    .default([])
    .meta({ description: 'Ids of kept projects of yours that the students may read and begin with' }),
  reason,
});

/** Body of PUT /admin/classes/quota. */
export const classQuotaAction = z.object({ class_id: classId, ...quotaBounds, reason });

/** Body of POST /admin/classes/invitations. */
export const invitationAction = z.object({
  class_id: classId,
  user_id: userId.optional().meta({ description: 'Of this student; absent: of all who have not joined' }),
  reason,
});

/** Body of POST /admin/classes/end. */
export const classEndAction = z.object({
  class_id: classId,
  accounts: whatBecomes.meta({ description: 'What becomes of them; `delete`: with all that is theirs' }),
  reason,
});

/** Query of GET /admin/classes/export. */
export const classExportQuery = z.object({
  class_id: classId,
  format: z.enum(['hdf5', 'npz', 'csv']).default('hdf5').meta({ description: 'Of the results; hdf5 unless given' }),
});

/** The archive as the document describes it: bytes, of which no schema says what they are (OpenAPI 3.1). */
export const classArchive = z.unknown().meta({ description: 'A zip with a folder for each student' });

const listed = {
  class_id: z.string(),
  name: z.string(),
  teacher: z.string().meta({ description: 'Who made it; empty: the account is not there any more' }),
  group_id: z.string().meta({ description: 'The group of the students, which the teacher manages' }),
  created_at: timestamp,
  ends_at: timestamp,
  at_end: whatBecomes,
  ended: z.boolean(),
};

const invitations = z.array(
  z.object({
    user_id: userId,
    username: z.string(),
    link: z.string().meta({
      description:
        'Where the student sets a password, once; a path where AUTH_PUBLIC_URL is not set. It is shown this once',
    }),
    expires_at: timestamp,
  }),
);

export const classMadeResponse = z.object({ message: z.string(), class: z.object(listed), invitations });
export const invitationsResponse = z.object({ message: z.string(), invitations });

export const classesResponse = z.object({
  message: z.string(),
  classes: z.array(
    z.object({
      ...listed,
      templates: z
        .array(z.object({ project_id: z.string(), title: z.string(), share_id: z.string() }))
        .meta({ description: 'Projects that the students may read; DELETE /shares takes one back' }),
      students: z.array(
        z.object({
          user_id: userId,
          username: z.string(),
          state: z.enum(['active', 'blocked', 'deleted']),
          last_login_at: timestamp.nullable().meta({ description: 'null: the student has not joined yet' }),
          jobs: z.int().min(0),
          projects: z.int().min(0),
          quota: z.object(shownQuota),
        }),
      ),
    }),
  ),
});

export const classEndedResponse = z.object({
  message: z.string(),
  class: z.object(listed),
  ended: z.int().min(0).meta({ description: 'Sessions and API tokens' }),
});
