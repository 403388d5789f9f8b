import { fail, invalidField } from '../errors.js';
import type { UserId } from '../job.js';
import { readJobSearch } from './job-search.js';

/** A search that a user keeps under a name. */
export interface SavedSearch {
  readonly name: string;
  /** As {@link readJobSearch} reads it. */
  readonly search: string;
}

export interface SavedSearchStore {
  /** Replaces one of the same name. False: the user keeps as many as one may. */
  saveSearch(ownerId: UserId, saved: SavedSearch, countMax: number): Promise<boolean>;
  /** By name. */
  listSearches(ownerId: UserId): Promise<readonly SavedSearch[]>;
  /** False: there was none. */
  deleteSearch(ownerId: UserId, name: string): Promise<boolean>;
}

interface SearchPorts {
  readonly savedSearches: SavedSearchStore;
}

const NAME_LENGTH_MAX = 64;
const SEARCHES_MAX = 50;

/**
 * Keeps a search under a name; one of the same name is replaced.
 * @throws ServiceError REQUEST_INVALID, SAVED_SEARCHES_FULL
 */
export async function createSavedSearch({ savedSearches }: SearchPorts, ownerId: UserId, saved: SavedSearch) {
  const [name, search] = [saved.name.trim(), saved.search.trim()];
  if (name === '' || name.length > NAME_LENGTH_MAX || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) {
    throw invalidField('/name', `must be one line of 1 to ${NAME_LENGTH_MAX} characters`);
  }
  readJobSearch(search);
  if (search === '') throw invalidField('/search', 'must have a term');
  if (!(await savedSearches.saveSearch(ownerId, { name, search }, SEARCHES_MAX))) {
    throw fail('SAVED_SEARCHES_FULL', {
      message: `You keep ${SEARCHES_MAX} searches, the most allowed; delete one first`,
    });
  }
}

/** Forgets a search. @throws ServiceError SAVED_SEARCH_NOT_FOUND */
export async function deleteSavedSearch({ savedSearches }: SearchPorts, ownerId: UserId, name: string): Promise<void> {
  if (!(await savedSearches.deleteSearch(ownerId, name))) throw fail('SAVED_SEARCH_NOT_FOUND');
}
