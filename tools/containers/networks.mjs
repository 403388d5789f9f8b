// Networks that let through what the chart's network policies let through: one for each pair of a caller and whom it calls,
// one for each service and server outside, where this machine forwards to it. None has a way out. What a network does not
// know is who of a pair may begin. Names are files that follow which pods are ready, as a headless service's records do.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { callersOf, exitsOf } from '../k8s/reachability.mjs';
import { SERVICES } from '../k8s/service-facts.mjs';
import { BASE, podman, runArguments, tryPodman } from './podman.mjs';

/** Servers outside by the port on which policies let services out; `cluster`: as the test sets `clusterPorts`. */
export const OUTSIDE = { database: 5432, broker: 5672, realm: 443, cluster: 2222 };

/** Each service may have two pods at a time, as in a rolling upgrade. */
const COPIES = ['a', 'b'];

/** Who may call whom by the rendered policies: `{caller, callee}`. */
export function edgesOf(objects) {
  const portOf = (service) => (service === 'gateway' ? 'http' : 'grpc');
  return SERVICES.flatMap((callee) =>
    callersOf(objects, callee, portOf(callee))
      .filter((caller) => SERVICES.includes(caller))
      .map((caller) => ({ caller, callee })),
  );
}

/** Room of a file of names: it is written over in one go, and nobody reads half of it. */
const NAMES_BYTES = 4096;

/** Removes containers and networks of runs whose process has ended without doing so. */
export async function removeLeftovers() {
  const isLeftOver = (name) => {
    const [, pid] = /^tally-(\d+)-/.exec(name) ?? [];
    return pid !== undefined && !fs.existsSync(`/proc/${pid}`);
  };
  const list = async (args) => (await podman(args)).split('\n').filter(isLeftOver);
  for (const name of await list(['ps', '--all', '--format', '{{.Names}}']))
    await tryPodman(['rm', '--force', '--time', '0', name]);
  for (const name of await list(['network', 'ls', '--format', '{{.Name}}']))
    await tryPodman(['network', 'rm', '--force', name]);
}

/**
 * Makes the networks of rendered objects below 10.<second>; files of names are put into `dir`.
 * @param id - the process that removes them, by its number: see {@link removeLeftovers}
 * @param undo - gets what removes them, before the first is made
 */
export async function createNetworks(objects, { id, second, dir, undo }) {
  const networks = [];
  const held = `tally-${id}-networks`;
  undo.push(async () => {
    await tryPodman(['rm', '--force', '--time', '0', held]);
    for (const { name } of networks) await tryPodman(['network', 'rm', '--force', name]);
  });
  const create = async (kind, members) => {
    const [name, prefix] = [`tally-${id}-${kind}`, `10.${second}.${networks.length}`];
    networks.push({ name, members, prefix, kind });
    // internal: a way out would be one to every other network of this machine
    await podman(['network', 'create', '--internal', '--subnet', `${prefix}.0/28`, name]);
  };
  const edges = edgesOf(objects);
  for (const { caller, callee } of edges) await create(`${caller}-${callee}`, [callee, caller]);
  const outside = SERVICES.flatMap((service) =>
    Object.entries(OUTSIDE)
      .filter(([, port]) => exitsOf(objects, service).some((exit) => exit.endsWith(`:${port}`)))
      .map(([server]) => ({ service, server })),
  );
  for (const { service, server } of outside) await create(`${service}-to-${server}`, [service]);
  await create('ingress', ['gateway']);
  // a bridge is there as long as a container is; this machine gets an address on those where it is somebody
  const open = networks.slice(edges.length);
  const joined = open.flatMap(({ name, prefix }) => ['--network', `${name}:ip=${prefix}.14`]);
  await podman(runArguments('--detach', '--name', held, ...joined, BASE, '-e', 'setInterval(() => {}, 1e9)'));
  for (const { name, prefix } of open) {
    const bridge = JSON.parse(await podman(['network', 'inspect', name]))[0].network_interface;
    execFileSync('ip', ['address', 'replace', `${prefix}.1/28`, 'dev', bridge]);
  }

  const address = ({ prefix, members }, service, copy) =>
    `${prefix}.${2 + members.indexOf(service) * COPIES.length + COPIES.indexOf(copy)}`;
  const of = (service) => networks.filter(({ members }) => members.includes(service));
  const named = (kind) => networks.find((network) => network.kind === kind);
  const ways = outside.map(({ service, server }) => {
    const { prefix } = named(`${service}-to-${server}`);
    return { service, server, prefix, host: `${prefix}.1`, port: OUTSIDE[server] };
  });
  /** Copies of services that are ready. */
  const ready = new Map(SERVICES.map((service) => [service, new Set()]));
  const namesOf = (service) => {
    const callees = edges.filter(({ caller }) => caller === service);
    const pods = callees.flatMap(({ caller, callee }) =>
      [...ready.get(callee)].map((copy) => `${address(named(`${caller}-${callee}`), callee, copy)} tally-${callee}`),
    );
    const servers = ways.filter((way) => way.service === service).map(({ server, host }) => `${host} ${server}`);
    return ['127.0.0.1 localhost', ...servers, ...pods].join('\n').padEnd(NAMES_BYTES, '\n');
  };
  const namesFile = (service) => path.join(dir, `hosts-${service}`);
  for (const service of SERVICES) fs.writeFileSync(namesFile(service), namesOf(service));
  return {
    /** Networks of a pod, and the names it knows. `networksOfPod`: all of its service unless given. */
    argumentsOf(service, copy, networksOfPod = of(service)) {
      const joined = networksOfPod.flatMap((network) => [
        '--network',
        `${network.name}:ip=${address(network, service, copy)}`,
      ]);
      return [...joined, '--no-hosts', '--volume', `${namesFile(service)}:/etc/hosts:ro`];
    },
    /** From now on callers find this pod by the name of its service, or find it no more. */
    setReady(service, copy, isReady) {
      ready.get(service)[isReady ? 'add' : 'delete'](copy);
      for (const each of SERVICES) fs.writeFileSync(namesFile(each), namesOf(each), { flag: 'r+' });
    },
    /** Networks of a pod of a service that only has to reach its database. */
    databaseOnly: (service) => [named(`${service}-to-database`)],
    /** Every address at which a pod of a service is. */
    addressesOf: (service, copy) => of(service).map((network) => address(network, service, copy)),
    ingressAddress: (copy) => address(named('ingress'), 'gateway', copy),
    /** Servers outside, once for each service that may reach them: `{service, server, host, port, prefix}`. */
    ways,
  };
}

/** Passes connections to `host:port`, which come from the network itself, on to a port of this machine. */
export async function forward({ host, port, prefix, to }) {
  const server = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (!socket.remoteAddress?.startsWith(`${prefix}.`)) return socket.destroy();
    const target = net.connect(to, '127.0.0.1');
    target.on('error', () => socket.destroy());
    target.on('close', () => socket.destroy());
    socket.on('close', () => target.destroy());
    socket.pipe(target).pipe(socket);
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return () => server.close();
}
