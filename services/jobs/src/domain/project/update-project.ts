import { fail, invalidField } from '../errors.js';
import { hashOf, type ProjectPorts } from './create-project.js';
import { requireOwnProject } from './owned-project.js';
import type {
  CurrentRevision,
  ProjectQuery,
  ProjectQuotas,
  ProjectSave,
  ProjectUsage,
  SaveAnswer,
} from './project-ports.js';
import { checkNote, checkProjectTitle, readProjectText } from './read-project-text.js';

/** What a user saves of a project. Undefined: it stays as it is. */
export interface UpdatedProject extends ProjectQuery {
  /** The revision that it is based on. */
  readonly baseRevision: number;
  readonly title: string | undefined;
  /** UTF-8 JSON text. */
  readonly json: Uint8Array | undefined;
  /** A data URL that has been checked; empty: it goes. */
  readonly thumbnail: string | undefined;
  readonly note: string | undefined;
}

/**
 * Saves a project of the acting user as its next revision, unless somebody has saved another one since the revision that it is based on.
 * A repeat gets the first answer, and what is there already makes no revision.
 * @throws ServiceError PROJECT_NOT_FOUND, PROJECT_OF_ANOTHER_USER, REQUEST_INVALID, PROJECT_TOO_LARGE, PROJECT_QUOTA_EXCEEDED
 */
export async function updateProject({ projects, limits }: ProjectPorts, updated: UpdatedProject): Promise<SaveAnswer> {
  const { ownerId, projectId, baseRevision, thumbnail } = updated;
  if (baseRevision < 1) throw invalidField('/revision', 'must be the revision that the change is based on, from 1');
  const title = updated.title === undefined ? undefined : checkProjectTitle(updated.title);
  const note = updated.note === undefined ? undefined : checkNote(updated.note);
  const text = updated.json === undefined ? undefined : (await readProjectText(limits, updated.json)).text;
  const outcome = await projects.saveProject({
    ownerId,
    projectId,
    baseRevision,
    title,
    text,
    thumbnail: thumbnail === '' ? null : thumbnail,
    note,
    requestHash: hashOf([baseRevision, title ?? null, text?.hash ?? null, note ?? null]),
  });
  const answer = requireOwnProject(outcome);
  if ('exceeded' in answer) throw fail('PROJECT_QUOTA_EXCEEDED', { message: answer.exceeded });
  return answer;
}

/** `next`: it becomes a revision; `same`: it is there; `conflict`: somebody else has saved. */
export type SaveDecision = 'next' | 'same' | 'conflict';

/**
 * What becomes of a save. What is there already is no conflict, whatever it is based on; without a text only the revision that it is
 * based on says that the text is the one that the user knows.
 */
export function decideSave(current: CurrentRevision, save: ProjectSave): SaveDecision {
  const { title, text, baseRevision, requestHash } = save;
  const isRepeat = current.requestHash === requestHash;
  const isSameTitle = title === undefined || title === current.title;
  const isKnown = text === undefined ? baseRevision === current.revision : text.hash === current.contentHash;
  if (isRepeat || (isKnown && isSameTitle)) return 'same';
  return baseRevision === current.revision ? 'next' : 'conflict';
}

/** Why a user may not keep so much more, for people; undefined: it may be. */
export function projectQuotaFault(
  { projectsPerUserMax, projectBytesPerUserMax }: ProjectQuotas,
  { projectCount, storedBytes }: ProjectUsage,
  more: ProjectUsage,
): string | undefined {
  if (projectsPerUserMax > 0 && more.projectCount > 0 && projectCount + more.projectCount > projectsPerUserMax) {
    return `You may keep ${projectsPerUserMax} projects, and have ${projectCount} (projects_per_user_max of GET /limits); delete one first`;
  }
  if (projectBytesPerUserMax > 0 && more.storedBytes > 0 && storedBytes + more.storedBytes > projectBytesPerUserMax) {
    return `Your projects may take ${projectBytesPerUserMax} bytes with their histories, and take ${storedBytes}; this would add ${more.storedBytes} (project_bytes_per_user_max of GET /limits)`;
  }
  return undefined;
}
