import { z } from 'zod';
import { namedUser, person } from './group.js';
import { timestamp } from './job.js';
import { groupId, jobId, plainText } from './parameters.js';

const projectId = plainText.min(1).max(128);
const ids = { job_id: jobId.optional(), project_id: projectId.optional() };

const hasOne = ({ job_id, project_id }: { readonly job_id?: unknown; readonly project_id?: unknown }) =>
  (job_id === undefined) !== (project_id === undefined);
const ONE = { path: ['job_id'], message: 'is required, or project_id; not both' };

const expiresAt = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 instant, such as 2027-01-31T00:00:00Z' });

/** Query of what concerns a job or a project. */
export const resourceQuery = z.object(ids).refine(hasOne, ONE);

/** Body of POST /shares. */
export const shareCreation = z
  .strictObject({
    ...ids,
    with: z
      .enum(['user', 'group', 'link'])
      .meta({ description: 'Who may read it: a user, a group of yours, or whoever has the link' }),
    username: namedUser.username.optional(),
    source: namedUser.source,
    group_id: groupId.optional(),
    expires_at: expiresAt.optional().meta({
      description: 'In the future; a link needs it, and ends within 90 days unless the deployment says otherwise',
    }),
  })
  .refine(hasOne, ONE)
  .superRefine((body, ctx) => {
    const needed = ({ user: 'username', group: 'group_id', link: 'expires_at' } as const)[body.with];
    if (body[needed] === undefined) ctx.addIssue({ code: 'custom', path: [needed], message: 'is required' });
  });

/** Body of PUT /shares/group. */
export const groupGift = z
  .strictObject({
    ...ids,
    group_id: groupId.nullable().meta({ description: 'A group that you are in; null: none any more' }),
  })
  .refine(hasOne, ONE);

/** Query of DELETE /shares. */
export const shareQuery = z.object({ share_id: plainText.min(1).max(64) });

const namedGroup = z.object({ group_id: z.string(), name: z.string() });

const share = z.object({
  share_id: z.string(),
  with: z.enum(['user', 'group', 'link']),
  user: person.optional(),
  group: namedGroup.optional(),
  created_at: timestamp,
  expires_at: timestamp.nullable().meta({ description: 'null: never' }),
});

export const shareResponse = share.extend({
  message: z.string(),
  token: z.string().optional().meta({ description: 'Of a link, shown this once; only its hash is kept' }),
  path: z
    .string()
    .optional()
    .meta({ description: 'Of the page that the link opens, with the token where no server sees it' }),
});

export const sharesResponse = z.object({
  message: z.string(),
  group: namedGroup.nullable().meta({ description: 'The group that it belongs to' }),
  shares: z.array(share),
});

const actions = z
  .array(z.enum(['read', 'change', 'delete', 'share']))
  .meta({ description: '`change`: cancel, stop, extend, save; `share`: decide who else has access' });

/** Answer of GET /shares/access. */
export const accessResponse = z.object({
  message: z.string(),
  is_owner: z.boolean(),
  owner: person.nullable().meta({ description: 'Whose it is; null for who is not signed in' }),
  group: namedGroup.nullable().meta({ description: 'The group that it belongs to, where you are in it' }),
  actions,
});

/** Answer of GET /shares/link. */
export const linkResponse = z.object({
  message: z.string(),
  kind: z.enum(['job', 'project']),
  job_id: z.string().optional(),
  project_id: z.string().optional(),
  title: z.string(),
  expires_at: timestamp,
});

/** Members of things that are not the acting user's alone. */
export const belongingShape = {
  owner: person.optional().meta({ description: 'Whose it is; absent of your own' }),
  group: namedGroup.optional().meta({ description: 'The group that it belongs to, where you are in it' }),
  actions: actions.optional(),
};

/** Which things a list shows. */
export const viewQuery = {
  view: z.enum(['own', 'group', 'shared']).default('own').meta({
    description: '`own`: yours; `group`: of your groups; `shared`: of others, shared with you or your groups',
  }),
  group_id: groupId.optional().meta({ description: 'With `view=group`: only this one of your groups' }),
};
