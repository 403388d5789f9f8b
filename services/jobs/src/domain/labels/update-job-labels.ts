import { requireOwn } from '../owned.js';
import type { JobQuery, Owned } from '../ports.js';
import { checkLabelChange, type LabelChange, type TitledLabels } from './labels.js';

/** Labels after a change; `isConflict`: somebody else has changed them since the revision that it is based on, and nothing was stored. */
export interface LabelAnswer {
  readonly labels: TitledLabels;
  readonly isConflict: boolean;
}

export interface LabelStore {
  /**
   * Changes the labels of a job, one caller after the other, and tells those who follow the jobs of its owner.
   * @param baseRevision - undefined: whatever it is
   * @throws ServiceError REQUEST_INVALID for too many tags
   */
  changeLabels(query: JobQuery, change: LabelChange, baseRevision: number | undefined): Promise<Owned<LabelAnswer>>;
}

/**
 * Changes the title, tags, note, favourite or archive of a job of the acting user, in any state. Safe to repeat: what is there already is
 * no change and no conflict.
 * @throws ServiceError REQUEST_INVALID, JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export async function updateJobLabels(
  { labels }: { readonly labels: LabelStore },
  query: JobQuery,
  change: LabelChange,
  baseRevision: number | undefined,
): Promise<LabelAnswer> {
  return requireOwn(await labels.changeLabels(query, checkLabelChange(change), baseRevision));
}
