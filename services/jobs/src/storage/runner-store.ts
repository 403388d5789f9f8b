import { parseExecutables, writeExecutables } from '@tally/simulators';
import { z } from 'zod';
import type { RunnerStore } from '../domain/ports.js';
import { type Database, Prisma, queryRows } from './database.js';

const liveRow = z.object({
  executables: z.string().transform((text, context) => {
    const executables = parseExecutables(text);
    if (executables === undefined) context.addIssue('is not a list of executables');
    return executables ?? z.NEVER;
  }),
});

export function createRunnerStore(database: Database): RunnerStore {
  return {
    report: async (runnerId, executables, expiryMs) => {
      // what has expired is nobody's any more; a runner that comes back writes its row anew
      await database.run(
        (db) => db.$executeRaw`
          WITH gone AS (DELETE FROM runners WHERE expires_at < now() AND runner_id <> ${runnerId})
          INSERT INTO runners (runner_id, executables, expires_at)
          VALUES (${runnerId}, ${writeExecutables(executables)}, now() + ${expiryMs}::float8 * interval '1 ms')
          ON CONFLICT (runner_id) DO UPDATE
          SET executables = EXCLUDED.executables, expires_at = EXCLUDED.expires_at`,
      );
    },
    listLive: async () => {
      const rows = await database.run((db) =>
        queryRows(db, liveRow, Prisma.sql`SELECT executables FROM runners WHERE expires_at > now() ORDER BY runner_id`),
      );
      return rows.map(({ executables }) => executables);
    },
  };
}
