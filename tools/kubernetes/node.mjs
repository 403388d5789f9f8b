// Nodes on this machine: each has containerd with runc and the bridge of CNI (Debian), kubelet, kube-proxy, and kube-router for network policies.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '../../packages/testkit/dist/src/index.js';
import { DNS_ADDRESS } from './control-plane.mjs';
import { POD_NETWORK, SERVICE_NETWORK } from './network.mjs';
import { startProcess } from './processes.mjs';

const START_TIMEOUT_MS = 120_000;
/** Processors that pods of a node may ask for, on every machine: one runner with its real requests fills a node. */
const PROCESSORS = 2;
/** What a kubelet sets for its machine, and what gets back its values. */
const KERNEL_SETTINGS = ['vm/overcommit_memory', 'vm/panic_on_oom', 'kernel/panic', 'kernel/panic_on_oops'].map(
  (name) => `/proc/sys/${name}`,
);
/** Below what a process of this machine may have, which only more rights would raise. */
const OPEN_FILES = 16_384;

const run = promisify(execFile);
const write = (file, text) => fs.writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text));

/** `restrict_oom_score_adj`: machines that may not lower it, as those within other machines, still run containers. */
const containerdConfig = (dir, pauseImage) => `
version = 2
root = "${dir}/containerd"
state = "${dir}/containerd-state"
[grpc]
  address = "${dir}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${dir}/cni"
`;

const cniConfig = ({ dir, pods }) => ({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'bridge',
      bridge: 'pods0',
      isGateway: true,
      ipMasq: false,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        dataDir: `${dir}/addresses`,
        ranges: [[{ subnet: pods }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
});

const kubeletConfig = ({ dir, address, authorityFile, group }) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: authorityFile },
  },
  authorization: { mode: 'Webhook' },
  address,
  containerRuntimeEndpoint: `unix://${dir}/containerd.sock`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: group,
  systemReserved: { cpu: String(Math.max(os.cpus().length - PROCESSORS, 0)) },
  // machines with cgroup v1, and such as may not change every setting of their kernel
  failCgroupV1: false,
  featureGates: { KubeletInUserNamespace: true },
  failSwapOn: false,
  clusterDNS: [DNS_ADDRESS],
  clusterDomain: 'cluster.local',
  resolvConf: `${dir}/resolv.conf`,
  podLogsDir: `${dir}/pod-logs`,
  volumePluginDir: `${dir}/volume-plugins`,
  staticPodPath: '',
  maxOpenFiles: OPEN_FILES,
  podPidsLimit: 512,
  registryPullQPS: 0,
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 100,
});

const proxyConfig = ({ name, configOf }) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  clientConnection: { kubeconfig: configOf('proxy') },
  mode: 'iptables',
  clusterCIDR: POD_NETWORK,
  hostnameOverride: name,
  // these are of the whole machine
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
});

/** Of kube-router network policies alone: pods and services have their network by CNI and kube-proxy. */
const policyArguments = ({ name, configOf }) => [
  '--run-firewall=true',
  '--run-router=false',
  '--run-service-proxy=false',
  '--run-loadbalancer=false',
  `--kubeconfig=${configOf('admin')}`,
  `--hostname-override=${name}`,
  `--service-cluster-ip-range=${SERVICE_NETWORK}`,
];

/** What is still mounted below a folder, innermost first. */
const mountsBelow = (dir) =>
  fs
    .readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((target) => target.startsWith(`${dir}/`))
    .toReversed();

/** The same group of processes in each hierarchy of the kernel. */
function foldersOf(group) {
  const top = '/sys/fs/cgroup';
  if (fs.existsSync(path.join(top, 'cgroup.procs'))) return [path.join(top, group)]; // cgroup v2
  const hierarchies = new Set(fs.readdirSync(top).map((name) => fs.realpathSync(path.join(top, name))));
  return [...hierarchies].map((folder) => path.join(folder, group));
}

/** Groups that a kubelet leaves behind, and the one that was made for it. */
function removeGroups(group) {
  for (const top of foldersOf(group).filter((folder) => fs.existsSync(folder))) {
    const folders = fs
      .readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory());
    const all = folders.map((entry) => path.join(entry.parentPath, entry.name)).toSorted((a, b) => b.length - a.length);
    for (const folder of [...all, top]) fs.rmdirSync(folder);
  }
}

/** Networks of pods, as containerd names them. */
const podNetworks = () => fs.readdirSync('/run/netns').filter((name) => name.startsWith('cni-'));

async function startContainerd(node, { prefix, pauseImage, onEnd }) {
  const { dir } = node;
  write(path.join(dir, 'containerd.toml'), containerdConfig(dir, pauseImage));
  fs.mkdirSync(path.join(dir, 'cni'));
  write(path.join(dir, 'cni/10-pods.conflist'), cniConfig(node));
  const args = ['--config', `${dir}/containerd.toml`];
  const containerd = startProcess(dir, 'containerd', 'containerd', args, { prefix, onEnd });
  const ctr = async (...words) =>
    (await run('ctr', ['--address', `${dir}/containerd.sock`, '--namespace', 'k8s.io', ...words])).stdout;
  try {
    await waitFor(() => ctr('version'), { timeoutMs: START_TIMEOUT_MS, what: 'containerd' });
  } catch (err) {
    await containerd.end();
    throw err;
  }
  return {
    ctr,
    async end() {
      const tasks = (await ctr('tasks', 'list', '--quiet')).split('\n').filter(Boolean);
      for (const task of tasks) await ctr('tasks', 'delete', '--force', task).catch(() => {});
      await containerd.end();
    },
  };
}

/**
 * A node, of which containerd runs already; `{name, ctr, start, startPolicies, killKubelet, startKubelet, end}`.
 * `node`: of network.mjs; `dir`: the cluster's folder; `prefix`: the node's network.
 */
export async function prepareNode(
  programs,
  { node: { name, address, pods }, dir: clusterDir, prefix, pauseImage, onEnd },
) {
  const dir = path.join(clusterDir, name);
  fs.mkdirSync(dir);
  const group = `/${path.basename(clusterDir)}-${name}`;
  const configOf = (user) => path.join(clusterDir, `${user}.kubeconfig`);
  const node = { name, address, pods, dir, group, configOf, authorityFile: path.join(clusterDir, 'ca.crt') };
  const containerd = await startContainerd(node, { prefix, pauseImage, onEnd });
  const running = [];
  const start = (program, args) => {
    const started = startProcess(dir, program, programs[program], args, { prefix, onEnd });
    running.push(started);
    return started;
  };
  let kubelet;
  const startKubelet = () => {
    kubelet = start('kubelet', [
      `--config=${dir}/kubelet.yaml`,
      `--kubeconfig=${configOf(name)}`,
      `--root-dir=${dir}/kubelet`,
      `--hostname-override=${name}`,
      `--node-ip=${address}`,
      `--cert-dir=${dir}/kubelet-certificates`,
    ]);
  };
  return {
    name,
    ctr: containerd.ctr,
    /** Starts kubelet and kube-proxy. */
    start() {
      write(path.join(dir, 'resolv.conf'), 'nameserver 127.0.0.1\n');
      write(path.join(dir, 'kubelet.yaml'), kubeletConfig(node));
      write(path.join(dir, 'proxy.yaml'), proxyConfig(node));
      for (const folder of foldersOf(group)) fs.mkdirSync(folder);
      startKubelet();
      start('kube-proxy', [`--config=${dir}/proxy.yaml`]);
    },
    /** Once the API server knows the node, of which kube-router asks it. */
    startPolicies: () => start('kube-router', policyArguments(node)),
    killKubelet: () => kubelet.kill(),
    startKubelet,
    async end() {
      for (const each of running) await each.end();
      await containerd.end();
      for (const target of mountsBelow(dir)) await run('umount', ['--lazy', target]).catch(() => {});
      const isGone = () => removeGroups(group) ?? true;
      await waitFor(isGone, { timeoutMs: 30_000, intervalMs: 500, what: 'groups of pods to be gone' });
    },
  };
}

/** What nodes change of this machine; gives what puts it back when they have ended. */
export function keepMachine() {
  const kernel = KERNEL_SETTINGS.map((file) => [file, fs.readFileSync(file, 'utf8')]);
  const others = new Set(podNetworks());
  return async () => {
    for (const [file, value] of kernel) if (fs.readFileSync(file, 'utf8') !== value) fs.writeFileSync(file, value);
    for (const name of podNetworks().filter((each) => !others.has(each))) await run('ip', ['netns', 'delete', name]);
  };
}
