import { jobs } from '@tally/contracts';
import { as, type Suite } from './suite.js';

/** What {@link projectsOf} creates or saves. */
export interface ProjectChange {
  readonly json?: string | Buffer;
  readonly title?: string;
  readonly thumbnail?: string;
  readonly note?: string;
}

export type ProjectCalls = ReturnType<typeof projectsOf>;

/** The calls of a user about his projects. */
export function projectsOf(gateway: ReturnType<Suite['client']>, userId: bigint) {
  const own = <T>(call: () => Promise<T>) => as(userId, call);
  const open = (projectId: string, knownVersion = '', revision?: number) =>
    own(() => gateway.getProject({ projectId, knownVersion, revision }));
  const page = (knownVersion = '', asked: Partial<jobs.ListProjectsRequest> = {}) =>
    own(() =>
      gateway.listProjects({
        pageSize: 6,
        pageIndex: 1,
        order: jobs.ProjectOrder.PROJECT_ORDER_UNSPECIFIED,
        isAscending: false,
        search: '',
        knownVersion,
        ...asked,
      }),
    );
  return {
    open,
    page,
    create: async ({
      json = '{}',
      title = '',
      thumbnail = '',
      note = '',
      key = '',
    }: ProjectChange & { readonly key?: string }) => {
      const request = { projectJson: Buffer.from(json), title, thumbnail, note, idempotencyKey: key };
      return (await own(() => gateway.createProject(request))).projectId;
    },
    get: async (projectId: string, revision?: number) => {
      const { project, revision: read, projectJson } = await open(projectId, '', revision);
      if (project === undefined || read === undefined) throw new Error('the answer has no project');
      return { project, revision: read, json: projectJson.toString() };
    },
    save: (projectId: string, baseRevision: number, { json, ...change }: ProjectChange) => {
      const projectJson = json === undefined ? undefined : Buffer.from(json);
      return own(() => gateway.updateProject({ projectId, baseRevision, projectJson, ...change }));
    },
    list: async (asked: Partial<jobs.ListProjectsRequest>) => {
      const { page: found } = await page('', asked);
      if (found === undefined) throw new Error('the answer has no page');
      return found;
    },
    revisions: async (projectId: string) => (await own(() => gateway.listProjectRevisions({ projectId }))).revisions,
    delete: (projectId: string) => own(() => gateway.deleteProject({ projectId })),
  };
}
