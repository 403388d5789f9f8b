import { fail } from '../errors.js';
import type { AccessStore } from './access-ports.js';
import { hashLinkToken } from './share.js';

/** What a link opens. @throws ServiceError SHARE_LINK_INVALID: unknown, expired, revoked, or of something that is gone, alike */
export async function getShareLink(access: Pick<AccessStore, 'findLink'>, linkToken: string) {
  const linkHash = hashLinkToken(linkToken);
  const found = linkHash === undefined ? undefined : await access.findLink(linkHash);
  if (found === undefined) throw fail('SHARE_LINK_INVALID');
  return found;
}
