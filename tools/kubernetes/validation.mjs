// What an API server says of everything that k8s/ makes, before anything of it exists: schemas, names, references between fields,
// the restricted profile of pods, and the objects of Prometheus' operator, cert-manager, KEDA and the Gateway API by
// their own definitions.
import path from 'node:path';
import { parseObjects } from '../k8s/generated-files.mjs';
import { render } from '../k8s/helm.mjs';
import { root } from '../k8s/service-facts.mjs';
import { expectEqual, step } from '../test/steps.mjs';
import { listOf } from './control-plane.mjs';
import { makeSecrets } from './outside.mjs';
import { provideDefinitions } from './programs.mjs';

const NAMESPACE = 'tally-validated';
const VALUE_SETS = ['defaults', 'trial', 'production', 'minimal', 'scaled', 'openshift'];
/** As for every namespace of the operators' guide; `warn`: of pods in deployments and jobs too. */
const LABELS = ['enforce', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);

const renderedIn = (set) => render({ values: set === 'defaults' ? [] : [set], namespace: NAMESPACE });

/** What none of these sets has: routes of the Gateway API, and copies by how busy their processors are. */
const PLATFORM = [
  'httpRoute={"enabled":true,"parentRefs":[{"name":"public"}],"host":"t.example.org","workersHost":"w.example.org"}',
  'services.jobs.scaling={"enabled":true,"replicasMin":2,"replicasMax":6,"cpuPercent":70}',
];

/** What the server says of objects that are not kept: faults and warnings, empty where it takes all. */
async function faultsOf(cluster, args, input) {
  const all = ['apply', '--dry-run=server', '--validate=strict', '--warnings-as-errors', ...args];
  try {
    await cluster.kubectl(all, { input });
    return '';
  } catch (err) {
    return err.message;
  }
}

export async function applyDefinitions({ kubectl }) {
  const files = (await provideDefinitions()).flatMap((file) => ['--filename', file]);
  await kubectl(['apply', '--server-side', ...files]);
  await kubectl(['wait', '--for=condition=Established', 'customresourcedefinitions', '--all', '--timeout=60s']);
}

/** Mistakes of which the server has to know; the rest is for `pnpm check:k8s`. */
const REFUSED = {
  'a misspelt field': (deployment) => (deployment.spec.template.spec.containers[0].prts = []),
  'replicas that are no number': (deployment) => (deployment.spec.replicas = 'one'),
  'a volume that does not exist': (deployment) =>
    deployment.spec.template.spec.containers[0].volumeMounts.push({ name: 'none', mountPath: '/none' }),
  'a selector that is not of its pods': (deployment) => (deployment.spec.selector.matchLabels = { other: 'label' }),
  'a pod that may become root': (deployment) =>
    (deployment.spec.template.spec.containers[0].securityContext.allowPrivilegeEscalation = true),
};

export async function validateAll(cluster) {
  await cluster.kubectl(['create', 'namespace', NAMESPACE]);
  await cluster.kubectl(['label', 'namespace', NAMESPACE, ...LABELS]);
  // of the pod of `helm test`, which is no template of others: what a controller makes elsewhere, and what values/openshift.yaml names
  await cluster.kubectl(['--namespace', NAMESPACE, 'create', 'serviceaccount', 'default']);
  await cluster.kubectl(['create', 'priorityclass', 'production', '--value=1000']);
  await step('definitions of operators are taken', () => applyDefinitions(cluster));
  const within = ['--namespace', NAMESPACE, '--filename', '-'];
  for (const set of VALUE_SETS) {
    await step(`the server takes every object of the chart: ${set}`, async () =>
      expectEqual(await faultsOf(cluster, within, renderedIn(set)), ''),
    );
  }
  await step('the server takes every object of the chart: routes and scaling', async () =>
    expectEqual(await faultsOf(cluster, within, render({ jsons: PLATFORM, namespace: NAMESPACE })), ''),
  );
  await step('the server takes the secrets', async () =>
    expectEqual(await faultsOf(cluster, within, JSON.stringify(makeSecrets(NAMESPACE, ['--trial']))), ''),
  );
  await step('the server takes k8s/manifests', async () => {
    await cluster.kubectl(['apply', '--filename', path.join(root, 'k8s/manifests/namespace.yaml')]);
    expectEqual(await faultsOf(cluster, ['--kustomize', path.join(root, 'k8s/manifests')]), '');
  });
  const objects = parseObjects(renderedIn('defaults'));
  const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'tally-jobs');
  for (const [name, spoil] of Object.entries(REFUSED)) {
    await step(`the server refuses ${name}`, async () => {
      const spoilt = structuredClone(deployment);
      spoil(spoilt);
      if ((await faultsOf(cluster, within, listOf([spoilt]))) === '') throw new Error('it took it');
    });
  }
  await cluster.kubectl(['delete', 'namespace', NAMESPACE, 'tally', '--wait=false']);
}
