// What a cluster can say of itself after a step has failed, before it is removed.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { NODES } from './network.mjs';

const EVIDENCE_TIMEOUT_MS = 60_000;
const LOG_LINES = 500;
const ALL = '--all-namespaces';

const QUESTIONS = {
  'events.txt': ['get', 'events', ALL, '--sort-by=.metadata.creationTimestamp', '--output=wide'],
  'objects.txt': ['get', 'nodes,pods,jobs,deployments,replicasets,services,endpoints', ALL, '--output=wide'],
  'nodes.txt': ['describe', 'nodes'],
  'pods.txt': ['describe', 'pods', ALL],
  'jobs.txt': ['describe', 'jobs', ALL],
};

/**
 * Writes events, descriptions and logs of all pods, and the logs of the programs of the cluster in `dir`, into a new folder.
 * @returns the folder; a question that the cluster does not answer leaves its error there
 */
export async function keepEvidence(cluster, dir) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-kubernetes-evidence-'));
  const ask = async (file, args) => {
    const text = await cluster.kubectl(args, { timeoutMs: EVIDENCE_TIMEOUT_MS }).catch(String);
    fs.writeFileSync(path.join(folder, file), text);
    return text;
  };
  for (const [file, args] of Object.entries(QUESTIONS)) await ask(file, args);
  const names = await ask('pod-names.txt', [
    'get',
    'pods',
    ALL,
    '--output=jsonpath={range .items[*]}{.metadata.namespace} {.metadata.name}{"\\n"}{end}',
  ]);
  for (const line of names.split('\n').filter((each) => /^\S+ \S+$/.test(each))) {
    const [namespace, pod] = line.split(' ');
    const args = ['--namespace', namespace, pod, '--all-containers', '--prefix', `--tail=${LOG_LINES}`];
    await ask(`${namespace}-${pod}.log`, ['logs', ...args]);
    await ask(`${namespace}-${pod}.previous.log`, ['logs', '--previous', ...args]);
  }
  for (const place of ['.', ...NODES.map(({ name }) => name)]) {
    const logs = fs.readdirSync(path.join(dir, place)).filter((name) => name.endsWith('.log'));
    for (const file of logs)
      fs.copyFileSync(path.join(dir, place, file), path.join(folder, `program-${place}-${file}`));
  }
  return folder;
}
