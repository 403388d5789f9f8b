// `pnpm test:containers`: the images of all services as containers, with what the chart says of their pods, under podman and
// runc: migrations, a job, a login by single sign-on over TLS, a job on a real Slurm cluster, and jobs and direct-runner replaced
// while a job runs. Needs root, podman and runc (Debian).
// Where containers cannot run it says why and passes. The last line is "N passed, N failed".
//   --report F      the two numbers also as JSON
//   --rootfs-only   no image from docker/Dockerfile, which takes minutes: one service runs from it otherwise
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  provideCluster,
  provideContainers,
  startCluster,
  startOwnPostgres,
  startOwnRabbitmq,
  waitFor,
} from '../../packages/testkit/dist/src/index.js';
import { parseObjects } from '../k8s/generated-files.mjs';
import { render } from '../k8s/helm.mjs';
import { root, SERVICES } from '../k8s/service-facts.mjs';
import { expectEqual, results, step } from '../test/steps.mjs';
import { buildFromDockerfile } from './dockerfile.mjs';
import { HOST_INSIDE, HOST_NODE, HOST_RESTRICTED, INSIDE, policyFaults, RESTRICTED } from './inside.mjs';
import { createNetworks, forward, OUTSIDE, removeLeftovers } from './networks.mjs';
import { buildServiceImage, podman, tryPodman, whyNoContainers } from './podman.mjs';
import { runJob, startPod } from './pods.mjs';
import { startTlsRealm } from './tls-realm.mjs';
import { createUser } from './users.mjs';

const START_TIMEOUT_MS = 180_000;
/** Enough for tasks to run while pods are replaced. */
const ROLLED_PRIMARIES = 300_000;
const VERSION = 'test';
/** The same images by another name: what a release that comes after it would be. */
const NEXT_VERSION = 'next';

/** Whose image is built by docker/Dockerfile itself: it is one for all services, and this one has a database to migrate. */
const DOCKERFILE_SERVICE = 'auth';

const imageOf = (service, version = VERSION) => `localhost/tally-test/${service}:${version}`;

const { values: options } = parseArgs({
  options: { report: { type: 'string' }, 'rootfs-only': { type: 'boolean', default: false } },
});
const undo = [];

/** Images of all services. */
async function buildImages(dir) {
  for (const service of SERVICES) {
    const out = path.join(dir, service);
    execFileSync(process.execPath, [path.join(root, 'tools/image-rootfs.mjs'), service, '--out', out], {
      stdio: 'pipe',
    });
    await buildServiceImage(out, imageOf(service));
    await podman(['tag', imageOf(service), imageOf(service, NEXT_VERSION)]);
    fs.rmSync(out, { recursive: true });
  }
}

const SETTINGS = {
  'caBundle.configMap': 'company-ca',
  'image.repository': 'localhost/tally-test',
  'image.tag': VERSION,
  'services.auth.settings.AUTH_SSO_ISSUER_URL': 'https://realm',
  'services.auth.settings.AUTH_SSO_AUDIENCE': 'tally',
  'networkPolicy.clusterPorts': [OUTSIDE.cluster],
};

/** What a site with this cluster says of it, and of the service that gives its users certificates. */
const clusterSettings = ({ facts }) => ({
  'services.auth.settings.AUTH_CERT_PROXY_URL': 'https://realm/certificates',
  'services.batch-bridge.settings.BATCH_POLL_INTERVAL_MS': '1000',
  'services.batch-bridge.settings.BATCH_CLUSTERS': JSON.stringify([
    {
      name: 'north',
      displayName: 'The northern one',
      host: 'cluster',
      port: OUTSIDE.cluster,
      hostKeys: facts.ssh.hostKeys,
      scratchFolder: `${facts.dir}/home/{user}/tally`,
      partitions: [{ name: 'batch', wallTimeSecondsMax: 86_400, memoryMibMax: 4_096 }],
      nodeProgram: process.execPath,
      isReachingGateway: false,
    },
  ]),
});

function renderObjects(settings) {
  const jsons = Object.entries(settings).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const objects = parseObjects(render({ jsons }));
  const find = (kind, name) =>
    objects.find((object) => object.kind === kind && object.metadata.name === `tally-${name}`);
  return { objects, find };
}

/** What tools/k8s-secrets.mjs makes for servers that have these names and ports. */
function makeSecrets(postgresUrl, brokerUrl) {
  const named = (url, host, port) => Object.assign(new URL(url), { hostname: host, port: String(port) }).href;
  const database = (name) => named(postgresUrl(name), 'database', OUTSIDE.database);
  const env = {
    ...process.env,
    AUTH_DATABASE_URL: database('auth'),
    JOBS_DATABASE_URL: database('jobs'),
    RESULTS_DATABASE_URL: database('results'),
    BATCH_DATABASE_URL: database('batch'),
    QUEUE_URL: named(brokerUrl, 'broker', OUTSIDE.broker),
  };
  const list = execFileSync(process.execPath, [path.join(root, 'tools/k8s-secrets.mjs')], {
    env,
    input: '{"items":[]}',
    encoding: 'utf8',
  });
  return Object.fromEntries(JSON.parse(list).items.map(({ metadata, stringData }) => [metadata.name, stringData]));
}

/** Servers of this machine, and where containers reach them. */
async function startOutside(networks, realm, cluster) {
  const postgres = await startOwnPostgres();
  undo.push(() => postgres.stop());
  const broker = await startOwnRabbitmq();
  if (broker === undefined) throw new Error('there is no RabbitMQ (apt-get install rabbitmq-server)');
  undo.push(() => broker.stop());
  const ports = {
    database: new URL(postgres.url('postgres')).port,
    broker: new URL(broker.url).port,
    realm: realm.port,
    ...(cluster && { cluster: cluster.facts.ssh.port }),
  };
  for (const way of networks.ways) {
    if (ports[way.server] !== undefined) undo.push(await forward({ ...way, to: Number(ports[way.server]) }));
  }
  return { servers: Object.keys(ports), secrets: makeSecrets((name) => postgres.url(name), broker.url) };
}

/** Networks, servers outside, secrets and config maps: what is there before the first pod. */
async function setUp(dir, id) {
  const cluster = (await provideCluster(console.log)) ? await startCluster({ nodes: 1, cpusPerNode: 2 }) : undefined;
  if (cluster !== undefined) undo.push(() => cluster.stop());
  const settings = { ...SETTINGS, ...(cluster && clusterSettings(cluster)) };
  const { objects, find } = renderObjects(settings);
  await removeLeftovers();
  const networks = await createNetworks(objects, { id, second: 100 + (process.pid % 150), dir, undo });
  const realm = await startTlsRealm('realm', dir, cluster?.facts.certificates.ed25519);
  undo.push(() => realm.stop());
  const { servers, secrets } = await startOutside(networks, realm, cluster);
  const configMaps = Object.fromEntries(
    objects.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]),
  );
  const sources = { secrets, configMaps: { ...configMaps, 'company-ca': { 'ca.crt': realm.certificate } } };
  const contextOf = (name, network) => ({ name: `tally-${id}-${name}`, dir: path.join(dir, name), sources, network });
  return { settings, objects, find, networks, realm, cluster, servers, contextOf };
}

async function runMigrations({ find, networks, contextOf }) {
  for (const service of SERVICES) {
    const job = find('Job', `${service}-migrate`);
    if (job === undefined) continue;
    const run = (copy) => {
      const network = networks.argumentsOf(service, copy, networks.databaseOnly(service));
      return runJob(job, contextOf(`${service}-migrate-${copy}`, network));
    };
    if (!(await run('a')).startsWith('applied ')) throw new Error(`${service} applied nothing`);
    expectEqual(await run('b'), 'nothing to apply');
  }
}

/** Starts a pod of a service and waits until it is healthy. */
async function startService({ find, networks, contextOf }, service, copy, deployment = find('Deployment', service)) {
  const pod = await startPod(deployment, contextOf(`${service}-${copy}`, networks.argumentsOf(service, copy)));
  undo.push(() => pod.remove());
  const healthy = async () => {
    if (!(await pod.isRunning())) throw new Error(`${service} ended: ${(await pod.log()).slice(-1500)}`);
    return pod.isHealthy();
  };
  await waitFor(healthy, { timeoutMs: START_TIMEOUT_MS, intervalMs: 500, what: `${service} to be healthy` });
  networks.setReady(service, copy, true);
  return pod;
}

/** As a deployment replaces a pod: a new one first, and when it is ready the old one goes. */
async function replacePod(suite, pods, service) {
  const image = { [`services.${service}.image.tag`]: NEXT_VERSION };
  const { find } = renderObjects({ ...suite.settings, ...image });
  const pod = await startService(suite, service, 'b', find('Deployment', service));
  suite.networks.setReady(service, 'a', false);
  expectEqual([...new Set(await pods.get(service).stop())], [0]);
  pods.set(service, pod);
}

/** What users do, through the gateway's pod. */
async function runJourneys(suite, pods) {
  const { networks, realm, cluster } = suite;
  const url = `http://${networks.ingressAddress('a')}:8080`;
  const user = createUser(url);
  await step('a local user submits a job, and gets its results', async () => {
    await user.register('ada');
    await user.completed(await user.submit(400, 2), 400);
  });
  const maria = createUser(url);
  const username = cluster?.facts.users.cert.name ?? 'maria';
  await step('a user of the realm logs in, over TLS with a certificate of our own authority', async () => {
    await maria.call('POST', '/auth/sso', { sso_token: realm.tokenOf(username) });
    expectEqual((await maria.call('GET', '/auth/status')).username, username);
  });
  if (cluster === undefined) console.log('skip   a job on a cluster: there is no Slurm (apt-get install slurmctld …)');
  else {
    await step('a user of the realm submits a job to a cluster, and gets its results', async () => {
      const options = { batch_options: { scheduler_options: { mem: '512M' } } };
      await maria.completed(await maria.submit(400, 2, 'batch', options), 400, 'batch');
    });
  }
  await step('jobs and then the runner are replaced while a job runs, which loses nothing', async () => {
    const jobId = await user.submit(ROLLED_PRIMARIES, 6);
    await user.running(jobId);
    for (const service of ['jobs', 'direct-runner']) await replacePod(suite, pods, service);
    await user.completed(jobId, ROLLED_PRIMARIES);
    await user.completed(await user.submit(400, 2), 400);
  });
}

async function runSuite(dir, id) {
  await step('images of all services are built', () => buildImages(path.join(dir, 'roots')));
  if (!options['rootfs-only']) {
    await step(`the image of ${DOCKERFILE_SERVICE} is built by docker/Dockerfile`, () =>
      buildFromDockerfile(DOCKERFILE_SERVICE, imageOf(DOCKERFILE_SERVICE)),
    );
  }
  const suite = await setUp(dir, id);
  await step('migrate jobs make the databases, and find nothing to do the second time', () => runMigrations(suite));
  const pods = new Map();
  await step('every service starts with what the chart gives it, and is healthy', async () => {
    for (const service of ['auth', 'results', 'batch-bridge', 'jobs', 'gateway', 'direct-runner'])
      pods.set(service, await startService(suite, service, 'a'));
  });
  await step('users, root, capabilities and system calls are restricted', async () => {
    for (const service of SERVICES) expectEqual(JSON.parse(await pods.get(service).evaluate(INSIDE)), RESTRICTED);
    const host = await pods.get('direct-runner').evaluateBeside(HOST_NODE, HOST_INSIDE);
    expectEqual(JSON.parse(host), HOST_RESTRICTED);
  });
  await step('who may be reached is reached, and nobody else', async () =>
    expectEqual(await policyFaults(suite.objects, suite.networks, pods, suite.servers), []),
  );
  await runJourneys(suite, pods);
}

await provideContainers(console.log);
const reason = await whyNoContainers();
let isBroken = false;
if (reason === undefined) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-containers-'));
  fs.chmodSync(dir, 0o755);
  try {
    await runSuite(dir, String(process.pid));
  } catch (err) {
    isBroken = true;
    if (results().failed === 0) console.error(err);
  } finally {
    for (const each of undo.toReversed()) await each();
    for (const service of SERVICES) {
      for (const version of [VERSION, NEXT_VERSION]) await tryPodman(['rmi', '--force', imageOf(service, version)]);
    }
    fs.rmSync(dir, { recursive: true, force: true });
  }
} else console.log(`skip   containers: ${reason}`);
const { passed } = results();
const failed = isBroken ? Math.max(results().failed, 1) : results().failed;
if (options.report !== undefined) fs.writeFileSync(options.report, JSON.stringify({ passed, failed }));
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
