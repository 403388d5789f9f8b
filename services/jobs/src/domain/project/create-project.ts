import { createHash } from 'node:crypto';
import { newId } from '@tally/service-kit';
import { fail } from '../errors.js';
import type { UserId } from '../job.js';
import { checkIdempotencyKey } from '../submit/idempotency-key.js';
import type { ProjectId } from './project.js';
import type { ProjectStore } from './project-ports.js';
import { checkNote, checkProjectTitle, type ProjectLimits, readProjectText } from './read-project-text.js';

/** A project as a user sends it the first time. */
export interface CreatedProject {
  readonly ownerId: UserId;
  /** Empty: the project's own. */
  readonly title: string;
  /** UTF-8 JSON text. */
  readonly json: Uint8Array;
  /** A data URL that has been checked; empty: none. */
  readonly thumbnail: string;
  readonly note: string;
  /** A group of the owner, which has been checked; undefined: none. */
  readonly groupId?: string | undefined;
  /** Empty: none. */
  readonly idempotencyKey: string;
}

export interface ProjectPorts {
  readonly projects: ProjectStore;
  readonly limits: ProjectLimits;
}

/**
 * Keeps a project, whether or not it can run, as its revision 1. A repeat with the same idempotency key gets the first answer.
 * @throws ServiceError REQUEST_INVALID, PROJECT_TOO_LARGE, PROJECT_QUOTA_EXCEEDED, IDEMPOTENCY_KEY_REUSED
 */
export async function createProject({ projects, limits }: ProjectPorts, created: CreatedProject): Promise<ProjectId> {
  const { ownerId, thumbnail, idempotencyKey: key } = created;
  checkIdempotencyKey(key);
  const asked = created.title.trim() === '' ? undefined : checkProjectTitle(created.title);
  const note = checkNote(created.note);
  const { text, title } = await readProjectText(limits, created.json);
  const group = created.groupId === undefined ? [] : [{ group: created.groupId }];
  const request = ['project', asked ?? null, note, thumbnail, text.hash, ...group];
  const outcome = await projects.createProject({
    ownerId,
    projectId: newId() as ProjectId,
    title: asked ?? title,
    note,
    thumbnail: thumbnail === '' ? null : thumbnail,
    groupId: created.groupId ?? null,
    text,
    idempotency: key === '' ? undefined : { key, requestHash: hashOf(request) },
  });
  if (outcome === 'keyReused') throw fail('IDEMPOTENCY_KEY_REUSED');
  if ('exceeded' in outcome) throw fail('PROJECT_QUOTA_EXCEEDED', { message: outcome.exceeded });
  return outcome.projectId;
}

/** Of what a request says. */
export const hashOf = (request: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex');
