import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { batchBridge } from '@tally/contracts';
import { createGrpcClient, newJobId } from '@tally/service-kit';
import { createTestDatabase, type TestDatabase, testCallerToken } from '@tally/testkit';
import pg from 'pg';
import type { JobId } from '../src/domain/job-id.js';
import type { BridgeOptions } from '../src/service.js';

import { BATCH_BRIDGE_MIGRATIONS, startTestBatchBridge } from './start.js';

/** The service with a database and nothing else: for what asks no cluster. Copies are stopped after each test. */
export function useService() {
  let database: TestDatabase;
  const running: { stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    database = await createTestDatabase(BATCH_BRIDGE_MIGRATIONS);
  }, 120_000);
  afterEach(async () => {
    for (const part of running.splice(0).toReversed()) await part.stop();
  });
  afterAll(() => database?.drop());

  return {
    newJobId: (): JobId => newJobId(new Date()) as JobId,
    async query(sql: string): Promise<Record<string, unknown>[]> {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end();
      }
    },
    async start(overrides: Partial<BridgeOptions> = {}) {
      const service = await startTestBatchBridge({ databaseUrl: database.url, ...overrides });
      running.push(service);
      const clientOf = (caller: string) => {
        const client = createGrpcClient(batchBridge.BatchBridgeServiceService, {
          target: `127.0.0.1:${service.port}`,
          caller,
          token: testCallerToken(caller),
          timeoutMs: 60_000,
        });
        running.push({ stop: async () => client.close() });
        return client;
      };
      return { client: clientOf('jobs'), clientOf };
    },
  };
}
