import { invalidField } from '../errors.js';

/** What the owner of a job has noted of it since its submission, besides its title. */
export interface JobLabels {
  /** Number of changes, from 1. */
  readonly revision: number;
  /** Ascending, each once. */
  readonly tags: readonly string[];
  readonly hasNote: boolean;
  /** Of several lines; null: none. Undefined in lists. */
  readonly note?: string | null;
  readonly isFavourite: boolean;
  /** It is left out of lists that do not ask for it. */
  readonly isArchived: boolean;
}

/** What is to be changed; undefined: it stays. */
export interface LabelChange {
  readonly title?: string | undefined;
  /** Empty: none any more. */
  readonly note?: string | undefined;
  readonly addedTags: readonly string[];
  readonly removedTags: readonly string[];
  readonly isFavourite?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
}

/** Labels of a job with its title, whether or not they have ever been changed: revision 0. */
export interface TitledLabels extends Required<JobLabels> {
  readonly title: string;
}

const TITLE_LENGTH_MAX = 256;
const NOTE_LENGTH_MAX = 10_000;
const TAG_LENGTH_MAX = 64;
export const TAGS_MAX = 20;

/** What breaks a line, or is no character. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
/** The same, but that lines may be broken and indented. */
const UNWRITABLE = /(?![\n\t])[\p{Cc}\p{Cs}]/u;

/**
 * A change with its texts as they are stored.
 * @throws ServiceError REQUEST_INVALID
 */
export function checkLabelChange(change: LabelChange): LabelChange {
  const { title, note, addedTags, removedTags, isFavourite, isArchived } = change;
  if ([title, note, isFavourite, isArchived].every((value) => value === undefined) && !addedTags.length) {
    if (removedTags.length === 0) throw invalidField('/title', 'or another label must be given');
  }
  return {
    title: title === undefined ? undefined : checkTitle(title),
    note: note === undefined ? undefined : checkNote(note),
    addedTags: addedTags.map((tag) => checkTag('/add_tags', tag)),
    removedTags: removedTags.map((tag) => checkTag('/remove_tags', tag)),
    isFavourite,
    isArchived,
  };
}

function checkTitle(title: string): string {
  const line = title.trim();
  if (line === '' || line.length > TITLE_LENGTH_MAX || UNSEEN.test(line)) {
    throw invalidField('/title', `must be one line of 1 to ${TITLE_LENGTH_MAX} characters`);
  }
  return line;
}

function checkNote(note: string): string {
  const text = note.replaceAll(/\r\n?/g, '\n').trimEnd();
  if (text.length > NOTE_LENGTH_MAX) {
    throw invalidField('/note', `has ${text.length} characters, more than the ${NOTE_LENGTH_MAX} allowed`);
  }
  if (UNWRITABLE.test(text)) throw invalidField('/note', 'has control characters');
  return text;
}

/** Quotation marks delimit tags in searches. */
function checkTag(field: string, tag: string): string {
  const line = tag.trim();
  if (line === '' || line.length > TAG_LENGTH_MAX || UNSEEN.test(line) || line.includes('"')) {
    throw invalidField(field, `must be tags of one line of 1 to ${TAG_LENGTH_MAX} characters without quotation marks`);
  }
  return line;
}

/**
 * Labels after a change, one revision further; the same object: nothing changes. Tags are one and the same whatever their case; the first
 * one stays as it was written.
 * @throws ServiceError REQUEST_INVALID for too many tags
 */
export function changeLabels(now: TitledLabels, change: LabelChange): TitledLabels {
  const fold = (tag: string) => tag.toLowerCase();
  const removed = new Set(change.removedTags.map(fold));
  const tags = new Map(now.tags.filter((tag) => !removed.has(fold(tag))).map((tag) => [fold(tag), tag]));
  for (const tag of change.addedTags) if (!tags.has(fold(tag))) tags.set(fold(tag), tag);
  if (tags.size > TAGS_MAX && tags.size > now.tags.length) {
    throw invalidField('/add_tags', `would give the job ${tags.size} tags, more than the ${TAGS_MAX} allowed`);
  }
  const note = change.note === undefined ? now.note : change.note || null;
  const after = {
    revision: now.revision + 1,
    title: change.title ?? now.title,
    tags: [...tags.values()].sort(),
    note,
    hasNote: note !== null,
    isFavourite: change.isFavourite ?? now.isFavourite,
    isArchived: change.isArchived ?? now.isArchived,
  };
  const textOf = ({ title, tags: own, note: text, isFavourite, isArchived }: TitledLabels) =>
    JSON.stringify([title, own, text, isFavourite, isArchived]);
  return textOf(after) === textOf(now) ? now : after;
}
