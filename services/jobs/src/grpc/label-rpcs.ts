import type { jobs } from '@tally/contracts';
import { actingUser, type Routes } from '@tally/service-kit';
import { type LabelStore, updateJobLabels } from '../domain/labels/update-job-labels.js';
import { createSavedSearch, deleteSavedSearch, type SavedSearchStore } from '../domain/search/saved-searches.js';
import { readJobId, toProtoLabels } from './mappers.js';

/** Who speaks for users. */
const USERS = ['gateway'];
export interface LabelPorts {
  readonly labels: LabelStore;
  readonly savedSearches: SavedSearchStore;
}

/** What users note of their jobs, and searches that they keep. */
export const labelRpcs = (ports: LabelPorts) =>
  ({
    updateJobLabels: {
      callers: USERS,
      handle: async ({ jobId, baseRevision, ...change }) => {
        const query = { ownerId: actingUser(), jobId: readJobId(jobId), platform: undefined };
        const { labels, isConflict } = await updateJobLabels(ports, query, change, baseRevision);
        return { labels: toProtoLabels(labels), title: labels.title, isConflict };
      },
    },
    createSavedSearch: {
      callers: USERS,
      handle: async ({ savedSearch }) => {
        await createSavedSearch(ports, actingUser(), savedSearch ?? { name: '', search: '' });
        return {};
      },
    },
    listSavedSearches: {
      callers: USERS,
      handle: async () => ({ savedSearches: [...(await ports.savedSearches.listSearches(actingUser()))] }),
      isQuiet: true,
    },
    deleteSavedSearch: {
      callers: USERS,
      handle: async ({ name }) => {
        await deleteSavedSearch(ports, actingUser(), name.replaceAll('\0', '\ufffd'));
        return {};
      },
    },
  }) satisfies Partial<Routes<typeof jobs.JobsServiceService>>;
