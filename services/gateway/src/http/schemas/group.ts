import { z } from 'zod';
import { timestamp } from './job.js';
import { groupId, plainText, queryInteger } from './parameters.js';

export const groupRoleName = z.enum(['viewer', 'member', 'manager']).meta({
  description:
    '`viewer` sees jobs and projects of the group, `member` changes them, too, `manager` deletes them and decides who is in the group',
});

export const sourceName = z.enum(['local', 'sso']);

const name = plainText.min(1).max(128).meta({ description: 'One line; several groups may have the same' });

const group = z.object({
  group_id: z.string(),
  name: z.string(),
  role: groupRoleName.meta({ description: 'Yours' }),
  of_realm: z.boolean().meta({ description: 'Whether the single sign-on provider decides who is in it' }),
  member_count: z.int().min(1),
  created_at: timestamp,
});

/** A user as others may see it. */
export const person = z.object({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  source: sourceName,
});

const member = person.extend({ role: groupRoleName, joined_at: timestamp });

/** Body of POST /groups. */
export const groupCreation = z.strictObject({ name });
/** Body of PUT /groups. */
export const groupUpdate = z.strictObject({ group_id: groupId, name });
/** Query of what concerns one group. */
export const groupQuery = z.object({ group_id: groupId });

export const groupResponse = group.extend({ message: z.string() });
export const groupsResponse = z.object({ message: z.string(), groups: z.array(group) });

const userId = z.int().min(1);

/** A user by name, as bodies have it. */
export const namedUser = {
  username: plainText.min(1).max(128).meta({ description: 'The exact user name' }),
  source: sourceName
    .optional()
    .meta({ description: 'Needed only where a local user and one of single sign-on have the same name' }),
};

/** Body of POST /groups/members. */
export const memberCreation = z.strictObject({ group_id: groupId, ...namedUser, role: groupRoleName });
/** Body of PUT /groups/members. */
export const memberUpdate = z.strictObject({ group_id: groupId, user_id: userId, role: groupRoleName });
/** Query of DELETE /groups/members. */
export const memberQuery = z.object({
  group_id: groupId,
  user_id: queryInteger(1, 999_999_999_999_999).optional().meta({ description: 'You leave the group unless given' }),
});

export const memberResponse = member.extend({ message: z.string() });
export const membersResponse = z.object({ message: z.string(), members: z.array(member) });
