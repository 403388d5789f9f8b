// The chart as an operator handles it: in a folder with `k8s/chart` and `my-values.yaml`, by commands as the documents have them.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { waitFor } from '../../packages/testkit/dist/src/index.js';
import { OUTSIDE } from '../containers/networks.mjs';
import { root, SERVICES } from '../k8s/service-facts.mjs';
import { REPOSITORY, VERSION } from './images.mjs';
import { LINK_PREFIX, MACHINE, NODES } from './network.mjs';

export const NAMESPACE = 'tally';
const SHELL_TIMEOUT_MS = 1_200_000;
/** Little for services, so that runners with their real requests fill both nodes. */
const SMALL = { requests: { cpu: '20m', memory: '128Mi' } };

const serviceValues = (service) => ({
  replicas: NODES.length,
  ...(service !== 'direct-runner' && { resources: SMALL }),
});

const VALUES = {
  image: { repository: REPOSITORY, tag: VERSION },
  services: Object.fromEntries(SERVICES.map((service) => [service, serviceValues(service)])),
  grpcTls: { enabled: true },
  networkPolicy: {
    databaseCidrs: [`${MACHINE}/32`],
    clusterPorts: [OUTSIDE.cluster],
    ingressPods: [],
    ingressCidrs: [`${LINK_PREFIX}.0/24`],
  },
};

/**
 * `cluster`: of control-plane.mjs; `variables`: what the operator's shell has besides, for example URLs of databases;
 * `brokerControl`: how `rabbitmqctl` reaches the broker.
 */
export function createRelease(cluster, { kubectl: kubectlProgram, helm }, dir, { variables, brokerControl }) {
  const folder = path.join(dir, 'operator');
  const bin = path.join(folder, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  for (const [name, program] of Object.entries({ kubectl: kubectlProgram, helm }))
    fs.symlinkSync(program, path.join(bin, name));
  const settings = Object.entries(brokerControl.env).map(([name, value]) => `${name}='${value}'`);
  const control = `#!/bin/sh\nexec env ${settings.join(' ')} ${brokerControl.programs}/rabbitmqctl "$@"\n`;
  fs.writeFileSync(path.join(bin, 'rabbitmqctl'), control, { mode: 0o755 });
  for (const name of ['k8s', 'tools', 'examples', 'services'])
    fs.symlinkSync(path.join(root, name), path.join(folder, name));
  fs.writeFileSync(path.join(folder, 'my-values.yaml'), JSON.stringify(VALUES));
  const env = {
    ...process.env,
    ...variables,
    PATH: [bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    KUBECONFIG: cluster.configOf('admin'),
  };
  /** Runs commands in the operator's folder, up to the first that fails; gives what they print. @throws Error with what they say */
  const shell = (script) =>
    new Promise((resolve, reject) => {
      const options = { cwd: folder, env, timeout: SHELL_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 };
      execFile('bash', ['-euo', 'pipefail', '-c', script], options, (err, stdout, stderr) => {
        if (err === null) resolve(stdout);
        else reject(new Error(`${script}\n${stdout.slice(-2000)}${stderr.slice(-2000)}`));
      });
    });
  const kubectl = (...args) => cluster.kubectl(['--namespace', NAMESPACE, ...args]);
  const allPodsOf = async (service) => {
    const selector = `app.kubernetes.io/component=${service}`;
    return JSON.parse(await kubectl('get', 'pods', '--selector', selector, '--output', 'json')).items;
  };
  return {
    shell,
    kubectl,
    allPodsOf,
    /** Writes a file of the operator's folder; JSON is YAML, too. */
    write(file, content) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      fs.writeFileSync(path.join(folder, file), JSON.stringify(content));
    },
    /** How often each deployment has been rolled out, by the name of its service. */
    async revisions() {
      const { items } = JSON.parse(await kubectl('get', 'deployments', '--output', 'json'));
      const revision = ({ metadata }) => Number(metadata.annotations['deployment.kubernetes.io/revision']);
      return Object.fromEntries(items.map((item) => [item.metadata.name.replace(/^tally-/, ''), revision(item)]));
    },
    /** Pods of a service that are not about to end. */
    async podsOf(service) {
      const pods = await allPodsOf(service);
      return pods.filter(({ metadata, status }) => !metadata.deletionTimestamp && status.phase === 'Running');
    },
    /** Until pods of a service that were about to end have ended: runners may take as long as their tasks. */
    async ended(service) {
      const haveEnded = async () => (await allPodsOf(service)).every(({ metadata }) => !metadata.deletionTimestamp);
      await waitFor(haveEnded, { timeoutMs: SHELL_TIMEOUT_MS, intervalMs: 500, what: `pods of ${service} to end` });
    },
    /** Until all pods of services are as their deployments want them. */
    async settled(...services) {
      for (const service of services)
        await kubectl('rollout', 'status', `deployment/tally-${service}`, '--timeout=300s');
    },
    gatewayUrl: async () =>
      `http://${await kubectl('get', 'service', 'tally-gateway', '--output', 'jsonpath={.spec.clusterIP}')}:8080`,
  };
}
