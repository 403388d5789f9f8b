// The control plane of a cluster on this machine: etcd, an API server, and where a node is wanted controllers and scheduler.
import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { freePort, waitFor } from '../../packages/testkit/dist/src/index.js';
import { NODES, SERVICE_NETWORK } from './network.mjs';
import { startProcess } from './processes.mjs';

const START_TIMEOUT_MS = 180_000;
const SERVICE_ADDRESS = '10.205.0.1';
export const DNS_ADDRESS = '10.205.0.10';
const NAMES = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];

/** Objects as one text for kubectl. */
export const listOf = (items) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

/** Who asks the API server, and the groups that say what they may. */
const USERS = {
  admin: ['admin', 'system:masters'],
  'controller-manager': ['system:kube-controller-manager', ''],
  scheduler: ['system:kube-scheduler', ''],
  proxy: ['system:kube-proxy', ''],
  ...Object.fromEntries(NODES.map(({ name }) => [name, [`system:node:${name}`, 'system:nodes']])),
};

const openssl = (...args) => execFileSync('openssl', args, { stdio: 'pipe' });
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];

/** An authority, and what it says of the API server: to those who ask it, and to the kubelet that it asks. */
function makeCertificates(dir, address) {
  const file = (name) => path.join(dir, name);
  const ca = ['-keyout', file('ca.key'), '-out', file('ca.crt'), '-subj', '/CN=tally test cluster'];
  openssl('req', '-x509', ...NEW_KEY, ...ca);
  const issue = (name, subject, extension) => {
    const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-addext', extension, '-subj', subject];
    openssl('req', '-x509', ...NEW_KEY, '-keyout', file(`${name}.key`), '-out', file(`${name}.crt`), ...signed);
  };
  const names = [...NAMES.map((name) => `DNS:${name}`), `IP:${address}`, `IP:${SERVICE_ADDRESS}`];
  issue('server', '/CN=kube-apiserver', `subjectAltName=${names.join()}`);
  issue('kubelet-client', '/O=system:masters/CN=kube-apiserver-kubelet-client', 'extendedKeyUsage=clientAuth');
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  fs.writeFileSync(file('accounts.pub'), publicKey);
  fs.writeFileSync(file('accounts.key'), privateKey, { mode: 0o600 });
}

/** Tokens of all users for the API server, and what each of them connects with. */
function makeUsers(dir, server) {
  const tokens = Object.fromEntries(Object.keys(USERS).map((user) => [user, randomBytes(16).toString('hex')]));
  const lines = Object.entries(USERS).map(([user, [name, group]]) => `${tokens[user]},${name},${user},"${group}"`);
  fs.writeFileSync(path.join(dir, 'tokens.csv'), `${lines.join('\n')}\n`, { mode: 0o600 });
  for (const [user, token] of Object.entries(tokens)) {
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server, 'certificate-authority': path.join(dir, 'ca.crt') } }],
      users: [{ name: user, user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user } }],
      'current-context': 'test',
    };
    fs.writeFileSync(path.join(dir, `${user}.kubeconfig`), JSON.stringify(config), { mode: 0o600 });
  }
}

async function startEtcd(dir, prefix, onEnd) {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const args = Object.entries({
    name: 'test',
    'data-dir': path.join(dir, 'etcd'),
    'initial-cluster': `test=${peer}`,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
  }).map(([name, value]) => `--${name}=${value}`);
  return { url: client, process: startProcess(dir, 'etcd', 'etcd', args, { prefix, onEnd }) };
}

const apiServerArguments = (dir, { etcd, address, port }) => {
  const file = (name) => path.join(dir, name);
  return [
    `--etcd-servers=${etcd}`,
    `--bind-address=${address}`,
    `--advertise-address=${address}`,
    `--secure-port=${port}`,
    `--service-cluster-ip-range=${SERVICE_NETWORK}`,
    `--tls-cert-file=${file('server.crt')}`,
    `--tls-private-key-file=${file('server.key')}`,
    `--kubelet-client-certificate=${file('kubelet-client.crt')}`,
    `--kubelet-client-key=${file('kubelet-client.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('accounts.pub')}`,
    `--service-account-signing-key-file=${file('accounts.key')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
  ];
};

/**
 * Starts etcd and an API server; `{dir, server, kubectl, startControllers, end}`.
 * `address`: where it listens; `prefix`: what its programs are started by. `onEnd(name, tail)` is told of programs that end by themselves.
 */
export async function startControlPlane(programs, dir, { address = '127.0.0.1', prefix = [], onEnd } = {}) {
  const port = await freePort();
  makeCertificates(dir, address);
  const server = new URL(`https://${address}:${port}`);
  makeUsers(dir, server.origin);
  const running = [];
  const start = (name, args, options = {}) => {
    const started = startProcess(dir, name, programs[name], args, { onEnd, prefix, ...options });
    running.push(started);
    return started;
  };
  // etcd is asked by 127.0.0.1 of the network that the API server is in
  const etcd = await startEtcd(dir, prefix, onEnd);
  running.push(etcd.process);
  const apiServer = start('kube-apiserver', apiServerArguments(dir, { etcd: etcd.url, address, port }));
  const configOf = (user) => path.join(dir, `${user}.kubeconfig`);
  /** Runs kubectl as the administrator; gives what it prints. @throws Error with what it says */
  const kubectl = (args, { input, timeoutMs = 600_000 } = {}) =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, KUBECONFIG: configOf('admin') };
      const options = { env, maxBuffer: 64 * 1024 * 1024, timeout: timeoutMs };
      const child = execFile(programs.kubectl, args, options, (err, stdout, stderr) => {
        if (err === null) resolve(stdout);
        else reject(new Error(`kubectl ${args.slice(0, 3).join(' ')}: ${stderr.trim() || err.message}`));
      });
      child.stdin.on('error', () => {}).end(input ?? '');
    });
  const end = async () => {
    for (const each of running.toReversed()) await each.end();
  };
  const isReady = async () => (await kubectl(['get', '--raw', '/readyz'])) === 'ok';
  try {
    await waitFor(isReady, { timeoutMs: START_TIMEOUT_MS, intervalMs: 500, what: 'the API server' });
  } catch (err) {
    await end();
    throw new Error(`${err.message}: ${apiServer.tail()}`, { cause: err });
  }
  return {
    dir,
    server,
    configOf,
    kubectl,
    startControllers() {
      start('kube-controller-manager', [
        `--kubeconfig=${configOf('controller-manager')}`,
        `--root-ca-file=${path.join(dir, 'ca.crt')}`,
        `--service-account-private-key-file=${path.join(dir, 'accounts.key')}`,
        '--use-service-account-credentials=true',
        '--leader-elect=false',
      ]);
      start('kube-scheduler', [`--kubeconfig=${configOf('scheduler')}`, '--leader-elect=false']);
    },
    end,
  };
}
