// `pnpm alone <service>`: one service from its build, with a migrated database and a broker of its own where it needs them,
// and fakes of the services it calls, made from their contracts: every RPC is there, says when it is first called, and answers
// with an empty message. Settings of the environment go to the service: JOBS_LEASE_MS=500 pnpm alone jobs. Ctrl-C ends all.
import { createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import * as contracts from '../packages/contracts/dist/src/index.js';
import {
  CALLERS,
  createRunDirectory,
  migrateDatabase,
  removeRunDirectory,
  SERVICES,
  ServiceProcess,
  startPostgres,
  startRabbitmq,
} from '../packages/testkit/dist/src/index.js';
import { readServices } from './k8s/service-facts.mjs';

const { Server, ServerCredentials } = createRequire(
  path.join(import.meta.dirname, '../packages/contracts/package.json'),
)('@grpc/grpc-js');
const say = (line) => process.stdout.write(`${line}\n`);

/** Generated definitions of a service's RPCs, without the health checks. */
const DEFINITIONS = {
  auth: contracts.auth.AuthServiceService,
  jobs: contracts.jobs.JobsServiceService,
  results: contracts.results.ResultsServiceService,
  'batch-bridge': contracts.batchBridge.BatchBridgeServiceService,
};

/** Answers any kind of call: an empty message, or a stream that ends at once. */
function fakeRpc(dependency, name, { requestStream, responseStream, responseDeserialize }) {
  let isKnown = false;
  return (call, callback) => {
    if (!isKnown) say(`  ${dependency} (fake): ${name}`);
    isKnown = true;
    if (responseStream) return call.end();
    const reply = () => callback(null, responseDeserialize(Buffer.alloc(0)));
    if (requestStream) call.on('data', () => {}).on('end', reply);
    else reply();
  };
}

/** Serves a dependency's contract on a free port; resolves to its address. */
function startFake(dependency, stops) {
  const server = new Server();
  const definition = DEFINITIONS[dependency];
  const handlers = Object.entries(definition).map(([name, method]) => [name, fakeRpc(dependency, name, method)]);
  server.addService(definition, Object.fromEntries(handlers));
  const serving = contracts.health.HealthCheckResponse_ServingStatus.SERVING;
  server.addService(contracts.health.HealthService, {
    check: (_call, callback) => callback(null, { status: serving }),
    watch: (call) => call.write({ status: serving }),
  });
  stops.push(async () => server.forceShutdown());
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (err, port) =>
      err ? reject(err) : resolve(`127.0.0.1:${port}`),
    ),
  );
}

/** Values of the secrets that a service requires. `tokens`: one for each caller. */
async function secretValue(service, key, { stops, tokens, directory }) {
  const log = (line) => say(`  ${line}`);
  switch (key) {
    case 'callers':
      return (CALLERS[service] ?? [])
        .map((caller) => `${caller}:${createHash('sha256').update(tokens[caller]).digest('hex')}`)
        .join(',');
    case 'database-url': {
      const postgres = await startPostgres({ log });
      stops.push(() => postgres.stop());
      return migrateDatabase(
        postgres,
        `tally_${service.replaceAll('-', '_')}`,
        `services/${service}/prisma/migrations`,
      );
    }
    case 'queue-url': {
      const rabbitmq = await startRabbitmq({ log, install: false });
      if (rabbitmq === undefined) throw new Error(`no RabbitMQ on this machine (${directory})`);
      stops.push(() => rabbitmq.stop());
      return rabbitmq.url;
    }
    case 'encryption-key':
      return randomBytes(32).toString('base64');
    default:
      return randomBytes(32).toString('hex');
  }
}

async function environmentOf(service, facts, context) {
  const env = { [`${facts.prefix}_LISTEN_ADDRESS`]: '127.0.0.1:0' };
  for (const [variable, dependency] of Object.entries(facts.dependencies)) {
    env[variable] = await startFake(dependency, context.stops);
  }
  for (const { key, variable, isRequired } of facts.secrets) {
    if (isRequired) env[variable] = await secretValue(service, key, context);
  }
  if (facts.workDir) env[facts.workDir] = context.directory;
  if (service === 'gateway') env.GATEWAY_COOKIE_SECURE = 'false';
  for (const [name, value] of Object.entries(process.env)) if (name.startsWith(`${facts.prefix}_`)) env[name] = value;
  return env;
}

const [service] = process.argv.slice(2);
if (!SERVICES.includes(service)) {
  console.error(`usage: pnpm alone ${SERVICES.join('|')}`);
  process.exit(2);
}
const stopped = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
});
const directory = createRunDirectory('alone');
const tokens = Object.fromEntries(SERVICES.map((name) => [name, randomBytes(24).toString('hex')]));
const stops = [];
let exitCode = 0;
try {
  const { facts } = (await readServices())[service];
  const env = await environmentOf(service, facts, { stops, tokens, directory });
  const started = new ServiceProcess({ service, name: service, directory, env, onCrash: say });
  stops.push(() => started.close());
  await started.start();
  say(`  ${service} listens on ${started.address}   log: ${started.logFile}`);
  for (const caller of facts.callers)
    say(`  to call it as ${caller}: x-caller: ${caller}, authorization: Bearer ${tokens[caller]}`);
  await stopped;
} catch (err) {
  say(`  ${err instanceof Error ? err.message : String(err)}`);
  exitCode = 1;
}
for (const stop of stops.toReversed()) await stop();
removeRunDirectory(directory);
process.exit(exitCode);
