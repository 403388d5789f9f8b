import { ACCESS_ACTIONS, type jobs, nameOf, RESOURCE_KINDS, SHARED_VIEWS } from '@tally/contracts';
import { actingGroups, actingUser, currentContext, type Routes } from '@tally/service-kit';
import type { Actor } from '../domain/access/access.js';
import type { Listed, SharedScope } from '../domain/access/access-ports.js';
import {
  createShare,
  deleteShare,
  requireOwnResource,
  type SharePorts,
  updateResourceGroup,
} from '../domain/access/change-shares.js';
import { getAccess } from '../domain/access/get-access.js';
import { getShareLink } from '../domain/access/get-share-link.js';
import { listSharedJobs, listSharedProjects } from '../domain/access/list-shared.js';
import { hashLinkToken, type Resource, type Share, type ShareId, type Subject } from '../domain/access/share.js';
import { invalidField } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import { readListQuery, toProtoJob } from './mappers.js';
import { readProjectOrder, toProtoProject } from './project-rpcs.js';

const USERS = ['gateway'];

type Service = typeof jobs.JobsServiceService;

/** RPCs about who has access to what. */
export const accessRpcs = (ports: SharePorts) =>
  ({ ...readRpcs(ports), ...shareRpcs(ports), ...listRpcs(ports) }) satisfies Partial<Routes<Service>>;

const readRpcs = (ports: SharePorts) =>
  ({
    getAccess: {
      callers: USERS,
      handle: async ({ resource, action, linkToken }) => {
        const wanted = nameOf(ACCESS_ACTIONS, action);
        const found = await getAccess(ports.access, readResource(resource), actorOf(linkToken), wanted);
        const actions = found.actions.map((name) => ACCESS_ACTIONS[name]);
        return { ownerId: found.ownerId, actions, groupId: found.groupId ?? '' };
      },
      isQuiet: true,
    },
    getShareLink: {
      callers: USERS,
      handle: async ({ linkToken }) => {
        const { resource, title, expiresAt } = await getShareLink(ports.access, linkToken);
        return { resource: { kind: RESOURCE_KINDS[resource.kind], id: resource.id }, title, expireTime: expiresAt };
      },
    },
  }) satisfies Partial<Routes<Service>>;

const shareRpcs = (ports: SharePorts) =>
  ({
    listShares: {
      callers: USERS,
      handle: async (request) => {
        const resource = readResource(request.resource);
        const owned = await ports.access.listShares(actingUser(), resource);
        const { shares, groupId } = requireOwnResource(resource, owned);
        return { shares: shares.map(toProtoShare), groupId: groupId ?? '' };
      },
    },
    createShare: {
      callers: USERS,
      handle: async ({ resource, subject, expireTime }) => {
        const { share, linkToken } = await createShare(ports, {
          ownerId: actingUser(),
          resource: readResource(resource),
          subject: readWanted(subject),
          expiresAt: expireTime,
          groups: actingGroups(),
        });
        return { share: toProtoShare(share), linkToken };
      },
    },
    deleteShare: {
      callers: USERS,
      handle: async ({ shareId }) => {
        await deleteShare(ports, actingUser(), withoutZeros(shareId) as ShareId);
        return {};
      },
    },
    updateResourceGroup: {
      callers: USERS,
      handle: async ({ resource, groupId }) => {
        const group = groupId === '' ? null : groupId;
        await updateResourceGroup(ports, actingUser(), readResource(resource), group, actingGroups());
        return {};
      },
    },
  }) satisfies Partial<Routes<Service>>;

const listRpcs = (ports: SharePorts) =>
  ({
    listSharedJobs: {
      callers: USERS,
      handle: async (request) => {
        const query = readListQuery(actingUser(), { ...request, knownVersion: '' });
        const { rows, count } = await listSharedJobs(ports.access, readScope(request), query);
        const shown = rows.map((row) => ({ job: toReadJob(row), ...toProtoBelonging(row) }));
        return { jobs: shown, jobCount: BigInt(count) };
      },
      isQuiet: true,
    },
    listSharedProjects: {
      callers: USERS,
      handle: async ({ order, ...request }) => {
        const query = { ...request, ownerId: actingUser(), order: readProjectOrder(order) };
        const { rows, count } = await listSharedProjects(ports.access, readScope(request), query);
        const shown = rows.map((row) => ({ project: toProtoProject(row.value), ...toProtoBelonging(row) }));
        return { projects: shown, projectCount: BigInt(count) };
      },
      isQuiet: true,
    },
  }) satisfies Partial<Routes<Service>>;

/** PostgreSQL has no character 0; an id that holds one names nothing. */
const withoutZeros = (text: string) => text.replaceAll('\0', '\ufffd');

/** @throws ServiceError REQUEST_INVALID */
function readResource(resource: jobs.Resource | undefined): Resource {
  const kind = resource && nameOf(RESOURCE_KINDS, resource.kind);
  if (resource === undefined || kind === undefined) throw invalidField('/resource', 'is required');
  return { kind, id: withoutZeros(resource.id) };
}

/** Who acts in this call: a user, who shows a link, or both. */
const actorOf = (linkToken: string): Actor => ({
  userId: currentContext()?.userId,
  groups: actingGroups(),
  linkHash: hashLinkToken(linkToken),
});

function readWanted(subject: jobs.CreateShareRequest['subject']) {
  switch (subject?.$case) {
    case 'userId':
      return { kind: 'user' as const, userId: subject.value };
    case 'groupId':
      return { kind: 'group' as const, groupId: subject.value };
    case 'link':
      return subject.value ? { kind: 'link' as const } : undefined;
    case undefined:
      return undefined;
  }
}

/** The acting user's groups, or the one that is asked for. @throws ServiceError REQUEST_INVALID */
function readScope({ view: value, groupId }: Pick<jobs.ListSharedJobsRequest, 'view' | 'groupId'>): SharedScope {
  const view = nameOf(SHARED_VIEWS, value);
  if (view === undefined) throw invalidField('/view', 'must be group or shared');
  const groups = new Map([...actingGroups()].filter(([id]) => groupId === '' || id === groupId));
  return { view, userId: actingUser(), groups };
}

const toProtoShare = ({ shareId, subject, createdAt, expiresAt }: Share): jobs.Share => ({
  shareId,
  subject: toProtoSubject(subject),
  createTime: createdAt,
  expireTime: expiresAt ?? undefined,
});

function toProtoSubject(subject: Subject): NonNullable<jobs.Share['subject']> {
  switch (subject.kind) {
    case 'user':
      return { $case: 'userId', value: subject.userId };
    case 'group':
      return { $case: 'groupId', value: subject.groupId };
    case 'link':
      return { $case: 'link', value: true };
  }
}

/** Labels are for the eyes of who may change the job. */
const toReadJob = ({ value, actions }: Listed<Job>): jobs.Job =>
  actions.includes('change') ? toProtoJob(value) : { ...toProtoJob(value), labels: undefined };

/** The group is named to who is in it. */
function toProtoBelonging({ ownerId, groupId, actions }: Listed<unknown>) {
  const isKnown = groupId !== null && actingGroups().has(groupId);
  return { ownerId, groupId: isKnown ? groupId : '', actions: actions.map((name) => ACCESS_ACTIONS[name]) };
}
