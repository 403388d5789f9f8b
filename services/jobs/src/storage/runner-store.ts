import { parseExecutables, writeExecutables } from '@tally/simulators';
import { CONFINEMENT_NAMES, type RunnerStore } from '../domain/ports.js';
import type { Database } from './database.js';
import { deleteExpiredRunners, listExecutables, listLiveRunners, putRunner } from './statements/runners.js';

function readExecutable(text: string) {
  const [only] = parseExecutables(text) ?? [];
  if (only === undefined) throw new Error(`${text} is no executable`);
  const [simulator, version] = only;
  return { simulator, version };
}

export function createRunnerStore(database: Database): RunnerStore {
  return {
    report: async (runnerId, report, expiryMs) => {
      const executables = writeExecutables(report.executables);
      return (await database.row(putRunner(runnerId, { ...report, executables }, expiryMs)))?.isDraining ?? false;
    },
    deleteExpired: async () => {
      await database.run(deleteExpiredRunners());
    },
    listExecutables: async () => {
      const rows = await database.rows(listExecutables());
      return rows.map(({ executable, ...rest }) => ({ ...readExecutable(executable), ...rest }));
    },
    listLive: async () => {
      const rows = await database.rows(listLiveRunners());
      return rows.map(({ executables: text, confinement, isRefusingFiles, slotCount }) => {
        const executables = parseExecutables(text);
        if (executables === undefined) throw new Error(`a runner has the executables ${text}`);
        const name = CONFINEMENT_NAMES.find((known) => known === confinement);
        return { executables, confinement: name, isRefusingFiles, slotCount };
      });
    },
  };
}
