import { auth as contract, type jobs } from '@tally/contracts';
import type { CallOptions } from '@tally/service-kit';
import type { z } from 'zod';
import type { ServiceClients } from '../../../clients/services.js';
import { onEither, resourceOf } from '../../access.js';
import { answer } from '../../answer/answer.js';
import { required, source } from '../../mappers.js';
import { findNames } from '../../names.js';
import { defineRoute } from '../../route.js';
import { shareCreation, shareResponse } from '../../schemas/share.js';
import { groupIdsOf, toShare, userIdsOf } from './share.js';

/** The page of the console that a link opens. */
const LINK_PAGE = '/console/shared';

/** POST /shares: lets somebody read a job or project. */
export const createShare = defineRoute({
  method: 'POST',
  path: '/shares',
  auth: 'session',
  summary: 'Share a job or project, to be read',
  description: `With a user by the exact name, a group of yours, or whoever has a link until \`expires_at\`. Who may read a job sees its inputs,
logs and results. To let others change it, give it to a group (PUT /shares/group).`,
  access: onEither('share'),
  body: shareCreation,
  responses: {
    201: { description: 'Shared; of a link with its token', schema: shareResponse },
    403: { description: "Another user's, or this deployment makes no links" },
    404: { description: 'No such job or project, or no user of this name' },
    429: { description: 'It is shared with too many, or too many names were asked for that nobody has' },
  },
  handle: async ({ body, call }, services) => {
    const resource = resourceOf(body);
    const expireTime = body.expires_at === undefined ? undefined : new Date(body.expires_at);
    // whose it is shows before anybody's name does
    await services.jobs.listShares({ resource }, call);
    const subject = await findSubject(services, body, call);
    const { share, linkToken } = await services.jobs.createShare({ resource, subject, expireTime }, call);
    const made = required(share, 'share');
    const names = await findNames(services, { userIds: userIdsOf([made]), groupIds: groupIdsOf([made]) }, call);
    const link = linkToken === '' ? {} : { token: linkToken, path: `${LINK_PAGE}#${linkToken}` };
    return answer({ message: 'Shared', ...toShare(made, names), ...link }, 201);
  },
});

async function findSubject(
  { auth }: Pick<ServiceClients, 'auth'>,
  body: z.output<typeof shareCreation>,
  call: CallOptions,
): Promise<jobs.CreateShareRequest['subject']> {
  const { username = '', group_id: groupId = '' } = body;
  switch (body.with) {
    case 'user': {
      const provider =
        body.source === undefined ? contract.AuthProvider.AUTH_PROVIDER_UNSPECIFIED : source.toProto(body.source);
      const { user } = await auth.getUserByName({ username, provider }, call);
      return { $case: 'userId', value: required(user, 'user').userId };
    }
    case 'group':
      return { $case: 'groupId', value: groupId };
    case 'link':
      return { $case: 'link', value: true };
  }
}
