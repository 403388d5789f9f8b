// A node on this machine: containerd with runc and the bridge of CNI (Debian), kubelet, kube-proxy, and kube-router for network policies.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '../../packages/testkit/dist/src/index.js';
import { DNS_ADDRESS, SERVICE_NETWORK } from './control-plane.mjs';
import { NODE, POD_NETWORK } from './network.mjs';
import { startProcess } from './processes.mjs';

const START_TIMEOUT_MS = 120_000;
export const NODE_NAME = 'tally';
/** Programs that a kubelet sets for its machine, and which get back their values. */
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

const cniConfig = (dir) => ({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'bridge',
      bridge: 'pods0',
      isGateway: true,
      ipMasq: true,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        dataDir: `${dir}/addresses`,
        ranges: [[{ subnet: POD_NETWORK }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
});

const kubeletConfig = (dir) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: `${dir}/ca.crt` },
  },
  authorization: { mode: 'Webhook' },
  address: NODE,
  containerRuntimeEndpoint: `unix://${dir}/containerd.sock`,
  cgroupDriver: 'cgroupfs',
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

const proxyConfig = (dir) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  clientConnection: { kubeconfig: `${dir}/proxy.kubeconfig` },
  mode: 'iptables',
  clusterCIDR: POD_NETWORK,
  hostnameOverride: NODE_NAME,
  // these are of the whole machine
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
});

/** Of kube-router network policies alone: pods and services have their network by CNI and kube-proxy. */
const policyArguments = (dir) => [
  '--run-firewall=true',
  '--run-router=false',
  '--run-service-proxy=false',
  '--run-loadbalancer=false',
  `--kubeconfig=${dir}/admin.kubeconfig`,
  `--hostname-override=${NODE_NAME}`,
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

/** Groups that a kubelet leaves behind. */
function removeGroups() {
  const hierarchies = ['', ...fs.readdirSync('/sys/fs/cgroup')].map((name) =>
    path.join('/sys/fs/cgroup', name, 'kubepods'),
  );
  for (const top of hierarchies.filter((folder) => fs.existsSync(folder))) {
    const folders = fs
      .readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory());
    const all = folders.map((entry) => path.join(entry.parentPath, entry.name)).toSorted((a, b) => b.length - a.length);
    for (const folder of [...all, top]) fs.rmdirSync(folder);
  }
}

/** Networks of pods, as containerd names them. */
const podNetworks = () => fs.readdirSync('/run/netns').filter((name) => name.startsWith('cni-'));

/** Starts containerd; `{ctr, end}`. */
export async function startContainerd(dir, prefix, { pauseImage, onEnd }) {
  const others = new Set(podNetworks());
  write(path.join(dir, 'containerd.toml'), containerdConfig(dir, pauseImage));
  fs.mkdirSync(path.join(dir, 'cni'));
  write(path.join(dir, 'cni/10-pods.conflist'), cniConfig(dir));
  const containerd = startProcess(dir, 'containerd', 'containerd', ['--config', `${dir}/containerd.toml`], {
    prefix,
    onEnd,
  });
  const ctr = async (...args) =>
    (await run('ctr', ['--address', `${dir}/containerd.sock`, '--namespace', 'k8s.io', ...args])).stdout;
  await waitFor(() => ctr('version'), { timeoutMs: START_TIMEOUT_MS, what: 'containerd' });
  return {
    ctr,
    async end() {
      const tasks = (await ctr('tasks', 'list', '--quiet')).split('\n').filter(Boolean);
      for (const task of tasks) await ctr('tasks', 'delete', '--force', task).catch(() => {});
      await containerd.end();
      for (const name of podNetworks().filter((each) => !others.has(each))) await run('ip', ['netns', 'delete', name]);
    },
  };
}

/** Starts kubelet and kube-proxy, kube-router when it is asked to; `{killKubelet, startKubelet, startPolicies, end}`. */
export function startNode(programs, dir, prefix, { onEnd }) {
  const kernel = KERNEL_SETTINGS.map((file) => [file, fs.readFileSync(file, 'utf8')]);
  write(path.join(dir, 'resolv.conf'), 'nameserver 127.0.0.1\n');
  write(path.join(dir, 'kubelet.yaml'), kubeletConfig(dir));
  write(path.join(dir, 'proxy.yaml'), proxyConfig(dir));
  const startKubelet = () =>
    startProcess(
      dir,
      'kubelet',
      programs.kubelet,
      [
        `--config=${dir}/kubelet.yaml`,
        `--kubeconfig=${dir}/node.kubeconfig`,
        `--root-dir=${dir}/kubelet`,
        `--hostname-override=${NODE_NAME}`,
        `--node-ip=${NODE}`,
        `--cert-dir=${dir}/kubelet-certificates`,
      ],
      { prefix, onEnd },
    );
  let kubelet = startKubelet();
  const proxy = startProcess(dir, 'kube-proxy', programs['kube-proxy'], [`--config=${dir}/proxy.yaml`], {
    prefix,
    onEnd,
  });
  let policies;
  return {
    /** Once the API server knows the node, of which kube-router asks it. */
    startPolicies() {
      policies = startProcess(dir, 'kube-router', programs['kube-router'], policyArguments(dir), { prefix, onEnd });
    },
    killKubelet: () => kubelet.kill(),
    startKubelet() {
      kubelet = startKubelet();
    },
    async end() {
      await kubelet.end();
      await proxy.end();
      await policies?.end();
      for (const [file, value] of kernel) if (fs.readFileSync(file, 'utf8') !== value) fs.writeFileSync(file, value);
    },
  };
}

/** Removes what a stopped node leaves: mounts and groups of processes. */
export async function removeTraces(dir) {
  for (const target of mountsBelow(dir)) await run('umount', ['--lazy', target]).catch(() => {});
  await waitFor(() => removeGroups() ?? true, {
    timeoutMs: 30_000,
    intervalMs: 500,
    what: 'groups of pods to be gone',
  });
}
