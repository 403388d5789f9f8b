import { queryOptions } from '@tanstack/react-query';
import { call, type Output, toProblem } from '../api/client.js';

/** A job or project, as routes about either name it. */
export type ResourceId = { readonly job_id: string } | { readonly project_id: string };

export type Group = Output<'GET', '/groups'>['groups'][number];
export type Share = Output<'GET', '/shares'>['shares'][number];
export type Access = Output<'GET', '/shares/access'>;

/** Access of others is looked at again so often: what is taken back goes from the page in seconds. */
const RECHECK_MS = 3_000;

/** What the user may do with it, and whose it is. */
export const accessQuery = (of: ResourceId) =>
  queryOptions({
    queryKey: ['access', of],
    queryFn: () => call('GET', '/shares/access', { query: of }),
    refetchInterval: ({ state }) => (state.data?.is_owner === false ? RECHECK_MS : false),
  });

/** The user has no access, or has it no more. */
export const isShut = (error: unknown): boolean => error !== null && [403, 404].includes(toProblem(error).status);

export const sharesQuery = (of: ResourceId) =>
  queryOptions({ queryKey: ['shares', of], queryFn: () => call('GET', '/shares', { query: of }) });

export const groupsQuery = queryOptions({ queryKey: ['groups'], queryFn: () => call('GET', '/groups') });

export const membersQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['groups', groupId],
    queryFn: () => call('GET', '/groups/members', { query: { group_id: groupId } }),
  });
