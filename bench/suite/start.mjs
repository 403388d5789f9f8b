// The suite as its images run it: the same program, arguments and environment, one process a service, on a PostgreSQL and
// a RabbitMQ of its own. PostgreSQL keeps what it has committed (fsync), as users run it.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createRunDirectory, removeRunDirectory, startOwnPostgres } from '../../packages/testkit/dist/src/index.js';
import { startServers } from '../../tools/demo/servers.mjs';
import { ProcessGroup } from '../load/processes.mjs';
import { STATEMENT_SETTINGS, StatementCounter } from '../load/statements.mjs';
import { Api } from './api.mjs';
import { imageCommand, imageEnvironment } from './image-command.mjs';
import { writeNoOpSimulator } from './no-op-simulator.mjs';
import { readBenchProject } from './project.mjs';

const POSTGRES_SETTINGS = { fsync: 'on', full_page_writes: 'on', ...STATEMENT_SETTINGS };
const VERSION = '1.0-no-op';

/** Settings without which the loads would meet a limit instead of a cost: all logins are one user's from one address. */
const LIMITS = {
  auth: {
    AUTH_FAILURES_PER_ADDRESS_MAX: '1000000',
    AUTH_FAILURES_PER_USER_MAX: '1000000',
  },
};

/**
 * Starts everything. `flags`: more for Node; `env`: more for every service.
 * @returns `{api, suite, servers, postgres, processes, statements, directory, simulator, …}`; `servers` by their names
 */
export async function startBenchSuite({ flags = [], env = {}, say }) {
  const directory = createRunDirectory('bench');
  const project = readBenchProject();
  const simulator = writeNoOpSimulator(project, directory);
  const updateKeyMaster = randomBytes(24).toString('hex');
  const common = { ...imageEnvironment(), ...env };
  const servers = await startServers({
    directory,
    install: false,
    port: 0,
    say,
    openPostgres: (options) => startOwnPostgres({ ...options, settings: POSTGRES_SETTINGS }),
    updateKeyMaster,
    command: (service) => imageCommand(service, flags),
    env: {
      auth: { ...common, ...LIMITS.auth },
      'batch-bridge': common,
      gateway: common,
      // what the runners have, also while none runs
      jobs: { ...common, JOBS_SIMULATORS: `simA=${VERSION}` },
      results: common,
      'direct-runner': {
        ...common,
        RUNNER_SIMULATORS: JSON.stringify({ simA: { executable: simulator, version: VERSION } }),
        RUNNER_CONFINEMENT: 'none', // a start of bubblewrap would be most of a no-op task
      },
    },
  });
  const { suite, postgres, rabbitmq } = servers;
  const databases = ['auth', 'batch-bridge', 'jobs', 'results', 'queue'];
  const names = databases.map((service) => [`tally_${service.replace('-', '_')}`, service]);
  const statements = new StatementCounter(new Map(names));
  await statements.open(postgres.url('postgres'));
  const stop = async () => {
    await statements.close();
    await servers.stop();
    removeRunDirectory(directory);
  };
  const ownServers = { postgresql: postgres, rabbitmq };
  const processes = new ProcessGroup(() => rootsOf(suite, ownServers));
  const api = new Api(suite.gatewayUrl, updateKeyMaster, project);
  await api.register('bench');
  const stopRunner = () => suite.process('direct-runner-1').stop();
  /** All that runs, at once: what restarts alone finds the others compiled. */
  const restart = async () => {
    const running = suite
      .names()
      .map((name) => suite.process(name))
      .filter((one) => one.isRunning());
    await Promise.all(running.map((one) => one.stop()));
    await Promise.all(running.map((one) => one.start()));
  };
  const seedHistory = (username, count) => seedJobs(api, postgres, username, count);
  const world = { api, suite, servers: ownServers, postgres, processes, statements, directory, simulator };
  return { ...world, stopRunner, restart, seedHistory, stop };
}

/** Simulations of a user that ended over the past, in the states that a history has, straight into the database of jobs. */
async function seedJobs(api, postgres, username, count) {
  const { Cookie } = await api.login(username);
  const [, claims] = /access_token=([^;]*)/.exec(Cookie)[1].split('.');
  const { sub: ownerId } = JSON.parse(Buffer.from(claims, 'base64url'));
  const client = new pg.Client({ connectionString: postgres.url('tally_jobs') });
  await client.connect();
  await client.query(
    `INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, primaries_max, start_time, end_time)
     SELECT 'bench-' || $1::bigint || '-' || n, $1::bigint, 'Simulation ' || n, 'direct', 'editor', 'simA',
       (ARRAY['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'CANCELED'])[1 + n % 5], n, 1, 1000,
       now() - n * interval '1 minute', now() - n * interval '1 minute' + interval '30 s'
     FROM generate_series(1, $2::int) n`,
    [ownerId, count],
  );
  await client.query('VACUUM ANALYZE');
  // jobs adds up its ledger of counts every half a minute: lists of many new jobs are slow until then
  const counts = () => client.query('SELECT count(*)::int AS rows FROM job_counts WHERE owner_id = $1', [ownerId]);
  while ((await counts()).rows[0].rows > LEDGER_ROWS_MAX) await sleep(500);
  await client.end();
}

/** Rows of a user whose counts have been added up. */
const LEDGER_ROWS_MAX = 100;

/** Root processes of services and servers by name. Servers that are not ours, or in containers, are left out. */
function rootsOf(suite, servers) {
  const roots = {};
  for (const name of suite.names()) {
    if (suite.process(name).isRunning()) roots[name.replace(/-\d+$/, '')] = suite.process(name).pid;
  }
  for (const [name, server] of Object.entries(servers)) {
    if (server?.processId !== undefined) roots[name] = server.processId();
  }
  return roots;
}
