import { connectPostgres, type Postgres } from '../postgres/postgres.js';

/** Environment variable with the address of the test run's infrastructure (see serveInfrastructure). */
export const INFRASTRUCTURE_VARIABLE = 'TALLY_TEST_INFRASTRUCTURE';

/** What the infrastructure answers: the URL of a server that is up. */
export interface ServerAddress {
  readonly url: string;
  readonly how: string;
}

const START_TIMEOUT_MS = 180_000; // the first one to ask for RabbitMQ may wait for its image or package

/** Asks the test run for a server; it is started by the first test file that asks. */
async function request(kind: 'postgres' | 'rabbitmq'): Promise<ServerAddress> {
  const base = process.env[INFRASTRUCTURE_VARIABLE];
  if (!base) throw new Error(`no ${kind} here: this test must be in jest's project "contract" or "e2e"`);
  const response = await fetch(`${base}/${kind}`, { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  if (!response.ok) throw new Error(await response.text());
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null || !('url' in body) || !('how' in body)) {
    throw new Error('the test infrastructure gave no address');
  }
  return { url: String(body.url), how: String(body.how) };
}

/** The PostgreSQL server of this test run. Do not stop it; take a database of your own. */
export async function sharedPostgres(): Promise<Postgres> {
  const { url, how } = await request('postgres');
  return connectPostgres(url, how);
}

/** URL of the RabbitMQ broker of this test run. Do not use it as it is; take a {@link createTestBroker} of your own. */
export async function sharedRabbitmq(): Promise<ServerAddress> {
  return request('rabbitmq');
}
