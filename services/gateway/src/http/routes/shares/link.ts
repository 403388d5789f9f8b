import { jobs } from '@tally/contracts';
import { answerInvalid } from '../../../errors.js';
import { answer } from '../../answer/answer.js';
import { required, toTimestamp } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { linkResponse } from '../../schemas/share.js';

/** GET /shares/link: what a share link opens. */
export const getShareLink = defineRoute({
  method: 'GET',
  path: '/shares/link',
  auth: 'session',
  summary: 'What a share link opens',
  description: `The token of the link is sent as header \`X-Share-Link\`, here and with every request that reads what the link opens. Without an
account this works only where the deployment allows it (\`GATEWAY_SHARE_LINKS_WITHOUT_ACCOUNT\`).`,
  access: { action: 'read', of: [] },
  responses: {
    200: { description: 'A job or a project', schema: linkResponse },
    404: { description: 'The link is unknown, has ended, or what it opened is gone; which, is not said' },
    429: { description: 'Too many links that open nothing' },
  },
  handle: async ({ shareLink: linkToken = '', call }, services) => {
    const { resource, title, expireTime } = await services.jobs.getShareLink({ linkToken }, call);
    const { kind, id } = required(resource, 'resource');
    return answer({
      message: 'Shared by a link',
      ...toKind(kind, id),
      title,
      expires_at: toTimestamp(expireTime, 'expire_time'),
    });
  },
});

function toKind(kind: jobs.ResourceKind, id: string) {
  switch (kind) {
    case jobs.ResourceKind.RESOURCE_KIND_JOB:
      return { kind: 'job' as const, job_id: id };
    case jobs.ResourceKind.RESOURCE_KIND_PROJECT:
      return { kind: 'project' as const, project_id: id };
    default:
      throw answerInvalid(`unknown kind ${kind} of what is shared`);
  }
}
