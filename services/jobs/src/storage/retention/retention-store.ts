import { newId } from '@tally/service-kit';
import { isSameRetention, type Retention, type RetentionRule } from '../../domain/retention/retention.js';
import type { RetentionStore } from '../../domain/retention/retention-ports.js';
import type { Database } from '../database.js';
import {
  addPartDuty,
  findDue,
  findLostResults,
  findRemoved,
  listRemovals,
  listRules,
  listUnwarned,
  lockEnded,
  lockRules,
  notePartRemoved,
  noteWarning,
  replaceRules,
  sumRemovals,
} from '../statements/operate/retention.js';

/** Before any is set. */
const WARNING_DAYS = 14;

type RuleRow = RetentionRule & { readonly warningDays: number; readonly setAt: Date };

function toRetention(rows: readonly RuleRow[]): Retention {
  const [first] = rows;
  const rules = rows.map(({ data, state, afterDays }) => ({ data, state, afterDays }));
  return { rules, warningDays: first?.warningDays ?? WARNING_DAYS, setAt: first?.setAt ?? null };
}

/** @param onDuty - a duty was added */
export function createRetentionStore(database: Database, onDuty: () => void): RetentionStore {
  const readRetention = async () => toRetention(await database.rows(listRules()));
  return {
    readRetention,
    setRetention: async (retention) => {
      await database.change([lockRules(), listRules()], (_, rows) => ({
        save: isSameRetention(toRetention(rows), retention) ? [] : replaceRules(retention),
        result: undefined,
      }));
    },
    listRemovals: (query) => database.rows(listRemovals(query)),
    sumRemovals: (query) => database.rows(sumRemovals(query)),
    findRemoved: (jobId, ownerId) => database.row(findRemoved(jobId, ownerId)),
    hasLostResults: async (jobId) => (await database.row(findLostResults(jobId))) !== undefined,
    removePart: async (jobId, data) => {
      const isRemoved = await database.change([lockEnded(jobId), findDue(jobId, data)], ([job], due) => {
        if (job === undefined || due.length === 0) return { save: [], result: false };
        const duty = addPartDuty(newId(), jobId, data);
        return { save: [notePartRemoved(job.jobKey, data), duty], result: true };
      });
      if (isRemoved) onDuty();
      return isRemoved;
    },
    isJobDue: async (jobId) => (await database.row(findDue(jobId, 'jobs'))) !== undefined,
    listUnwarned: async (limit) => {
      const { warningDays, setAt } = await readRetention();
      return setAt === null ? [] : database.rows(listUnwarned(limit, warningDays));
    },
    noteWarning: async (ownerId, warnedUntil) => {
      await database.run(noteWarning(ownerId, warnedUntil));
    },
  };
}
