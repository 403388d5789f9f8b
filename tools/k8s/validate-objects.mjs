// Strict validation of Kubernetes objects without a cluster: unknown fields and wrong types by the TypeScript compiler on
// the types of kubernetes-models, required fields, enumerations and formats by its JSON schemas.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './service-facts.mjs';

const require = createRequire(path.join(root, 'package.json'));

/** Every apiVersion that may occur, with the package of its types. Not here: not served any more, or never reviewed. */
const SERVED = {
  v1: ['kubernetes-models/v1', ['ConfigMap', 'Service', 'ServiceAccount', 'Namespace', 'Pod']],
  'apps/v1': ['kubernetes-models/apps/v1', ['Deployment', 'StatefulSet']],
  'batch/v1': ['kubernetes-models/batch/v1', ['Job']],
  'policy/v1': ['kubernetes-models/policy/v1', ['PodDisruptionBudget']],
  'networking.k8s.io/v1': ['kubernetes-models/networking.k8s.io/v1', ['NetworkPolicy', 'Ingress']],
  'autoscaling/v2': ['kubernetes-models/autoscaling/v2', ['HorizontalPodAutoscaler']],
  'keda.sh/v1alpha1': ['@kubernetes-models/keda/keda.sh/v1alpha1', ['ScaledObject', 'TriggerAuthentication']],
  'cert-manager.io/v1': ['@kubernetes-models/cert-manager/cert-manager.io/v1', ['Certificate', 'Issuer']],
  'monitoring.coreos.com/v1': [
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
    ['ServiceMonitor', 'PrometheusRule'],
  ],
};

function moduleOf({ apiVersion, kind }) {
  const [module, kinds] = SERVED[apiVersion] ?? [];
  return kinds?.includes(kind) ? `${module}/${kind}` : undefined;
}

function schemaFaults(object, module) {
  try {
    new (require(module)[object.kind])(object).validate();
    return [];
  } catch (err) {
    return [err.message];
  }
}

/** One line of TypeScript for each object, so that the line of an error says which object it is about. */
function typeFaults(objects, modules) {
  const dir = path.join(root, '.tally/k8s-check');
  fs.mkdirSync(dir, { recursive: true });
  const file = path.join(dir, 'objects.ts');
  const lines = objects.map((object, i) =>
    modules[i] === undefined
      ? ''
      : `export const object${i}: import('${modules[i]}').I${object.kind} = ${JSON.stringify(object)};`,
  );
  fs.writeFileSync(file, `${lines.join('\n')}\nexport {};\n`);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  const { stdout, error } = spawnSync(tsc, [...options, '--ignoreConfig', '--pretty', 'false', file], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    cwd: dir,
  });
  if (error) throw error;
  const faults = objects.map(() => []);
  const unplaced = [];
  for (const line of stdout.split('\n')) {
    const match = /objects\.ts\((\d+),\d+\): error (.*)$/.exec(line);
    if (match !== null && faults[match[1] - 1] !== undefined) faults[match[1] - 1].push(match[2]);
    else if (/error TS/.test(line)) unplaced.push(line);
  }
  if (unplaced.length > 0) throw new Error(`tsc: ${unplaced.join('\n')}`);
  return faults;
}

/** What is wrong with each object, in the same order; an empty list: nothing. */
export function validateObjects(objects) {
  const modules = objects.map(moduleOf);
  const byTypes = typeFaults(objects, modules);
  return objects.map((object, i) => {
    if (modules[i] === undefined) return [`${object.apiVersion} ${object.kind} is not served or not known`];
    return [...byTypes[i], ...schemaFaults(object, modules[i])];
  });
}
