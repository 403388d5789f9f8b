import { authOperator } from '@tally/contracts';
import { type CallOptions, withContext } from '@tally/service-kit';
import { fail } from '../../../errors.js';
import { type Answer, answer } from '../../answer/answer.js';
import { inNameOf, requestContext } from '../../in-name-of.js';
import type { RouteServices } from '../../route.js';

/** Who gets what another user has. */
interface Heir {
  readonly newOwnerId: bigint;
  readonly username: string;
  /** Stored bytes of both, before anything is given. */
  readonly storedBytes: number;
}

/** Looks before anything is done. @throws ServiceError REQUEST_INVALID for who is no user, cannot log in, or is deleted himself */
export async function findHeir(
  services: RouteServices,
  userId: bigint,
  newOwnerId: bigint,
  call: CallOptions,
): Promise<Heir> {
  const { users } = await services.authOperator.listUsers(
    {
      search: '',
      userIds: [newOwnerId],
      pageSize: 1,
      pageIndex: 1,
      state: authOperator.UserState.USER_STATE_ACTIVE,
    },
    call,
  );
  const username = users[0]?.user?.username;
  if (username === undefined || newOwnerId === userId) {
    const message = 'must be another user, who may log in';
    throw fail('REQUEST_INVALID', {
      message: `The request is not valid: new_owner_id ${message}`,
      fields: [{ field: 'new_owner_id', message }],
    });
  }
  const [his, theirs] = await Promise.all([userId, newOwnerId].map((id) => readStoredBytes(services, id, call)));
  return { newOwnerId, username, storedBytes: (his ?? 0) + (theirs ?? 0) };
}

async function readStoredBytes({ results }: RouteServices, userId: bigint, call: CallOptions): Promise<number> {
  const context = inNameOf(userId, requestContext());
  const { storedBytes } = await withContext(context, () => results.getStoredBytes({}, call));
  return Number(storedBytes);
}

/** Has jobs give all, and says above which quotas the new owner is then. */
export async function handOver(
  { jobsOperator }: RouteServices,
  { userId, newOwnerId, username, storedBytes, ended }: Heir & { readonly userId: bigint; readonly ended: number },
  call: CallOptions,
): Promise<Answer> {
  const given = await jobsOperator.updateOwner({ ownerId: userId, newOwnerId }, call);
  const { jobCount, projectCount, excesses, storedBytesMax } = given;
  const ofStorage =
    storedBytesMax !== undefined && storedBytes > Number(storedBytesMax)
      ? [{ name: 'stored_bytes_per_user_max', limit: Number(storedBytesMax), used: storedBytes }]
      : [];
  return answer({
    message: `User deleted; what he had is given to ${username} within minutes`,
    ended,
    jobs: jobCount,
    projects: projectCount,
    new_owner: { user_id: Number(newOwnerId), username, exceeded_quotas: [...excesses, ...ofStorage] },
  });
}
