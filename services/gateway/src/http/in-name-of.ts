import { currentContext, type RequestContext } from '@tally/service-kit';

/** The context of the request that is being answered. */
export function requestContext(): RequestContext {
  const context = currentContext();
  if (context === undefined) throw new Error('a request has a context');
  return context;
}

/**
 * The same for calls in another user's name: services let them do what he may, and nothing that groups or a role allow.
 * @param reader - who reads, for logs; absent: nobody whose number is known
 */
export function inNameOf(
  userId: bigint,
  context: RequestContext,
  reader: Pick<RequestContext, 'readerId'> = {},
): RequestContext {
  const { userGroups: _groups, actingRole: _role, ...rest } = context;
  return { ...rest, userId, ...reader };
}
