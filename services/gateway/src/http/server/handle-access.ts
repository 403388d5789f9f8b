import { ACCESS_ACTIONS } from '@tally/contracts';
import { hasReason, ServiceError, withContext } from '@tally/service-kit';
import { fail } from '../../errors.js';
import { type Accessed, toAccessed, toResource } from '../access.js';
import type { Answer } from '../answer/answer.js';
import { inNameOf, requestContext } from '../in-name-of.js';
import type { Route, RouteRequest, RouteServices } from '../route.js';
import { GUEST_ID } from '../session/guest.js';

/** A request that may be handled twice. */
type SharedRequest = RouteRequest<'either'> & {
  /** The same, about things of others. */
  withAccessed(accessed: readonly Accessed[]): RouteRequest<'either'>;
};

const FOREIGN = ['JOB_OF_ANOTHER_USER', 'PROJECT_OF_ANOTHER_USER'] as const;
const isForeign = (err: unknown) => FOREIGN.some((reason) => hasReason(err, reason));

/** The service does not have the RPC. */
const isUnknownRpc = (err: unknown) => err instanceof ServiceError && err.status === 'UNIMPLEMENTED';

/**
 * Has a route answer that names what it does with jobs and projects. What is the acting user's own costs nothing more. Only if a service says
 * that it is another user's, jobs is asked whether the user may do this, and the route answers in the owner's name. Nothing is
 * remembered.
 */
export async function handleAccess(route: Route, request: SharedRequest, services: RouteServices): Promise<Answer> {
  const isGuest = request.session?.userId === GUEST_ID;
  let refusal: unknown = fail('PATH_NOT_FOUND');
  if (!isGuest || route.access?.of.length === 0) {
    try {
      return await route.handle(request, services);
    } catch (err) {
      if (hasReason(err, 'SHARE_LINK_INVALID')) services.shareLinks.noteFailure(request.remoteAddress);
      if (!isForeign(err)) throw err;
      refusal = err;
    }
  }
  const accessed = await findAccessed(route, request, services).catch((err: unknown) => {
    throw isUnknownRpc(err) ? refusal : err; // jobs of an earlier release shares nothing
  });
  const [first] = accessed;
  if (first === undefined) throw fail('PATH_NOT_FOUND'); // a guest names nothing
  const reader = isGuest ? {} : { readerId: request.session?.userId };
  const inOwnersName = inNameOf(first.ownerId, requestContext(), reader);
  return withContext(inOwnersName, () => route.handle(request.withAccessed(accessed), services));
}

/** Whose the things are that the request names, each with leave for the action. @throws ServiceError of GetAccess, SHARE_LINKS_THROTTLED */
async function findAccessed(route: Route, request: SharedRequest, services: RouteServices): Promise<Accessed[]> {
  const { action, of } = route.access ?? { action: 'share', of: [] };
  const linkToken = request.shareLink ?? '';
  const found: Accessed[] = [];
  for (const { kind, field } of of) {
    const id = memberOf(request.query, field) ?? memberOf(request.body, field);
    if (id === undefined) continue;
    const asked = { resource: toResource(kind, id), action: ACCESS_ACTIONS[action], linkToken };
    try {
      found.push(toAccessed(await services.jobs.getAccess(asked, request.call)));
    } catch (err) {
      if (linkToken !== '') services.shareLinks.noteFailure(request.remoteAddress);
      throw err;
    }
  }
  return found;
}

function memberOf(fields: unknown, name: string): string | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined;
  const value: unknown = Reflect.get(fields, name);
  return typeof value === 'string' ? value : undefined;
}
