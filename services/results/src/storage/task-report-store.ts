import { createBatcher } from '@tally/service-kit';
import type { TaskReport, TaskReportStore } from '../domain/ports.js';
import type { Database } from './database.js';
import { appendTexts, type IndexRow } from './statements/append-texts.js';
import { insertOutputs, type WholeOutput } from './statements/insert-outputs.js';

/** Reports that share a commit. */
const BATCH_SIZE_MAX = 32;
/** Page sets that are remembered as known, so that the first output of a job is not tried in vain. */
const KNOWN_SETS_MAX = 10_000;

interface Saved {
  readonly isOutputStored: boolean;
  readonly isLogAppended: boolean;
}

/** Outputs that lie in rows, and log texts, in PostgreSQL: those that come together in one round trip and one commit. */
export function createTaskReportStore(db: Database, limits: { readonly logBytesMax: number }): TaskReportStore {
  const known = new Set<string>();
  const setKey = ({ header, pageSet }: WholeOutput) => `${header.jobId} ${pageSet.hash}`;
  const remember = (key: string) => {
    known.add(key);
    const [oldest] = known;
    if (known.size > KNOWN_SETS_MAX && oldest !== undefined) known.delete(oldest);
  };
  const save = createBatcher<TaskReport, Saved>({
    run: (reports) => saveReports(db, reports, limits),
    sizeMax: BATCH_SIZE_MAX,
  });
  return {
    async save(report) {
      const { output } = report;
      // a list takes a look at those of the other tasks, and who comes first tells what the pages are
      const isAlike = output !== undefined && output.pageBytes === undefined;
      const isTried = isAlike && known.has(setKey(output));
      if (isAlike) remember(setKey(output));
      // its log is stored with it
      if (output !== undefined && !isTried) return { isOutputStored: false, isLogAppended: false };
      return save(report);
    },
  };
}

async function saveReports(
  db: Database,
  reports: readonly TaskReport[],
  { logBytesMax }: { readonly logBytesMax: number },
): Promise<Saved[]> {
  const outputs = reports.flatMap(({ output }, index) => (output === undefined ? [] : [{ ...output, index }]));
  const logs = reports.flatMap(({ log }, index) => (log === undefined ? [] : [{ ...log, index }]));
  const save = [
    ...(outputs.length === 0 ? [] : [insertOutputs(outputs)]),
    ...(logs.length === 0 ? [] : [appendTexts(logs, logBytesMax)]),
  ];
  const done = await db.change([], () => ({ save, result: (saved) => saved as IndexRow[][] }));
  const stored = new Set(outputs.length === 0 ? [] : done[0]?.map((row) => row.index));
  const appended = new Set(logs.length === 0 ? [] : done.at(-1)?.map((row) => row.index));
  return reports.map((_, index) => ({ isOutputStored: stored.has(index), isLogAppended: appended.has(index) }));
}
