import { type Sql, sql } from '@tally/service-kit';
import type { MembershipsVersion } from '../../generated/prisma/client.js';

/** Version of all memberships: every copy of the gateway asks once a second. */
export const readMembershipsVersion = (): Sql<Pick<MembershipsVersion, 'version'>> => sql<
  Pick<MembershipsVersion, 'version'>
>`
  SELECT version FROM memberships_version WHERE id = 1`;
