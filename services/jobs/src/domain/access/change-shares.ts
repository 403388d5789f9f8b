import { type Clock, newId } from '@tally/service-kit';
import { fail, invalidField } from '../errors.js';
import type { UserId } from '../job.js';
import { requireOwn } from '../owned.js';
import type { Owned } from '../ports.js';
import { requireOwnProject } from '../project/owned-project.js';
import type { AccessStore } from './access-ports.js';
import {
  hashLinkToken,
  newLinkToken,
  type Resource,
  SHARES_MAX,
  type Share,
  type ShareId,
  type Subject,
} from './share.js';

/** What changes of shares need. */
export interface SharePorts {
  readonly access: AccessStore;
  readonly clock: Clock;
  /** Longest life of a link, days; 0: none can be made. */
  readonly shareLinkDaysMax: number;
}

/** With whom something is to be shared; a link gets a token. */
export type WantedSubject = Exclude<Subject, { readonly kind: 'link' }> | { readonly kind: 'link' };

export interface WantedShare {
  readonly ownerId: UserId;
  readonly resource: Resource;
  readonly subject: WantedSubject | undefined;
  /** Undefined: never. */
  readonly expiresAt: Date | undefined;
  /** Of the owner. */
  readonly groups: ReadonlyMap<string, string>;
}

const DAY_MS = 24 * 60 * 60_000;

/** Own things of either kind. @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, PROJECT_NOT_FOUND, PROJECT_OF_ANOTHER_USER */
export function requireOwnResource<T>({ kind }: Resource, owned: Owned<T>): T {
  return kind === 'job' ? requireOwn(owned) : requireOwnProject(owned);
}

/**
 * Shares something of the acting user, to be read. The token of a link is in the answer, and nowhere else.
 * @throws ServiceError REQUEST_INVALID, SHARES_EXCEEDED, SHARE_LINKS_DISABLED, and as {@link requireOwnResource}
 */
export async function createShare(
  ports: SharePorts,
  { ownerId, resource, subject: wanted, expiresAt, groups }: WantedShare,
): Promise<{ readonly share: Share; readonly linkToken: string }> {
  if (wanted === undefined) throw invalidField('/with', 'is required');
  if (wanted.kind === 'user' && wanted.userId === ownerId)
    throw invalidField('/username', 'is you: it is yours already');
  if (wanted.kind === 'group') checkGroup(groups, wanted.groupId);
  checkExpiry(ports, wanted, expiresAt);
  const linkToken = wanted.kind === 'link' ? newLinkToken() : '';
  const subject = wanted.kind === 'link' ? { kind: wanted.kind, linkHash: hashLinkToken(linkToken) ?? '' } : wanted;
  const share = { shareId: newId() as ShareId, ownerId, resource, subject, expiresAt: expiresAt ?? null };
  const kept = requireOwnResource(resource, await ports.access.createShare(share, SHARES_MAX));
  if (kept === 'full') throw fail('SHARES_EXCEEDED');
  return { share: kept, linkToken };
}

/** @throws ServiceError REQUEST_INVALID */
export function checkGroup(groups: ReadonlyMap<string, string>, groupId: string): void {
  if (!groups.has(groupId)) throw invalidField('/group_id', 'must be a group that you are in');
}

/** @throws ServiceError REQUEST_INVALID, SHARE_LINKS_DISABLED */
function checkExpiry({ clock, shareLinkDaysMax }: SharePorts, { kind }: WantedSubject, expiresAt: Date | undefined) {
  const now = clock.now();
  if (kind === 'link' && shareLinkDaysMax === 0) throw fail('SHARE_LINKS_DISABLED');
  if (expiresAt === undefined && kind !== 'link') return;
  const latest = new Date(now.getTime() + shareLinkDaysMax * DAY_MS);
  if (kind === 'link' && (expiresAt === undefined || expiresAt > latest)) {
    throw invalidField('/expires_at', `is required for a link, and must not be after ${latest.toISOString()}`);
  }
  if (expiresAt !== undefined && expiresAt <= now) throw invalidField('/expires_at', 'must be in the future');
}

/** Ends a share of something of the acting user. @throws ServiceError SHARE_NOT_FOUND */
export async function deleteShare({ access }: SharePorts, ownerId: UserId, shareId: ShareId): Promise<void> {
  if (!(await access.deleteShare(ownerId, shareId))) throw fail('SHARE_NOT_FOUND');
}

/**
 * Gives something of the acting user to a group, or takes it back.
 * @param groupId - null: to none
 * @throws ServiceError REQUEST_INVALID, and as {@link requireOwnResource}
 */
export async function updateResourceGroup(
  { access }: SharePorts,
  ownerId: UserId,
  resource: Resource,
  groupId: string | null,
  groups: ReadonlyMap<string, string>,
): Promise<void> {
  if (groupId !== null && !groups.has(groupId)) {
    requireOwnResource(resource, await access.listShares(ownerId, resource)); // whose it is comes first
    checkGroup(groups, groupId);
  }
  requireOwnResource(resource, await access.setGroup(ownerId, resource, groupId));
}
