// What the suite finds outside of the cluster, on this machine: PostgreSQL and RabbitMQ, and the secrets that lead there.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { runStatement, startOwnPostgres, startOwnRabbitmq } from '../../packages/testkit/dist/src/index.js';
import { forward, OUTSIDE } from '../containers/networks.mjs';
import { root } from '../k8s/service-facts.mjs';
import { dumpVersion } from './runbooks.mjs';

/** A List of what tools/k8s-secrets.mjs makes. */
export function makeSecrets(namespace, args) {
  const tool = path.join(root, 'tools/k8s-secrets.mjs');
  return JSON.parse(
    execFileSync(process.execPath, [tool, '--namespace', namespace, ...args], {
      input: '{"items":[]}',
      encoding: 'utf8',
    }),
  );
}

/** A database and its owner for each service that has one. */
async function makeDatabases(postgres) {
  for (const name of ['auth', 'jobs', 'results', 'batch']) {
    await runStatement(postgres.url('postgres'), `CREATE ROLE ${name} LOGIN`);
    await runStatement(postgres.url('postgres'), `CREATE DATABASE ${name} OWNER ${name}`);
  }
}

/**
 * Starts the servers, which nodes reach at `address`.
 * `{variables, brokerControl, end}`: URLs as the operators' guide names them. `prefix`: the network that nodes are in, as 10.203.0.
 */
export async function startOutside(address, prefix) {
  const undo = [];
  const end = async () => {
    for (const each of undo.toReversed()) await each();
  };
  try {
    const postgres = await startOwnPostgres({ version: dumpVersion() });
    undo.push(() => postgres.stop());
    await makeDatabases(postgres);
    const broker = await startOwnRabbitmq();
    if (broker === undefined) throw new Error('there is no RabbitMQ (apt-get install rabbitmq-server)');
    undo.push(() => broker.stop());
    const named = (url, port) => Object.assign(new URL(url), { hostname: address, port: String(port) }).href;
    const ways = { [OUTSIDE.database]: postgres.url('postgres'), [OUTSIDE.broker]: broker.url };
    for (const [port, url] of Object.entries(ways))
      undo.push(await forward({ host: address, port: Number(port), prefix, to: Number(new URL(url).port) }));
    const database = (name) =>
      Object.assign(new URL(named(postgres.url(name), OUTSIDE.database)), { username: name }).href;
    const variables = {
      AUTH_DATABASE_URL: database('auth'),
      JOBS_DATABASE_URL: database('jobs'),
      RESULTS_DATABASE_URL: database('results'),
      BATCH_DATABASE_URL: database('batch'),
      ADMIN_URL: named(postgres.url('postgres'), OUTSIDE.database),
      QUEUE_URL: named(broker.url, OUTSIDE.broker),
    };
    return { variables, brokerControl: broker.control, end };
  } catch (err) {
    await end();
    throw err;
  }
}
