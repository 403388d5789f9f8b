import type { Decision } from '@tally/service-kit';
import { changeLabels } from '../../domain/labels/labels.js';
import type { LabelAnswer, LabelStore } from '../../domain/labels/update-job-labels.js';
import type { JobStore } from '../../domain/ports.js';
import type { Database } from '../database.js';
import type { EventAnnouncer } from '../event-announcer.js';
import { lockLabels, storeLabels } from '../statements/labels/labels.js';
import { eventOwners, writeChangeEvents } from '../statements/write-events.js';

export function createLabelStore(
  database: Database,
  jobs: Pick<JobStore, 'explainMiss'>,
  announce: EventAnnouncer,
): LabelStore {
  return {
    changeLabels: async (query, change, baseRevision) => {
      const found = await database.change([lockLabels(query)], ([row]): Decision<Changed> => {
        if (row === undefined) return { save: [], result: undefined };
        const { jobKey, ...now } = row;
        const labels = changeLabels(now, change);
        if (labels === now) return { save: [], result: { labels: now, isConflict: false, owners: [] } };
        if (baseRevision !== undefined && baseRevision !== now.revision) {
          return { save: [], result: { labels: now, isConflict: true, owners: [] } };
        }
        return {
          save: [storeLabels(jobKey, labels), ...writeChangeEvents([{ kind: 'job', jobKey }])],
          result: (saved) => ({ labels, isConflict: false, owners: eventOwners(saved) }),
        };
      });
      if (found === undefined) return { kind: await jobs.explainMiss(query) };
      announce(found.owners);
      return { kind: 'own', value: found };
    },
  };
}

type Changed = (LabelAnswer & { readonly owners: readonly bigint[] }) | undefined;
