// The suite with its servers, for the demo, `pnpm dev` and `pnpm bench`: everything private, everything stopped together.
import {
  cleanUpLeftovers,
  migrateDatabase,
  provideBubblewrap,
  startPostgres,
  startRabbitmq,
  startSuite,
} from '../../packages/testkit/dist/src/index.js';

/**
 * Brings up PostgreSQL, RabbitMQ (or, where there is none, the PostgreSQL queue) and the suite. `openPostgres`: starts
 * the server, instead of the first way that works; what is not named here goes to startSuite.
 * @returns {Promise<{suite, postgres, rabbitmq, stop(): Promise<void>}>} stop ends exactly what was started
 */
export async function startServers({
  directory,
  install,
  port,
  say,
  dataDir,
  openPostgres = startPostgres,
  ...suiteOptions
}) {
  const left = cleanUpLeftovers();
  if (left.serversKilled > 0) say(`  ended ${left.serversKilled} processes that an earlier run left behind`);
  const log = (line) => say(`  ${line}`);
  const stops = [];
  const stop = async () => {
    for (const step of stops.toReversed()) await step().catch((err) => say(`  ${err.message}`));
  };
  try {
    const postgres = await openPostgres({ log, dataDir: dataDir && `${dataDir}/postgres` });
    stops.push(() => postgres.stop());
    const databases = {};
    for (const service of ['auth', 'batch-bridge', 'jobs', 'results']) {
      const name = `tally_${service.replace('-', '_')}`;
      databases[service] = await migrateDatabase(postgres, name, `services/${service}/prisma/migrations`);
    }
    const rabbitmq = await startRabbitmq({ log, install, dataDir: dataDir && `${dataDir}/rabbitmq` });
    if (rabbitmq !== undefined) stops.push(() => rabbitmq.stop());
    else
      log('RabbitMQ: none on this machine, tasks travel through a PostgreSQL queue (with --install it is installed)');
    const isConfined = suiteOptions.env?.['direct-runner']?.RUNNER_CONFINEMENT !== 'none';
    if (isConfined && (await provideBubblewrap(log, install))) log('simulators: confined by bubblewrap');
    const queueUrl = rabbitmq?.url ?? (await openQueueDatabase(postgres));
    const suite = await startSuite({
      ...suiteOptions,
      databases,
      queueUrl,
      directory,
      gatewayAddress: `127.0.0.1:${port}`,
      restartsCrashed: true,
      log,
    });
    stops.push(() => suite.stop());
    log(`gateway: ${suite.gatewayUrl}   logs: ${directory}`);
    return { suite, postgres, rabbitmq, stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

async function openQueueDatabase(postgres) {
  await postgres.createDatabase('tally_queue').catch((err) => {
    if (err.code !== '42P04') throw err; // it is there from last time
  });
  return postgres.url('tally_queue');
}
