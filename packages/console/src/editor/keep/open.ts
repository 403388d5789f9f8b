import { call, isTransient, type Output, toProblem } from '../../api/client.js';
import { queryClient, templateQuery } from '../../api/queries.js';
import { isProject } from '../../submit/project.js';
import { initialOptions, type Options } from '../../submit/submission.js';
import type { Target } from '../../submit/target-form.js';
import { ask } from '../check/ask.js';
import { blankProject } from '../model/blank.js';
import { isObject, type JsonObject, valueAt, withValueAt } from '../model/pointer.js';
import { type KeptProject, type LocalCopies, NEW_KEY } from './keeper.js';
import { projectService } from './service.js';

export type Template = Output<'GET', '/templates/template'>;

/** A project as the page begins with it. */
export interface Opened {
  readonly kept: KeptProject | undefined;
  /** As it was saved or sent; of any version of the editor. */
  readonly original: JsonObject;
  /** The same in the layout of today, which forms change. */
  readonly project: JsonObject;
  readonly drafts: ReadonlyMap<string, string>;
  /** The service has not got it yet. */
  readonly isDirty: boolean;
  readonly options: Options;
  /** Of the job that is repeated. */
  readonly jobTitle?: string;
  readonly template?: Template;
}

/** What the address asks for. */
export interface Wanted {
  readonly projectId: string;
  /** A job whose input is the beginning. */
  readonly from?: string | undefined;
  /** The name of a template that is the beginning. */
  readonly template?: string | undefined;
  /** A kept project, of whomever, a copy of which is the beginning. */
  readonly copy?: string | undefined;
}

/** A job of users' own files, which no form shows. */
export class DeckJobError extends Error {}

/** Finds what the page begins with; what this browser has and the service has not is part of it. */
export async function openWanted(
  { projectId, from, template, copy: shared }: Wanted,
  copies: LocalCopies,
): Promise<Opened> {
  if (projectId !== NEW_KEY) return openKept(projectId, copies);
  if (from !== undefined) return openJob(from);
  if (template !== undefined) return openTemplate(template);
  if (shared !== undefined) return begin((await projectService.read(shared)).project, {});
  const copy = await copies.read(NEW_KEY).catch(() => undefined);
  if (copy !== undefined) return begin(copy.project, { drafts: new Map(copy.drafts), isDirty: true });
  return begin(blankProject(), {});
}

async function begin(original: JsonObject, more: Partial<Opened>): Promise<Opened> {
  const today = await ask('open', { project: original });
  const project = isObject(today) ? today : original;
  return {
    kept: undefined,
    original,
    // what is of today is the file itself, so that it is saved as it was
    project: JSON.stringify(project) === JSON.stringify(original) ? original : project,
    drafts: new Map(),
    isDirty: false,
    options: { ...initialOptions(valueAt(project, '/beam/numberOfParticles')), title: '' },
    ...more,
  };
}

async function openKept(projectId: string, copies: LocalCopies): Promise<Opened> {
  const copy = await copies.read(projectId).catch(() => undefined);
  const drafts = new Map(copy?.drafts);
  try {
    const kept = await projectService.read(projectId);
    const own = copy?.project;
    if (own === undefined || JSON.stringify(own) === JSON.stringify(kept.project))
      return await begin(kept.project, { kept, drafts });
    // what cannot be saved is shown as it was typed, to be copied
    if (kept.readOnlyOf !== undefined) return await begin(own, { kept, drafts });
    const base =
      copy?.revision === kept.revision
        ? kept.project
        : await readRevision(projectId, copy?.revision ?? 1, kept.project);
    return await begin(own, {
      kept: { projectId, revision: copy?.revision ?? 1, project: base },
      drafts,
      isDirty: true,
    });
  } catch (err) {
    if (copy === undefined || !isTransient(err)) throw err;
    const kept = { projectId, revision: copy.revision, project: copy.project };
    return begin(copy.project, { kept, drafts, isDirty: true });
  }
}

async function readRevision(projectId: string, revision: number, otherwise: JsonObject): Promise<JsonObject> {
  const query = { project_id: projectId, revision };
  try {
    return (await call('GET', '/projects/project', { query })).project;
  } catch (err) {
    if (toProblem(err).status !== 404) throw err;
    return otherwise; // that version is not kept any more
  }
}

/** The input of a job, to be run again as it was: by the same simulator, in as many tasks, until the same error. */
async function openJob(jobId: string): Promise<Opened> {
  const query = { job_id: jobId };
  const [inputs, status] = await Promise.all([call('GET', '/inputs', { query }), call('GET', '/jobs', { query })]);
  if (inputs.input_type !== 'editor' || !isProject(inputs.input)) throw new DeckJobError(jobId);
  const { submission } = status;
  const title = submission?.title ?? '';
  const project: JsonObject = title === '' ? inputs.input : withValueAt(inputs.input, '/project/title', title);
  const opened = await begin(project, { jobTitle: title });
  if (submission === undefined) return opened;
  const { target } = submission;
  const wanted: Target | undefined = target && {
    estimator: target.estimator,
    page: target.page,
    percent: 100 * target.relative_error,
    primariesMax: target.max_primaries,
  };
  const options: Options = {
    ...opened.options,
    simulator: submission.sim_type,
    platform: submission.platform,
    tasks: submission.ntasks,
    isOmitting: submission.on_unsupported === 'omit',
    target: wanted,
    cluster: submission.batch_options?.cluster_name ?? '',
  };
  return { ...opened, options };
}

async function openTemplate(name: string): Promise<Opened> {
  const template = await queryClient.fetchQuery(templateQuery(name));
  return begin(template.project, { template });
}
