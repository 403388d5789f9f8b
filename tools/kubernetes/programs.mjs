// Programs of a cluster: Kubernetes, helm and CoreDNS from their Go modules (packages/testkit holds the pins), the rest of Debian.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, provideGoProgram } from '../../packages/testkit/dist/src/index.js';

const run = promisify(execFile);

/** As packages/testkit/kubernetes/go.mod has it: 1.35 is the last that takes containerd 1.6, and asks to be told twice of cgroup v1. */
const VERSION = 'v1.34.4';
const [, MAJOR, MINOR] = /^v(\d+)\.(\d+)/.exec(VERSION);
const VERSION_PACKAGE = 'k8s.io/component-base/version';
const VARIABLES = {
  [`${VERSION_PACKAGE}.gitVersion`]: VERSION,
  [`${VERSION_PACKAGE}.gitMajor`]: MAJOR,
  [`${VERSION_PACKAGE}.gitMinor`]: MINOR,
};

const kubernetes = (name) => ({
  module: 'kubernetes',
  package: `k8s.io/kubernetes/cmd/${name}`,
  variables: VARIABLES,
});
/** What validation alone needs. */
const API = { 'kube-apiserver': kubernetes('kube-apiserver'), kubectl: kubernetes('kubectl') };
const NODE = {
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  kubelet: kubernetes('kubelet'),
  'kube-proxy': kubernetes('kube-proxy'),
  'kube-router': { module: 'kube-router', package: 'github.com/cloudnativelabs/kube-router/v2/cmd/kube-router' },
  helm: { module: 'helm', package: 'helm.sh/helm/v3/cmd/helm' },
  coredns: { module: 'coredns', package: '.', isStatic: true },
  pause: { module: 'pause', package: '.', isStatic: true },
};

/** Definitions of objects that are not of Kubernetes itself, from the modules of those who make them. `sum`: as in a go.sum. */
const DEFINITIONS = [
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
    files: ['prometheusrules', 'servicemonitors'].map(
      (kind) => `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`,
    ),
  },
  {
    module: 'github.com/cert-manager/cert-manager@v1.21.2',
    sum: 'h1:UWgoYM+KLNtRlqmoWOKjKBOBUPVHeepQ6/ac3ERJW68=',
    files: ['certificates', 'issuers', 'clusterissuers'].map((kind) => `deploy/crds/cert-manager.io_${kind}.yaml`),
  },
  {
    module: 'sigs.k8s.io/gateway-api@v1.3.0',
    sum: 'h1:q6okN+/UKDATola4JY7zXzx40WO4VISk7i9DIfOvr9M=',
    files: ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  },
  {
    module: 'github.com/kedacore/keda/v2@v2.21.0',
    sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
    files: ['scaledobjects', 'triggerauthentications'].map((kind) => `config/crd/bases/keda.sh_${kind}.yaml`),
  },
];

const hasProgram = (name) => spawnSync('sh', ['-c', 'command -v "$1"', '-', name]).status === 0;

/** Builds what is not yet in the cache, one after the other; the first time half an hour. @throws Error that says why not */
async function provideAll(programs) {
  const found = {};
  for (const [name, program] of Object.entries(programs)) {
    const provided = await provideGoProgram(program);
    if ('reason' in provided) throw new Error(`${name}: ${provided.reason}`);
    found[name] = provided.program;
  }
  return found;
}

/** Why there can be no API server here; undefined: there can. */
export function whyNoApiServer() {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (!hasProgram('go'))
    return 'there is no Go to build Kubernetes with (go.dev/dl, as packages/testkit/kubernetes/go.mod says)';
  if (!hasProgram('etcd')) return 'there is no etcd (apt-get install etcd-server)';
  if (!hasProgram('openssl')) return 'there is no openssl (apt-get install openssl)';
  return undefined;
}

/** Why there can be no node here, beside {@link whyNoApiServer}; undefined: there can. */
export function whyNoNode() {
  if (process.getuid() !== 0) return 'it needs root';
  const missing = [
    'containerd',
    'ctr',
    'runc',
    'podman',
    'ip',
    'iptables',
    'conntrack',
    'ipset',
    'nsenter',
    'mount',
  ].filter((name) => !hasProgram(name));
  if (!existsSync('/usr/lib/cni/bridge')) missing.push('the bridge of CNI');
  if (missing.length === 0) return undefined;
  const packages = 'containerd runc podman containernetworking-plugins iproute2 iptables conntrack ipset util-linux';
  return `there is no ${missing.join(', ')} (apt-get install ${packages})`;
}

export const provideApiPrograms = () => provideAll(API);
export const provideNodePrograms = () => provideAll(NODE);

/** Files with definitions of objects, from the Go module proxy and checked against the pinned sums. */
export async function provideDefinitions() {
  const cwd = cacheFolder('go');
  mkdirSync(cwd, { recursive: true });
  const files = [];
  for (const { module, sum, files: names } of DEFINITIONS) {
    const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd, maxBuffer: 1024 * 1024 });
    const { Dir: dir, Sum: found } = JSON.parse(stdout);
    if (found !== sum) throw new Error(`${module} is not what was looked at: ${found}`);
    files.push(...names.map((name) => path.join(dir, name)));
  }
  return files;
}
