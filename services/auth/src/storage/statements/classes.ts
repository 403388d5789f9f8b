import { type Sql, sql } from '@tally/service-kit';

/** Numbers for users who are to be made. */
export const drawUserIds = (count: number): Sql<{ readonly id: bigint }> => sql<{ readonly id: bigint }>`
  SELECT nextval(pg_get_serial_sequence('users', 'id')) AS id FROM generate_series(1, ${count}::int)`;
