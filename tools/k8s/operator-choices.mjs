// What operators may choose for pods, networks, certificates and versions, as the chart renders it.
import { isDeepStrictEqual } from 'node:util';
import { ENDS as MIGRATE_ENDS } from '../migrate-deploy.mjs';
import { parseObjects } from './generated-files.mjs';
import { helm, render } from './helm.mjs';

const objectsOf = (options) => parseObjects(render(options));
const componentOf = ({ metadata }) => metadata.labels['app.kubernetes.io/component'];
const find = (objects, kind, name) =>
  objects.find((object) => object.kind === kind && object.metadata.name === `tally-${name}`);
const podOf = (object) => object.spec.template.spec;
const setting = (objects, service, name) => find(objects, 'ConfigMap', service).data[name];

/** Volumes that the chart itself gives. */
const OF_THE_CHART = new Set(['secrets', 'work', 'host-tools', 'control', 'tasks', 'temporary', 'shared-memory']);

/** What a pod has of `pods` and of services.<service> in values/openshift.yaml. */
function podFacts(object) {
  const pod = podOf(object);
  const container = pod.containers.find(({ name }) => name !== 'simulator-host');
  const host = pod.containers.find(({ name }) => name === 'simulator-host');
  const isChosen = ({ name }) => !OF_THE_CHART.has(name);
  return {
    label: object.spec.template.metadata.labels['example.org/cost-centre'],
    annotation: object.spec.template.metadata.annotations['sidecar.istio.io/inject'],
    users: [pod.securityContext.runAsUser, pod.securityContext.fsGroup],
    priority: pod.priorityClassName,
    tolerations: pod.tolerations.map(({ key }) => key).join(),
    nodes: pod.nodeSelector?.['example.org/pool'],
    env: container.env.flatMap(({ name, value }) => (name === 'TZ' || name === 'NODE_EXTRA_CA_CERTS' ? [value] : [])),
    mounts: container.volumeMounts.filter(isChosen).map(({ name }) => name),
    ...(host && { hostMounts: host.volumeMounts.filter(isChosen).map(({ name }) => name), hostImage: host.image }),
    volumes: pod.volumes.filter(isChosen).map(({ name }) => name),
  };
}

const COMMON = {
  label: 'physics',
  annotation: 'false',
  users: [undefined, undefined],
  priority: 'production',
  tolerations: 'example.org/shared',
  nodes: undefined,
  env: ['/run/tally-ca/ca.crt', 'UTC'],
  mounts: ['ca-bundle'],
  volumes: ['ca-bundle'],
};
const OF_RUNNERS = {
  ...COMMON,
  priority: 'simulations',
  tolerations: 'example.org/pool',
  nodes: 'simulations',
  hostMounts: ['simulators'],
  hostImage: 'registry.example.org/physics/simulators:2026.11',
  volumes: ['ca-bundle', 'simulators'],
};

function podChoiceFaults(objects) {
  const expected = [
    { kind: 'Deployment', name: 'gateway', facts: COMMON },
    { kind: 'Deployment', name: 'auth', facts: COMMON },
    { kind: 'Job', name: 'auth-migrate', facts: COMMON },
    { kind: 'Deployment', name: 'direct-runner', facts: OF_RUNNERS },
  ];
  return expected.flatMap(({ kind, name, facts }) => {
    const found = podFacts(find(objects, kind, name));
    return isDeepStrictEqual(found, facts) ? [] : [`${kind} ${name}: ${JSON.stringify(found)}`];
  });
}

/** Components of which anything but the version of jobs changes: an upgrade of jobs must touch nothing else. */
function touchedByUpgrade() {
  const text = (objects) => new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
  const before = text(objectsOf());
  const after = text(objectsOf({ sets: ['services.jobs.image.tag=9.9.9'] }));
  const changed = [...after].filter(([name, object]) => !isDeepStrictEqual(object, before.get(name)));
  const deployments = changed.filter(([name]) => name.startsWith('Deployment '));
  const foreign = changed.filter(([, object]) => !/^jobs(-migrate)?$/.test(componentOf(object)));
  const image = podOf(after.get('Deployment tally-jobs')).containers[0].image;
  return [
    ...foreign.map(([name]) => `${name} changes`),
    ...(deployments.length === 1 ? [] : [`${deployments.length} deployments change`]),
    ...(image === 'tally/jobs:9.9.9' ? [] : [`the image is ${image}`]),
  ];
}

const INGRESS = ['ingress.enabled=true', 'ingress.host=t.example.org', 'ingress.workersHost=w.example.org'];

/** Worker keys never travel in clear unless somebody says so. */
function workerTlsFaults() {
  const urlWith = (...sets) => setting(objectsOf({ sets: [...INGRESS, ...sets] }), 'batch-bridge', 'BATCH_GATEWAY_URL');
  const refusal = helm(['template', 'tally', '/k8s/chart', ...INGRESS.flatMap((set) => ['--set', set])]);
  const own = 'https://t.example.org/workers';
  const found = {
    refused: refusal.status !== 0 && /workersTlsSecretName/.test(refusal.stderr),
    tls: urlWith('ingress.workersTlsSecretName=w-tls'),
    clear: urlWith('ingress.workersWithoutTls=true'),
    elsewhere: urlWith(`services.batch-bridge.settings.BATCH_GATEWAY_URL=${own}`),
    oneHost: setting(objectsOf({ sets: ['ingress.enabled=true'] }), 'batch-bridge', 'BATCH_GATEWAY_URL'),
  };
  const expected = {
    refused: true,
    tls: 'https://w.example.org',
    clear: 'http://w.example.org',
    elsewhere: own,
    oneHost: undefined,
  };
  return isDeepStrictEqual(found, expected) ? [] : [JSON.stringify(found)];
}

/** What is selected instead of given by address: no rule may be left without an end, which would open it to all. */
function selectorFaults(objects) {
  const open = objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .flatMap(({ metadata, spec }) => (spec.egress ?? []).map((rule) => ({ name: metadata.name, ends: rule.to })))
    .filter(({ ends }) => !Array.isArray(ends) || ends.length === 0)
    .map(({ name }) => `${name} has a rule to everywhere`);
  const neither = helm(['template', 'tally', '/k8s/chart', '--set-json', 'networkPolicy.databaseCidrs=[]']);
  const refused = neither.status !== 0 && /databaseCidrs or databasePods/.test(neither.stderr);
  const [gateway] = find(objects, 'NetworkPolicy', 'gateway').spec.ingress;
  const sources = JSON.stringify(gateway.from.filter(({ podSelector }) => podSelector === undefined));
  return [
    ...open,
    ...(refused ? [] : ['neither addresses nor pods of the database is accepted']),
    ...(sources === '[{"ipBlock":{"cidr":"10.1.0.0/24"}}]' ? [] : [`the gateway is reached from ${sources}`]),
  ];
}

/** A pod is not killed before it may have stopped: RUNNER_DRAIN_MS, the pause before the signal, and a minute. */
function drainFaults() {
  const choices = ['"3600000"', '"0"', '"86400001"', 'null'];
  return choices.flatMap((choice) => {
    const objects = objectsOf({ jsons: [`services.direct-runner.settings.RUNNER_DRAIN_MS=${choice}`] });
    const drainMs = setting(objects, 'direct-runner', 'RUNNER_DRAIN_MS');
    const neededSeconds = Number(drainMs ?? 0) / 1000 + 5 + 60;
    const { terminationGracePeriodSeconds: found } = podOf(find(objects, 'Deployment', 'direct-runner'));
    return found > neededSeconds && found < neededSeconds + 10 ? [] : [`${found} s with RUNNER_DRAIN_MS=${drainMs}`];
  });
}

/** A hook that comes before the job it is for. */
function hookFaults(objects) {
  const weight = (kind) => Number(find(objects, kind, 'jobs-migrate').metadata.annotations['helm.sh/hook-weight']);
  const { activeDeadlineSeconds, podFailurePolicy } = find(objects, 'Job', 'jobs-migrate').spec;
  const [rule] = podFailurePolicy?.rules ?? [];
  return [
    ...(weight('NetworkPolicy') < weight('Job') ? [] : ['the policy comes after the job']),
    ...(activeDeadlineSeconds < 300 ? [] : ['the job may last longer than helm waits']),
    ...(rule?.action === 'FailJob' && isDeepStrictEqual(rule.onExitCodes?.values, [MIGRATE_ENDS.willNotPass])
      ? []
      : ['a migration that will never pass is repeated']),
  ];
}

/** Runners fill their nodes: an old one goes first; no budget keeps a node from being drained; what an operator says holds. */
function rolloutFaults() {
  const sets = ['services.jobs.strategy.maxSurge=2', 'services.gateway.serviceType=LoadBalancer'];
  const jsons = [
    'services.gateway.serviceAnnotations={"example.org/pool":"a"}',
    'services.auth.serviceAccountAnnotations={"example.org/role":"b"}',
    'services.results.podDisruptionBudget={"maxUnavailable":2}',
    'extraObjects=[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"{{ .Release.Name }}-own"}}]',
  ];
  const objects = objectsOf({ sets, jsons });
  const strategy = (service) => find(objects, 'Deployment', service).spec.strategy.rollingUpdate;
  const budget = (service) => find(objects, 'PodDisruptionBudget', service).spec.maxUnavailable;
  const { spec, metadata } = find(objects, 'Service', 'gateway');
  const runner = find(objects, 'Deployment', 'direct-runner').spec;
  const found = {
    strategies: [strategy('direct-runner'), strategy('jobs'), strategy('auth')],
    budgets: ['direct-runner', 'results', 'auth'].map(budget),
    service: [spec.type, metadata.annotations],
    account: find(objects, 'ServiceAccount', 'auth').metadata.annotations,
    isPatient: runner.progressDeadlineSeconds > runner.template.spec.terminationGracePeriodSeconds,
    own: find(objects, 'ConfigMap', 'own') !== undefined,
  };
  const expected = {
    strategies: [
      { maxSurge: 0, maxUnavailable: '25%' },
      { maxSurge: 2, maxUnavailable: 0 },
      { maxSurge: 1, maxUnavailable: 0 },
    ],
    budgets: ['25%', 2, 1],
    service: ['LoadBalancer', { 'example.org/pool': 'a' }],
    account: { 'example.org/role': 'b' },
    isPatient: true,
    own: true,
  };
  return isDeepStrictEqual(found, expected) ? [] : [JSON.stringify(found)];
}

/** A route in place of an ingress, processors that decide on copies, IPv6, secrets of other makers, containers beside, and numbers as numbers. */
function platformFaults() {
  const jsons = [
    'httpRoute={"enabled":true,"parentRefs":[{"name":"public"}],"host":"t.example.org","workersHost":"w.example.org"}',
    'services.jobs.scaling={"enabled":true,"replicasMin":2,"replicasMax":6,"cpuPercent":70}',
    'services.jobs.secrets={"database-url":{"name":"db-app","key":"uri"}}',
    'pods.deploymentAnnotations={"reloader.stakater.com/auto":"true"}',
    'services.auth.extraContainers=[{"name":"proxy","image":"proxy:1"}]',
    'network={"ipFamilyPolicy":"RequireDualStack","ipFamilies":["IPv6","IPv4"]}',
    'services.gateway.settings={"GATEWAY_SUBMISSION_BYTES_MAX":62000000,"GATEWAY_COOKIE_SECURE":true}',
  ];
  const objects = objectsOf({ jsons });
  const jobs = find(objects, 'Deployment', 'jobs').spec;
  const sources = jobs.template.spec.volumes.find(({ name }) => name === 'secrets').projected.sources;
  const [migrate] = podOf(find(objects, 'Job', 'jobs-migrate')).containers;
  const found = {
    routes: ['gateway', 'gateway-workers'].map((name) => find(objects, 'HTTPRoute', name).spec.hostnames.join()),
    workers: setting(objects, 'batch-bridge', 'BATCH_GATEWAY_URL'),
    copies: [find(objects, 'HorizontalPodAutoscaler', 'jobs').spec.maxReplicas, jobs.replicas],
    database: sources.map(({ secret }) => secret).find(({ items }) => items[0].path === 'database-url'),
    migrate: migrate.env.find(({ name }) => name === 'DATABASE_URL').valueFrom.secretKeyRef,
    reloaded: find(objects, 'Deployment', 'auth').metadata.annotations,
    beside: podOf(find(objects, 'Deployment', 'auth')).containers.map(({ name }) => name),
    families: find(objects, 'Service', 'results').spec.ipFamilies,
    listen: setting(objects, 'results', 'RESULTS_LISTEN_ADDRESS'),
    numbers: ['GATEWAY_SUBMISSION_BYTES_MAX', 'GATEWAY_COOKIE_SECURE'].map((name) => setting(objects, 'gateway', name)),
  };
  const expected = {
    routes: ['t.example.org', 'w.example.org'],
    workers: 'https://w.example.org',
    copies: [6, undefined],
    database: { name: 'db-app', items: [{ key: 'uri', path: 'database-url' }] },
    migrate: { name: 'db-app', key: 'uri' },
    reloaded: { 'reloader.stakater.com/auto': 'true' },
    beside: ['auth', 'proxy'],
    families: ['IPv6', 'IPv4'],
    listen: '[::]:7000',
    numbers: ['62000000', 'true'],
  };
  const long = helm(['template', 'a'.repeat(39), '/k8s/chart']);
  return [
    ...(isDeepStrictEqual(found, expected) ? [] : [JSON.stringify(found)]),
    ...(long.status !== 0 && /at most 38/.test(long.stderr) ? [] : ['a release with a long name is accepted']),
  ];
}

/** Bytes in the notation of nginx. */
const bytesOf = (text) => Number.parseInt(text, 10) * { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }[text.at(-1)];

/** Defaults of settings that are larger than what ingress-nginx passes. @param defaultsOfGateway - by name, texts */
function bodyFaults(defaultsOfGateway) {
  const objects = objectsOf({ jsons: ['ingress.enabled=true'] });
  const { annotations } = find(objects, 'Ingress', 'gateway').metadata;
  const passed = bytesOf(annotations['nginx.ingress.kubernetes.io/proxy-body-size']);
  return ['SUBMISSION', 'RESULTS']
    .map((what) => `GATEWAY_${what}_BYTES_MAX`)
    .filter((name) => !(Number(defaultsOfGateway[name]) <= passed));
}

/** By name of the check, how to find its faults; `openshift`: objects of values/openshift.yaml. @param services - their facts, by name */
export function operatorChecks({ openshift, defaults, trial }, services) {
  return {
    'pods have what the operator gives to all, and to their service': () => podChoiceFaults(openshift),
    'an upgrade of one service changes that service alone': touchedByUpgrade,
    'workers have TLS unless it is given up by name': workerTlsFaults,
    'what is selected by labels is reached, and nothing is open to everywhere': () => selectorFaults(openshift),
    'migrate jobs have their network policy before them, end before helm does, and at once where no repeat would help':
      () => hookFaults(defaults),
    'a runner has the time to drain': drainFaults,
    'runners are replaced in the room that they leave, and what an operator says of roll-outs and services holds':
      rolloutFaults,
    'what platforms expect is there: routes, scaling, IPv6, secrets of other makers, containers beside': platformFaults,
    'the ingress lets bodies of their full size pass': () => bodyFaults(services.gateway.facts.settings),
    'data of the trial keep their modes over a restart': () =>
      trial
        .filter(({ kind }) => kind === 'StatefulSet')
        .filter((object) => podOf(object).securityContext.fsGroupChangePolicy !== 'OnRootMismatch')
        .map(({ metadata }) => metadata.name),
  };
}
