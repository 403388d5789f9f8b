// What happens to an installation: jobs of users through all that operators and faults do to it.
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../packages/testkit/dist/src/index.js';
import { createUser } from '../containers/users.mjs';
import { SERVICES } from '../k8s/service-facts.mjs';
import { expectEqual, step } from '../test/steps.mjs';
import { listOf } from './control-plane.mjs';
import { dnsObjects } from './dns.mjs';
import { NEXT_VERSION, REPOSITORY, VERSION } from './images.mjs';
import { LINK_PREFIX } from './network.mjs';
import { NODE_NAME } from './node.mjs';
import { provePolicies } from './policies.mjs';
import { createRelease } from './release.mjs';
import { backUpAndRestore, commandsOf, rotatePasswords, rotateSecrets } from './runbooks.mjs';

/** Enough for tasks to run while pods are replaced. */
const LONG_PRIMARIES = 300_000;
const LONG_TASKS = 6;
const NODE_TIMEOUT_MS = 180_000;
/** Longer than a node may be silent (40 s): nobody moves its pods that soon, and what runs on it runs on. */
const KUBELET_PAUSE_MS = 10_000;

/** As the operators' guide has it. */
const INSTALL = `
  kubectl create namespace tally
  kubectl label namespace tally pod-security.kubernetes.io/enforce=restricted
  kubectl -n tally get secrets -o json | node tools/k8s-secrets.mjs --namespace tally | kubectl apply -f -
  helm install tally k8s/chart -n tally -f my-values.yaml
`;

async function prepare({ kubectl }, node) {
  await step('the node is ready', () =>
    waitFor(() => kubectl(['wait', '--for=condition=Ready', `node/${NODE_NAME}`, '--timeout=5s']), {
      timeoutMs: NODE_TIMEOUT_MS,
      intervalMs: 500,
      what: 'the node',
    }),
  );
  node.startPolicies();
  await step('CoreDNS runs as a pod, and knows the API server', async () => {
    await kubectl(['apply', '--filename', '-'], { input: listOf(dnsObjects) });
    await kubectl(['--namespace', 'kube-system', 'rollout', 'status', 'deployment/coredns', '--timeout=180s']);
  });
}

/** Runs `disturb` while a long job of the user runs, and waits for the job's end: all its primaries are there. */
async function underLoad(user, disturb) {
  const jobId = await user.submit(LONG_PRIMARIES, LONG_TASKS);
  await user.running(jobId);
  await disturb();
  await user.completed(jobId, LONG_PRIMARIES);
}

async function killParts({ release, user, node, cluster }) {
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
      await cluster.kubectl(['wait', '--for=condition=Ready', `node/${NODE_NAME}`, '--timeout=120s']);
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

/** Without another node nothing that a runner could wait for comes back while it drains. */
const DRAIN_MS = 10_000;

/** One pod of each service, as budgets of disruption let all go where there is no other node. */
async function drainNode({ release, user }) {
  await step(
    'operators-guide.md: the node is drained under load, and taken into service again: no job is lost',
    async () => {
      const drain = `services.direct-runner.settings.RUNNER_DRAIN_MS=${DRAIN_MS}`;
      await release.shell(`helm upgrade tally k8s/chart -n tally -f my-values.yaml --set-string ${drain}`);
      for (const service of SERVICES) await release.kubectl('scale', `deployment/tally-${service}`, '--replicas=1');
      await release.settled(...SERVICES);
      // one with the setting of before would take a task, and wait an hour for services that cannot come back
      await release.ended('direct-runner');
      await underLoad(user, async () => {
        await release.shell(`node=${NODE_NAME}\n${commandsOf('operators-guide.md', 'Take a node out of service')}`);
        await release.settled(...SERVICES);
      });
    },
  );
}

/** As the operators' guide has it: `k8s/manifests` with one's own images. No more pods than a node of two processors takes. */
const overlay = (version) => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  namespace: 'tally',
  resources: ['../k8s/manifests'],
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
    await user.moveTo(await release.gatewayUrl());
    await user.completed(await user.submit(400, 2), 400);
  });
  await step('upgrade.md: kubectl alone upgrades them under load: no job is lost', async () => {
    release.write('my-overlay/kustomization.yaml', overlay(NEXT_VERSION));
    await underLoad(user, () => upgrade(release, 'With kubectl alone'));
    expectEqual(await versionsOf(release, SERVICES), [NEXT_VERSION]);
  });
}

export async function runJourneys({ cluster, node, outside, programs, dir }) {
  await prepare(cluster, node);
  const release = createRelease(cluster, programs, dir, outside);
  await step('helm installs the chart: migrations, then every pod is ready', async () => {
    await release.shell(INSTALL);
    await release.settled(...SERVICES);
  });
  const user = createUser(await release.gatewayUrl());
  await step('a user registers, submits a job, and gets its results', async () => {
    await user.register('ada');
    await user.completed(await user.submit(400, 2), 400);
  });
  const all = { release, user, node, cluster };
  await provePolicies(all);
  await step('direct-runner and gateway are scaled to two, and runs go on', async () => {
    for (const service of ['direct-runner', 'gateway'])
      await release.kubectl('scale', `deployment/tally-${service}`, '--replicas=2');
    await release.settled('direct-runner', 'gateway');
    await user.completed(await user.submit(400, 4), 400);
  });
  await killParts(all);
  await upgradeAndGoBack(all);
  await rotateSecrets(all);
  await backUpAndRestore(all);
  await drainNode(all);
  await step('helm takes everything away but the secrets', async () => {
    await release.shell(commandsOf('operators-guide.md', 'Remove'));
    const kinds = 'deployments,jobs,services,configmaps,networkpolicies,poddisruptionbudgets,serviceaccounts';
    const names = (await release.kubectl('get', kinds, '--output', 'name')).split('\n').filter(Boolean);
    expectEqual(
      names.filter((name) => name.includes('tally')),
      [],
    );
    const secrets = (await release.kubectl('get', 'secrets', '--output', 'name')).split('\n').filter(Boolean);
    expectEqual(secrets.toSorted(), SERVICES.map((service) => `secret/tally-${service}`).toSorted());
  });
  await useKubectlAlone(all);
  await rotatePasswords(all);
}
