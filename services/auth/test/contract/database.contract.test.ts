import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '@tally/service-kit';
import { createTestDatabase, startTcpProxy, type TcpProxy, type TestDatabase } from '@tally/testkit';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { createClient } from '../../src/storage/client.js';
import { MIGRATIONS } from '../auth-fixture.js';

let server: TestDatabase;
let proxy: TcpProxy;
let database: Database;
let client: PrismaClient;
beforeAll(async () => {
  server = await createTestDatabase(MIGRATIONS);
  const url = new URL(server.url);
  proxy = await startTcpProxy(url.host, () => 0);
  url.host = proxy.address;
  database = openDatabase({ url: url.href, connectionsMax: 2 });
  client = createClient(database);
});
afterAll(async () => {
  await database?.close();
  await proxy?.close();
  await server?.drop();
});

it('makes faults of operations and transactions that may pass SERVICE_UNAVAILABLE, and goes on afterwards', async () => {
  const operations = [
    () => client.user.count(),
    () => client.$transaction([client.user.count()]),
    () => client.$transaction((transaction) => transaction.user.count()),
  ];
  for (const operation of operations) await expect(operation()).resolves.toBeDefined();
  proxy.set({ kind: 'cut' });
  for (const operation of operations)
    await expect(operation()).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
  proxy.set({ kind: 'up' });
  for (const operation of operations) await expect(operation()).resolves.toBeDefined();
});

it('stores nothing of a transaction that fails', async () => {
  const failing = client.$transaction(async (transaction) => {
    await transaction.user.create({ data: { username: 'mira', provider: 'local', passwordHash: 'x' } });
    throw new Error('changed its mind');
  });
  await expect(failing).rejects.toThrow('changed its mind');
  await expect(client.user.count()).resolves.toBe(0);
});
