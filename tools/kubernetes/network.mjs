// Networks of their own for the control plane and each node: bridges, packet filters and forwarding of kubelets, kube-proxies and CNI are
// there and nowhere else, and go with them. This machine is on the same bridge, where servers outside of the cluster are.
import { execFileSync, spawnSync } from 'node:child_process';

export const POD_NETWORK = '10.204.0.0/16';
export const SERVICE_NETWORK = '10.205.0.0/16';
/** What links this machine, the control plane and the nodes. */
export const LINK_PREFIX = '10.203.0';
export const MACHINE = `${LINK_PREFIX}.1`;
export const CONTROL_PLANE = `${LINK_PREFIX}.2`;
/** Nodes with their addresses and the networks of their pods. */
export const NODES = [1, 2].map((number) => ({
  name: `node-${number}`,
  address: `${LINK_PREFIX}.${10 + number}`,
  pods: `10.204.${number}.0/24`,
}));

const BRIDGE = 'nodes0';
/** The end of a link in a namespace. */
const LINK = 'link0';

const command = (program, ...args) => execFileSync(program, args, { stdio: 'pipe' });
const ip = (...args) => command('ip', ...args);
const within = (space) => ['nsenter', `--net=/run/netns/${space}`];
const inside = (space, ...args) => command(...within(space), ...args);

function makeSpace(space) {
  ip('netns', 'add', space);
  inside(space, 'ip', 'link', 'set', 'lo', 'up');
}

/** Routes to pods of nodes, but for the pods of the node itself. */
const podRoutes = (self) =>
  NODES.filter(({ name }) => name !== self?.name).map(({ pods, address }) => [pods, 'via', address]);

/** A namespace of a node, whose pods are somebody else only where they leave the network of pods. */
function makeNode(space, centre, node) {
  makeSpace(space);
  ip('link', 'add', node.name, 'netns', centre, 'type', 'veth', 'peer', 'name', LINK, 'netns', space);
  inside(centre, 'ip', 'link', 'set', node.name, 'master', BRIDGE, 'up');
  inside(space, 'ip', 'address', 'add', `${node.address}/24`, 'dev', LINK);
  inside(space, 'ip', 'link', 'set', LINK, 'up');
  for (const route of [...podRoutes(node), ['default', 'via', MACHINE]]) inside(space, 'ip', 'route', 'add', ...route);
  inside(space, 'sh', '-c', 'echo 1 >/proc/sys/net/ipv4/ip_forward');
  // answers from pod to pod on the same bridge must pass where kube-proxy has put the address of the service, and network
  // policies are filters, too
  inside(space, 'sh', '-c', 'if cd /proc/sys/net/bridge; then echo 1 >bridge-nf-call-iptables; fi');
  const leaving = ['--source', node.pods, '!', '--destination', POD_NETWORK];
  inside(space, 'iptables', '--wait', '--table', 'nat', '--append', 'POSTROUTING', ...leaving, '--jump', 'MASQUERADE');
}

/** Makes them; `{prefix, prefixOf, cut, join, remove}`: prefixes start a program there, with all files and cgroups of this machine. */
export function createNetwork(id) {
  const centre = `tally-k8s-${id}`;
  const spaceOf = ({ name }) => `${centre}-${name}`;
  const ours = `tk${id}`;
  const remove = () => {
    spawnSync('ip', ['link', 'delete', ours]);
    for (const space of [...NODES.map(spaceOf), centre]) spawnSync('ip', ['netns', 'delete', space]);
  };
  try {
    makeSpace(centre);
    inside(centre, 'ip', 'link', 'add', BRIDGE, 'type', 'bridge');
    inside(centre, 'ip', 'address', 'add', `${CONTROL_PLANE}/24`, 'dev', BRIDGE);
    inside(centre, 'ip', 'link', 'set', BRIDGE, 'up');
    ip('link', 'add', ours, 'type', 'veth', 'peer', 'name', 'machine', 'netns', centre);
    inside(centre, 'ip', 'link', 'set', 'machine', 'master', BRIDGE, 'up');
    ip('address', 'add', `${MACHINE}/24`, 'dev', ours);
    ip('link', 'set', ours, 'up');
    for (const node of NODES) makeNode(spaceOf(node), centre, node);
    for (const route of podRoutes()) {
      ip('route', 'add', ...route);
      inside(centre, 'ip', 'route', 'add', ...route);
    }
    ip('route', 'add', SERVICE_NETWORK, 'via', NODES[0].address);
  } catch (err) {
    remove();
    throw new Error(`${err.message} ${err.stderr ?? ''}`, { cause: err });
  }
  return {
    prefix: within(centre),
    prefixOf: (node) => within(spaceOf(node)),
    /** The node and its pods run on, and reach nobody. */
    cut: (node) => inside(centre, 'ip', 'link', 'set', node.name, 'down'),
    join: (node) => inside(centre, 'ip', 'link', 'set', node.name, 'up'),
    remove,
  };
}
