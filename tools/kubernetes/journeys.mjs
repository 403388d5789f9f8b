// What happens to an installation: jobs of users through all that operators and faults do to it.
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { codeOf, commandsOf, waitFor } from '../../packages/testkit/dist/src/index.js';
import { createUser } from '../containers/users.mjs';
import { SERVICES } from '../k8s/service-facts.mjs';
import { expectEqual, step } from '../test/steps.mjs';
import { issueCertificates, proveMutualTls } from './certificates.mjs';
import { listOf } from './control-plane.mjs';
import { dnsObjects } from './dns.mjs';
import { BROKEN_MIGRATION, BROKEN_VERSION, NEXT_VERSION, REPOSITORY, VERSION } from './images.mjs';
import { underLoad } from './load.mjs';
import { LINK_PREFIX, NODES } from './network.mjs';
import { drainNodes, expectSpread, fillNodes, loseNode } from './node-journeys.mjs';
import { provePolicies } from './policies.mjs';
import { createRelease, NAMESPACE } from './release.mjs';
import { backUpAndRestore, rotatePasswords, rotateSecrets } from './runbooks.mjs';
import { applyDefinitions } from './validation.mjs';

const NODE_TIMEOUT_MS = 180_000;
/** Shorter than a node may be silent (40 s): nobody moves its pods that soon, and what runs on it runs on. */
const KUBELET_PAUSE_MS = 10_000;

/** As the operators' guide has it; images are made in another way here, and values and servers are the test's. */
const INSTALL = [commandsOf('operators-guide.md', 'Namespace'), commandsOf('operators-guide.md', 'Production')].join(
  '',
);

async function prepare(cluster, nodes) {
  const { kubectl } = cluster;
  const names = NODES.map(({ name }) => `node/${name}`);
  await step('the nodes are ready', () =>
    waitFor(() => kubectl(['wait', '--for=condition=Ready', ...names, '--timeout=5s']), {
      timeoutMs: NODE_TIMEOUT_MS,
      intervalMs: 500,
      what: 'the nodes',
    }),
  );
  for (const node of nodes) node.startPolicies();
  await step('CoreDNS runs as pods, and knows the API server', async () => {
    await kubectl(['apply', '--filename', '-'], { input: listOf(dnsObjects) });
    await kubectl(['--namespace', 'kube-system', 'rollout', 'status', 'deployment/coredns', '--timeout=180s']);
  });
  await applyDefinitions(cluster);
}

async function killParts({ release, user, nodes: [node], cluster }) {
  const kill = async (service) => {
    const [pod] = await release.podsOf(service);
    await release.kubectl('delete', 'pod', pod.metadata.name, '--force', '--grace-period=0', '--wait=false');
    await release.settled(service);
  };
  await step('a pod of jobs and one of direct-runner are killed under load: no job is lost', () =>
    underLoad(user, async () => {
      for (const service of ['jobs', 'direct-runner']) await kill(service);
    }),
  );
  await step('the kubelet is killed under load and comes back: no job is lost', () =>
    underLoad(user, async () => {
      await node.killKubelet();
      await sleep(KUBELET_PAUSE_MS);
      node.startKubelet();
      await cluster.kubectl(['wait', '--for=condition=Ready', `node/${node.name}`, '--timeout=120s']);
    }),
  );
}

const differing = (before, after) => Object.keys(after).filter((service) => after[service] !== before[service]);

/** Versions of the images that the pods of services run, each once. */
async function versionsOf(release, services) {
  const pods = await Promise.all(services.map((service) => release.podsOf(service)));
  const images = pods.flat().flatMap(({ spec }) => spec.containers.map(({ image }) => image.split(':').at(-1)));
  return [...new Set(images)].toSorted((a, b) => a.localeCompare(b));
}

/** Commands of docs/runbook/upgrade.md under a heading, until every pod is as its deployment wants it. */
async function upgrade(release, heading, variables = '') {
  await release.shell(`${variables}\n${commandsOf('runbook/upgrade.md', heading)}`);
  await release.settled(...SERVICES);
}

/** Services by themselves, and all together, there and back while a job runs. */
async function upgradeAndGoBack({ release, user }) {
  const there = async (what, heading, variables, services) => {
    await step(`upgrade.md: ${what} under load, which rolls its deployments and no other: no job is lost`, async () => {
      const before = await release.revisions();
      await underLoad(user, () => upgrade(release, heading, `new=${NEXT_VERSION}; ${variables}`));
      expectEqual(differing(before, await release.revisions()).toSorted(), services.toSorted());
      expectEqual(await versionsOf(release, services), [NEXT_VERSION]);
    });
    await step('upgrade.md: it is rolled back under load, and no other: no job is lost', async () => {
      const before = await release.revisions();
      await underLoad(user, () => upgrade(release, 'Back'));
      expectEqual(differing(before, await release.revisions()).toSorted(), services.toSorted());
      expectEqual(await versionsOf(release, services), [VERSION]);
    });
  };
  for (const service of ['jobs', 'direct-runner'])
    await there(service, 'One service alone', `service=${service}`, [service]);
  await there('all services', 'The whole release', '', [...SERVICES]);
}

/** Long enough for a pod to start on a busy machine, and no longer: Kubernetes tries a failed migration again until then. */
const BROKEN_TIMEOUT_SECONDS = 60;

/** A release that fails in its hook, and what upgrade.md says to do then. */
async function failToMigrate({ release, user }) {
  const broken = `services.jobs.image.tag=${BROKEN_VERSION}`;
  const timeout = `migrate.timeoutSeconds=${BROKEN_TIMEOUT_SECONDS}`;
  await step('a migration of jobs fails under load: the release of before runs on, in new pods, too', async () => {
    const before = await release.revisions();
    await underLoad(user, async () => {
      const command = `helm upgrade tally k8s/chart -n tally -f my-values.yaml --set ${broken},${timeout}`;
      const fault = await release.shell(command).then(
        () => 'it went well',
        (err) => err.message,
      );
      if (!/pre-upgrade hooks failed/.test(fault)) throw new Error(`helm does not say that the hook failed: ${fault}`);
      const [pod] = await release.podsOf('jobs');
      await release.kubectl('delete', 'pod', pod.metadata.name);
      await release.settled(...SERVICES);
    });
    expectEqual(await release.revisions(), before);
    expectEqual(await versionsOf(release, SERVICES), [VERSION]);
  });
  await step('upgrade.md: what it says of a migration that failed, and the upgrade goes well', async () => {
    const variables = `service=jobs; migration=${BROKEN_MIGRATION}; export DATABASE_URL="$JOBS_DATABASE_URL"`;
    const said = await release.shell(`${variables}\n${commandsOf('runbook/upgrade.md', 'A migration failed')}`);
    if (!/not_there/.test(said)) throw new Error(`the log does not name the cause: ${said}`);
    await underLoad(user, () => upgrade(release, 'The whole release', `new=${VERSION}`));
  });
}

/**
 * The overlay of the operators' guide with the test's images for all services. One copy of each service, and a network of its own.
 */
const overlay = (version) => {
  const [text] = codeOf('operators-guide.md', 'kubectl alone', 'yaml');
  const guide = parse(text);
  return { ...guide, ...OVERLAY(version), patches: [...guide.patches, ...OVERLAY(version).patches] };
};

const OVERLAY = (version) => ({
  images: SERVICES.map((service) => ({
    name: `tally/${service}`,
    newName: `${REPOSITORY}/${service}`,
    newTag: version,
  })),
  replicas: SERVICES.map((service) => ({ name: `tally-${service}`, count: 1 })),
  patches: [
    {
      target: { kind: 'NetworkPolicy', name: 'tally-gateway' },
      patch: JSON.stringify([
        { op: 'replace', path: '/spec/ingress/0/from', value: [{ ipBlock: { cidr: `${LINK_PREFIX}.0/24` } }] },
      ]),
    },
    {
      target: { kind: 'Deployment' },
      patch: JSON.stringify([
        {
          op: 'replace',
          path: '/spec/template/spec/containers/0/resources/requests',
          value: { cpu: '20m', memory: '128Mi' },
        },
      ]),
    },
  ],
});

/** The manifests without helm, in the place of the release that is gone: the same secrets and databases. */
async function useKubectlAlone({ release, user }) {
  await step('operators-guide.md: kubectl alone installs the manifests, and jobs run', async () => {
    release.write('my-overlay/kustomization.yaml', overlay(VERSION));
    await release.shell('kubectl apply -k my-overlay');
    await release.settled(...SERVICES);
    expectEqual(
      await release.kubectl('get', 'configmap', 'tally-jobs', '--output', 'jsonpath={.data.JOBS_LEASE_MS}'),
      '30000',
    );
    await user.moveTo(await release.gatewayUrl());
    await user.completed(await user.submit(400, 2), 400);
  });
  await step('upgrade.md: kubectl alone upgrades them under load: no job is lost', async () => {
    release.write('my-overlay/kustomization.yaml', overlay(NEXT_VERSION));
    await underLoad(user, () => upgrade(release, 'With kubectl alone'));
    expectEqual(await versionsOf(release, SERVICES), [NEXT_VERSION]);
  });
}

async function install({ cluster, release }) {
  await step('helm installs the chart with mutual TLS: migrations, then every pod is ready', async () => {
    await release.shell(INSTALL);
    await issueCertificates(cluster, NAMESPACE);
    await release.settled(...SERVICES);
  });
  await step('helm test finds it ready', () => release.shell('helm -n tally test tally'));
  await step('mutual TLS: who shows a certificate is answered, who shows none or speaks in clear is not', () =>
    proveMutualTls(release),
  );
}

async function remove({ release }) {
  await step('helm takes everything away but the secrets', async () => {
    await release.shell(commandsOf('operators-guide.md', 'Remove'));
    const kinds =
      'deployments,jobs,services,configmaps,networkpolicies,poddisruptionbudgets,serviceaccounts,certificates';
    const names = (await release.kubectl('get', kinds, '--output', 'name')).split('\n').filter(Boolean);
    expectEqual(
      names.filter((name) => name.includes('tally')),
      [],
    );
    const secrets = (await release.kubectl('get', 'secrets', '--output', 'name')).split('\n').filter(Boolean);
    const expected = SERVICES.flatMap((service) => [`secret/tally-${service}`, `secret/tally-${service}-tls`]);
    expectEqual(secrets.toSorted(), expected.toSorted());
  });
}

/** `cluster`: of control-plane.mjs; `nodes`: of node.mjs; `network`: of network.mjs; `outside`: of outside.mjs. */
export async function runJourneys({ cluster, nodes, network, outside, programs, dir }) {
  await prepare(cluster, nodes);
  const release = createRelease(cluster, programs, dir, outside);
  await install({ cluster, release });
  const user = createUser(await release.gatewayUrl());
  const all = { release, user, nodes, network, cluster };
  await step('a user registers, submits a job, and gets its results', async () => {
    await user.register('ada');
    await user.completed(await user.submit(400, 4), 400);
  });
  await step('each node has a pod of each service', () => expectSpread(release));
  await provePolicies(all);
  await killParts(all);
  await fillNodes(all);
  await loseNode(all);
  await failToMigrate(all);
  await upgradeAndGoBack(all);
  await step('after all upgrades each node has a pod of each service, too', () => expectSpread(release));
  await rotateSecrets(all);
  await backUpAndRestore(all);
  await drainNodes(all);
  await remove(all);
  await useKubectlAlone(all);
  await rotatePasswords(all);
}
