import type { Decision } from '@tally/service-kit';
import type { SavedSearchStore } from '../../domain/search/saved-searches.js';
import type { Database } from '../database.js';
import { countOtherSearches, lockSearches, storeSearch } from '../statements/labels/labels.js';

export const createSavedSearchStore = (database: Database): SavedSearchStore => ({
  saveSearch: (ownerId, { name, search }, countMax) =>
    database.change([lockSearches(ownerId), countOtherSearches(ownerId, name)], (_, [others]): Decision<boolean> => {
      const hasRoom = (others?.count ?? 0) < countMax;
      return { save: hasRoom ? [storeSearch(ownerId, name, search)] : [], result: hasRoom };
    }),
  listSearches: (ownerId) =>
    database.client.savedSearch.findMany({
      where: { ownerId },
      select: { name: true, search: true },
      orderBy: { name: 'asc' },
    }),
  deleteSearch: async (ownerId, name) =>
    (await database.client.savedSearch.deleteMany({ where: { ownerId, name } })).count > 0,
});
