// The suite as its images run it: the same program, arguments and environment, one process a service, on a PostgreSQL and
// a RabbitMQ of its own. PostgreSQL keeps what it has committed (fsync), as users run it.
import { randomBytes } from 'node:crypto';
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
    AUTH_HASHES_WAITING_MAX: '1000',
  },
};

/**
 * Starts everything. `flags`: more for Node; `env`: more for every service.
 * @returns `{api, suite, servers, postgres, processes, statements, directory, simulator, stop()}`; `servers` by their names
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
        RUNNER_CONFINEMENT: 'none', // what it costs: bench/launch.mjs
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
  return { api, suite, servers: ownServers, postgres, processes, statements, directory, simulator, stop };
}

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
