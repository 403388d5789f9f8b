import { ACCESS_ACTIONS, type jobs, nameOf, RESOURCE_KINDS } from '@tally/contracts';

/** What a route does with a job or project. jobs decides who may (ADR 26). */
export type AccessAction = keyof typeof ACCESS_ACTIONS;

/** Which job or project a route is about: where its id stands in the query or body. */
export interface AccessedField {
  readonly kind: keyof typeof RESOURCE_KINDS;
  /** Name of the member; a request without it is about none. */
  readonly field: string;
}

/** What a route does with which jobs and projects of whoever. */
export interface RouteAccess {
  readonly action: AccessAction;
  readonly of: readonly AccessedField[];
}

/** A job or project that the acting user does not own, and may use in its owner's name. */
export interface Accessed {
  readonly ownerId: bigint;
  readonly actions: readonly AccessAction[];
  /** The group that it belongs to, where the acting user is in it; else empty. */
  readonly groupId: string;
}

/** Access of a route about one job. */
export const onJob = (action: AccessAction): RouteAccess => ({ action, of: [{ kind: 'job', field: 'job_id' }] });
/** Access of a route about one kept project. */
export const onProject = (action: AccessAction): RouteAccess => ({
  action,
  of: [{ kind: 'project', field: 'project_id' }],
});
/** Access of a route about a job or a project, whichever is named. */
export const onEither = (action: AccessAction): RouteAccess => ({
  action,
  of: [...onJob(action).of, ...onProject(action).of],
});

/** A job or project as jobs takes it. */
export const toResource = (kind: AccessedField['kind'], id: string): jobs.Resource => ({
  kind: RESOURCE_KINDS[kind],
  id,
});

/** Of a job id and a project id, of which a schema lets one through. */
export function resourceOf({
  job_id,
  project_id,
}: {
  readonly job_id?: string | undefined;
  readonly project_id?: string | undefined;
}) {
  return job_id === undefined ? toResource('project', project_id ?? '') : toResource('job', job_id);
}

/** What jobs says of access, with the actions by their names; those of a later release are left out. */
export function toAccessed({ ownerId, actions, groupId }: jobs.GetAccessResponse): Accessed {
  const names = actions.map((action) => nameOf(ACCESS_ACTIONS, action)).filter((name) => name !== undefined);
  return { ownerId, actions: names, groupId };
}
