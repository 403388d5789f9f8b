import { afterAll, beforeAll } from '@jest/globals';
import { type Database, openDatabase, sql } from '@tally/service-kit';
import { createTestDatabase, type TestDatabase } from '@tally/testkit';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { createClient } from '../../src/storage/client.js';
import { createLeaseStore } from '../../src/storage/cluster-store.js';
import { createSubmissionStore } from '../../src/storage/submission-store.js';
import { BATCH_BRIDGE_MIGRATIONS } from '../start.js';
import { describeSubmissions } from '../submission-suite.js';

let database: TestDatabase;
let opened: Database;
let client: PrismaClient;
let clusterCount = 0;

beforeAll(async () => {
  database = await createTestDatabase(BATCH_BRIDGE_MIGRATIONS);
  opened = openDatabase({ url: database.url, connectionsMax: 4 });
  client = createClient(opened);
});
afterAll(async () => {
  await opened?.close();
  await database?.drop();
});

describeSubmissions(async () => {
  const clusterName = `cluster-${++clusterCount}`;
  await opened.run(sql`INSERT INTO clusters (name, settings) VALUES (${clusterName}, '{}')`);
  return {
    clusterName,
    store: createSubmissionStore(client, opened),
    leases: createLeaseStore(client),
    async lose(jobId) {
      await opened.run(sql`DELETE FROM submissions WHERE job_id = ${jobId}`);
    },
  };
});
