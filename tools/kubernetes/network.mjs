// A network of its own for the node: bridges, packet filters and forwarding of kubelet, kube-proxy and CNI are there and nowhere
// else, and go with it. This machine is at its other end, where servers outside of the cluster are.
import { execFileSync, spawnSync } from 'node:child_process';
import { SERVICE_NETWORK } from './control-plane.mjs';

export const POD_NETWORK = '10.204.0.0/16';
/** This machine and the node, on the link between them. */
export const MACHINE = '10.203.0.1';
export const NODE = '10.203.0.2';
export const LINK_PREFIX = '10.203.0';

const ip = (...args) => execFileSync('ip', args, { stdio: 'pipe' });

/** Makes it; `{prefix, remove}`, where `prefix` starts a program in it, with all files and cgroups of this machine. */
export function createNetwork(id) {
  const [space, ours, theirs] = [`tally-k8s-${id}`, `tk${id}`, `tn${id}`];
  const prefix = ['nsenter', `--net=/run/netns/${space}`];
  const inside = (...args) => execFileSync(prefix[0], [...prefix.slice(1), ...args], { stdio: 'pipe' });
  const remove = () => {
    spawnSync('ip', ['link', 'delete', ours]);
    spawnSync('ip', ['netns', 'delete', space]);
  };
  try {
    ip('netns', 'add', space);
    ip('link', 'add', ours, 'type', 'veth', 'peer', 'name', theirs, 'netns', space);
    ip('address', 'add', `${MACHINE}/24`, 'dev', ours);
    ip('link', 'set', ours, 'up');
    inside('ip', 'link', 'set', 'lo', 'up');
    inside('ip', 'address', 'add', `${NODE}/24`, 'dev', theirs);
    inside('ip', 'link', 'set', theirs, 'up');
    inside('ip', 'route', 'add', 'default', 'via', MACHINE);
    for (const network of [SERVICE_NETWORK, POD_NETWORK]) ip('route', 'add', network, 'via', NODE);
    inside('sh', '-c', 'echo 1 >/proc/sys/net/ipv4/ip_forward');
    // answers from pod to pod on the same bridge must pass where kube-proxy has put the address of the service, and network
    // policies are filters, too
    inside('sh', '-c', 'if cd /proc/sys/net/bridge; then echo 1 >bridge-nf-call-iptables; fi');
  } catch (err) {
    remove();
    throw new Error(`${err.message} ${err.stderr ?? ''}`, { cause: err });
  }
  return { prefix, remove };
}
