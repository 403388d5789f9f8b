// Network policies as kube-router enforces them: from every pod, connections to all others and to servers outside. What has to
// open is computed of the policies and deployments that the API server has; nothing else may.
import net from 'node:net';
import { waitFor } from '../../packages/testkit/dist/src/index.js';
import { CONNECT } from '../containers/inside.mjs';
import { OUTSIDE } from '../containers/networks.mjs';
import { callersOf, exitsOf } from '../k8s/reachability.mjs';
import { SERVICES } from '../k8s/service-facts.mjs';
import { expectEqual, step } from '../test/steps.mjs';
import { listOf } from './control-plane.mjs';
import { imageOf } from './images.mjs';
import { MACHINE } from './network.mjs';
import { NAMESPACE } from './release.mjs';

/** A new pod's address has to come into all sets of the controller. */
const SYNC = { timeoutMs: 60_000, intervalMs: 1000, what: 'network policies' };
const MONITORING = 'monitoring';
/** Of a server outside that no policy names. */
const FORBIDDEN_PORT = 7777;
const SERVERS = { ...OUTSIDE, forbidden: FORBIDDEN_PORT };

/** A pod that is of no service, as the restricted profile takes it: one in the suite's namespace, one where Prometheus is. */
const stranger = (namespace) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'stranger', namespace },
  spec: {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'stranger',
        image: imageOf('gateway'),
        imagePullPolicy: 'Never',
        command: ['node', '-e', 'setInterval(() => {}, 60_000)'],
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
});
const STRANGERS = [NAMESPACE, MONITORING, 'default'];

/** Starts servers of this machine that take connections and say nothing. */
async function listenOutside(ports) {
  const listen = (port) =>
    new Promise((resolve, reject) => {
      const server = net.createServer((socket) => socket.on('error', () => {}).resume());
      server.once('error', reject).listen(port, MACHINE, () => resolve(server));
    });
  const servers = await Promise.all(ports.map(listen));
  return { end: () => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))) };
}

/** Whether one of `<network>:<port>` is of this machine and the port. */
const leadTo = (exits, port) =>
  exits.some((exit) => {
    const [network, open] = exit.split(':');
    const [address, prefix] = network.split('/');
    const list = new net.BlockList();
    list.addSubnet(address, Number(prefix));
    return Number(open) === port && list.check(MACHINE);
  });

/** Ports of all pods of the suite: `{pod, service, container, address, portName, number}`, and as `name` both. */
async function suitePorts(release) {
  const found = await Promise.all(SERVICES.map(async (service) => [service, await release.podsOf(service)]));
  return found.flatMap(([service, pods]) =>
    pods.flatMap(({ metadata, status, spec }) =>
      spec.containers.flatMap(({ name: container, ports = [] }) =>
        ports.map(({ name, containerPort: number }) => {
          const pod = { pod: metadata.name, service, container, address: status.podIP };
          return { ...pod, name: `${metadata.name}:${name}`, portName: name, number };
        }),
      ),
    ),
  );
}

/** Who tries, and what has to open to it: `{name, namespace, pod, container, expected}`. */
function sourcesOf(ports, objects) {
  const mayEnter = (from, to) =>
    to.pod === from.pod || callersOf(objects, to.service, to.portName).includes(from.service);
  const pods = [...new Map(ports.map((port) => [port.pod, port])).values()].map((from) => ({
    ...from,
    name: from.pod,
    namespace: NAMESPACE,
    expected: [
      ...ports.filter((to) => mayEnter(from, to)).map(({ name }) => name),
      ...Object.keys(SERVERS).filter((server) => leadTo(exitsOf(objects, from.service), SERVERS[server])),
    ],
  }));
  const strangers = STRANGERS.map((namespace) => ({
    name: `a stranger in ${namespace}`,
    namespace,
    pod: 'stranger',
    container: 'stranger',
    expected: [
      ...ports.filter(({ portName }) => namespace === MONITORING && portName === 'metrics').map(({ name }) => name),
      ...Object.keys(SERVERS),
      'API server',
    ],
  }));
  return [...pods, ...strangers];
}

/** Tries all; `{faults, open, shut}`: what is not as it has to be, and how many connections have to open and not to. */
async function tryAll({ cluster, release }) {
  const ports = await suitePorts(release);
  const { items } = JSON.parse(await release.kubectl('get', 'deployments,networkpolicies', '--output', 'json'));
  const targets = [
    ...ports.map(({ name, address, number }) => [name, address, number]),
    ...Object.entries(SERVERS).map(([name, port]) => [name, MACHINE, port]),
    ['API server', cluster.server.hostname, Number(cluster.server.port)],
  ];
  const script = CONNECT.replace('TARGETS', JSON.stringify(targets));
  const sources = sourcesOf(ports, items);
  const faultsOf = async ({ name, namespace, pod, container, expected }) => {
    const inside = ['--namespace', namespace, 'exec', pod, '--container', container, '--', 'node', '-e', script];
    const open = JSON.parse(await cluster.kubectl(inside));
    return [
      ...open.filter((target) => !expected.includes(target)).map((target) => `${name} reaches ${target}`),
      ...expected.filter((target) => !open.includes(target)).map((target) => `${name} does not reach ${target}`),
    ];
  };
  const faults = (await Promise.all(sources.map(faultsOf))).flat();
  const open = sources.reduce((sum, { expected }) => sum + expected.length, 0);
  return { faults, open, shut: sources.length * targets.length - open };
}

/** Until connections are as policies say. @throws Error with those that are not */
async function policiesHold(suite) {
  const hold = async () => {
    const found = await tryAll(suite);
    expectEqual(found.faults, []);
    return found;
  };
  return await waitFor(hold, SYNC);
}

/** Needs the release installed, and leaves it as it was. */
export async function provePolicies(suite) {
  const { cluster, release } = suite;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: MONITORING } };
  const objects = listOf([namespace, ...STRANGERS.map(stranger)]);
  const servers = await listenOutside([OUTSIDE.realm, OUTSIDE.cluster, FORBIDDEN_PORT]);
  try {
    await cluster.kubectl(['apply', '--filename', '-'], { input: objects });
    for (const name of STRANGERS)
      await cluster.kubectl(['--namespace', name, 'wait', '--for=condition=Ready', 'pod/stranger', '--timeout=60s']);
    const { open, shut } = await step('network policies: from every pod what they open opens, and nothing else', () =>
      policiesHold(suite),
    );
    console.log(`         ${open} connections open, ${shut} do not`);
    await step('network policies: without that of auth a stranger gets in, and with it no more', async () => {
      const policy = await release.kubectl('get', 'networkpolicy', 'tally-auth', '--output', 'yaml');
      await release.kubectl('delete', 'networkpolicy', 'tally-auth');
      const isIn = async () =>
        (await tryAll(suite)).faults.some((fault) => fault.startsWith('a stranger in default reaches tally-auth-'));
      await waitFor(isIn, SYNC);
      await cluster.kubectl(['apply', '--filename', '-'], { input: policy });
      await policiesHold(suite);
    });
  } finally {
    await cluster.kubectl(['delete', '--filename', '-'], { input: objects });
    await servers.end();
  }
}
