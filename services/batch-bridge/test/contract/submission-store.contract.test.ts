import { afterAll, beforeAll, jest } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tally/testkit';
import { createClusterLeases } from '../../src/storage/cluster-leases.js';
import { type Database, openDatabase } from '../../src/storage/database.js';
import { createSubmissionIntents } from '../../src/storage/submission-intents.js';
import { createSubmissionStore } from '../../src/storage/submission-store.js';
import { BATCH_BRIDGE_MIGRATIONS } from '../../testing/start.js';
import { describeSubmissions } from '../submission-suite.js';

jest.setTimeout(120_000);
let database: TestDatabase;
let opened: Database;
let clusterCount = 0;

beforeAll(async () => {
  database = await createTestDatabase(BATCH_BRIDGE_MIGRATIONS);
  opened = openDatabase(database.url, 4);
}, 120_000);
afterAll(async () => {
  await opened?.close();
  await database?.drop();
});

describeSubmissions(async () => {
  const clusterName = `cluster-${++clusterCount}`;
  await opened.run(
    (statements) => statements.$executeRaw`INSERT INTO clusters (name, settings) VALUES (${clusterName}, '{}')`,
  );
  return {
    clusterName,
    store: createSubmissionStore(opened),
    intents: createSubmissionIntents(opened),
    leases: createClusterLeases(opened),
    async lose(jobId) {
      await opened.run((statements) => statements.$executeRaw`DELETE FROM submissions WHERE job_id = ${jobId}`);
    },
  };
});
