// `pnpm check:k8s`: everything that can be known of k8s/ without a cluster. The last line is "N passed, N failed".
//   --report F   the two numbers also as JSON
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { ConfigError, envName, loadConfig } from '../packages/service-kit/dist/src/index.js';
import { CALLERS } from '../packages/testkit/dist/src/index.js';
import { inventedSeries, promtoolFaults, unfiredAlerts } from './k8s/alerts/check-alerts.mjs';
import { secretFaults } from './k8s/find-secrets.mjs';
import { chartFiles, manifestFiles, parseObjects, readServices } from './k8s/generated-files.mjs';
import { guideSeries, guideValues } from './k8s/guide-values.mjs';
import { helm, render } from './k8s/helm.mjs';
import { expressionsOf, unknownMetrics } from './k8s/metric-names.mjs';
import { operatorChecks } from './k8s/operator-choices.mjs';
import { podFaults } from './k8s/pod-rules.mjs';
import { callersOf, exitsOf } from './k8s/reachability.mjs';
import { seededMistakes } from './k8s/seeded-mistakes.mjs';
import { root, SERVICES } from './k8s/service-facts.mjs';
import { storageFaults } from './k8s/storage-rules.mjs';
import { validateObjects } from './k8s/validate-objects.mjs';

const VALUE_SETS = {
  defaults: [],
  trial: ['trial'],
  production: ['production'],
  minimal: ['minimal'],
  scaled: ['scaled'],
  openshift: ['openshift'],
};
const BAD_VALUES = {
  'an unknown setting': 'services.jobs.settings.JOBS_LEASEMS=3',
  'a setting of another service': 'services.auth.settings.JOBS_LEASE_MS=3',
  'a setting that is no number': 'services.jobs.settings.JOBS_LEASE_MS=soon',
  'a setting that the chart makes': 'services.jobs.settings.JOBS_LISTEN_ADDRESS=0.0.0.0:1',
  'a secret among the settings': 'services.jobs.settings.JOBS_DATABASE_URL=postgresql://db/jobs',
  'a misspelt key': 'ingres.enabled=true',
  'replicas that are no number': 'services.jobs.replicas=two',
  'a service that does not exist': 'services.mailer.enabled=true',
  'a setting among the further variables': 'pods.extraEnv[0].name=JOBS_LEASE_MS',
  'a label that the selectors use': 'pods.podLabels.app\\.kubernetes\\.io/name=other',
  'a tag that is none': 'services.jobs.image.tag=a b',
};

const counts = { passed: 0, failed: 0 };

function check(name, faultsOf) {
  let faults;
  try {
    faults = faultsOf();
  } catch (err) {
    faults = [err.message];
  }
  counts[faults.length === 0 ? 'passed' : 'failed'] += 1;
  console.log(
    `${faults.length === 0 ? 'ok    ' : 'FAILED'} ${name}${faults.map((fault) => `\n         ${fault}`).join('')}`,
  );
}

const sorted = (names) => [...names].sort((a, b) => (a < b ? -1 : 1));
const nameOf = ({ kind, metadata }) => `${kind} ${metadata.name}`;
const staleFaults = (files) =>
  [...files]
    .filter(
      ([file, text]) =>
        !fs.existsSync(path.join(root, file)) || fs.readFileSync(path.join(root, file), 'utf8') !== text,
    )
    .map(([file]) => `${file} is stale: pnpm k8s:gen`);

function renderAll() {
  const rendered = {};
  for (const [set, values] of Object.entries(VALUE_SETS)) {
    check(`the chart renders: ${set}`, () => {
      rendered[set] = parseObjects(render({ values }));
      return rendered[set].length > 0 ? [] : ['nothing was rendered'];
    });
    const files = values.flatMap((file) => ['--values', `/k8s/values/${file}.yaml`]);
    check(`helm lint: ${set}`, () => {
      const { status, stdout, stderr } = helm(['lint', '--strict', '/k8s/chart', ...files]);
      return status === 0 ? [] : [`${stdout}${stderr}`];
    });
  }
  return rendered;
}

function checkValidity(rendered) {
  const objects = Object.entries(rendered).flatMap(([set, all]) => all.map((object) => ({ set, object })));
  const mistakes = Object.entries(seededMistakes(rendered.defaults));
  const faults = validateObjects([...objects.map(({ object }) => object), ...mistakes.map(([, object]) => object)]);
  for (const set of Object.keys(rendered)) {
    check(`every object is valid, every pod restricted and probed: ${set}`, () =>
      objects.flatMap((entry, i) => {
        if (entry.set !== set) return [];
        return [...faults[i], ...podFaults(entry.object)].map((fault) => `${nameOf(entry.object)}: ${fault}`);
      }),
    );
  }
  mistakes.forEach(([name, object], i) => {
    const found = [...faults[objects.length + i], ...podFaults(object)];
    check(`a seeded mistake is caught: ${name}`, () => (found.length > 0 ? [] : ['nobody noticed']));
  });
}

/** Who may leave the cluster, and on which ports: databases and broker, the realm, SSH of clusters. */
const EXITS = {
  gateway: [],
  auth: [443, 5432],
  jobs: [5432, 5671, 5672],
  results: [5432],
  'batch-bridge': [22, 5432],
  'direct-runner': [5671, 5672],
};

function checkExits(rendered) {
  for (const service of SERVICES) {
    check(`${service} leaves the cluster on exactly its ports`, () => {
      const ports = new Set(exitsOf(rendered.defaults, service).map((exit) => Number(exit.split(':').at(-1))));
      const found = sorted(ports).join();
      return found === sorted(EXITS[service]).join() ? [] : [`on ${found || 'none'}, not ${EXITS[service].join()}`];
    });
  }
  check('clusters are reached on their networks only, by batch-bridge alone', () => {
    const sets = ['networkPolicy.clusterCidrs={192.0.2.0/28}', 'networkPolicy.clusterPorts={2222}'];
    const objects = parseObjects(render({ sets }));
    const leaving = SERVICES.filter((service) => exitsOf(objects, service).includes('192.0.2.0/28:2222'));
    return leaving.join() === 'batch-bridge' && !exitsOf(objects, 'batch-bridge').includes('0.0.0.0/0:22')
      ? []
      : [`by ${leaving.join()}`];
  });
}

/** What a service says of an environment, its secrets apart. */
function settingFaults({ facts, table }, env) {
  try {
    loadConfig(table.prefix, table.schema, env);
    return [];
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    return err.faults.filter((fault) => !facts.secrets.some(({ variable }) => fault.startsWith(variable)));
  }
}

function checkSettings(rendered, services) {
  const configMapsOf = (objects) => objects.filter(({ kind }) => kind === 'ConfigMap');
  for (const [set, objects] of Object.entries(rendered)) {
    check(`every service starts with the settings of its config map: ${set}`, () =>
      configMapsOf(objects).flatMap(({ metadata, data }) => {
        const service = services[metadata.labels['app.kubernetes.io/component']];
        return service === undefined ? [] : settingFaults(service, data);
      }),
    );
  }
  check('a cluster without host keys is caught', () => {
    const env = { BATCH_CLUSTERS: '[{"name":"north","host":"login.north.example"}]' };
    return settingFaults(services['batch-bridge'], env).some((fault) => /hostKeys/.test(fault))
      ? []
      : ['nobody noticed'];
  });
}

function checkStorage(rendered, services) {
  for (const [set, objects] of Object.entries(rendered)) {
    check(`disk is asked for and bounded by what settings allow: ${set}`, () =>
      objects
        .filter(({ kind }) => kind === 'Deployment')
        .flatMap((object) => {
          const service = object.metadata.labels['app.kubernetes.io/component'];
          if (services[service] === undefined) return [];
          const { table } = services[service];
          const configMap = objects.find(
            (one) => one.kind === 'ConfigMap' && one.metadata.name === object.metadata.name,
          );
          const setting = (name) => Number(configMap?.data?.[name] ?? defaultOf(table, name));
          return storageFaults(object, service, setting).map((fault) => `${nameOf(object)} ${fault}`);
        }),
    );
  }
  check('a folder that is too small for its setting is caught', () => {
    const objects = parseObjects(render({ sets: ['simulatorHost.tasksSize=100Mi'] }));
    const runner = objects.find((object) => nameOf(object) === 'Deployment tally-direct-runner');
    const { table } = services['direct-runner'];
    const faults = storageFaults(runner, 'direct-runner', (name) => Number(defaultOf(table, name)));
    return faults.some((fault) => fault.startsWith('folder tasks')) ? [] : ['nobody noticed'];
  });
}

/** Default of a setting by the name of its variable. */
function defaultOf({ prefix, schema }, variable) {
  const found = Object.entries(schema).find(([key]) => envName(prefix, key) === variable);
  if (found === undefined) throw new Error(`there is no setting ${variable}`);
  return found[1].default;
}

/** What the operators' guide shows. */
function checkGuide(services) {
  for (const values of guideValues()) {
    check(`values of the operators' guide are taken: ${Object.keys(values).join(', ')}`, () => {
      const jsons = Object.entries(values).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
      return parseObjects(render({ jsons }))
        .filter(({ kind }) => kind === 'ConfigMap')
        .flatMap(({ metadata, data }) => {
          const service = services[metadata.labels['app.kubernetes.io/component']];
          return service === undefined ? [] : settingFaults(service, data);
        });
    });
  }
}

/** What the chart itself makes of values for clusters. */
function checkBatch(rendered) {
  const setting = (set, service, name) =>
    rendered[set].find((object) => nameOf(object) === `ConfigMap tally-${service}`)?.data[name];
  const expected = [
    ['production', 'batch-bridge', 'BATCH_GATEWAY_URL', 'https://workers.tally.example.org'],
    ['defaults', 'batch-bridge', 'BATCH_GATEWAY_URL', undefined],
    ['defaults', 'jobs', 'JOBS_BATCH_BRIDGE_ADDRESS', 'dns:///tally-batch-bridge:7000'],
    ['minimal', 'jobs', 'JOBS_BATCH_BRIDGE_ADDRESS', undefined],
  ];
  for (const [set, service, name, value] of expected) {
    check(`${name} is ${value || 'empty'}: ${set}`, () => {
      const found = setting(set, service, name);
      return found === value ? [] : [`it is ${found}`];
    });
  }
}

function checkPolicies(rendered) {
  for (const service of SERVICES.filter((name) => name !== 'gateway')) {
    check(`${service} is reached by exactly its callers`, () => {
      const expected = sorted(CALLERS[service] ?? []);
      const found = callersOf(rendered.defaults, service, 'grpc');
      return isDeepStrictEqual(found, expected) ? [] : [`reached by ${found.join()}, callers are ${expected.join()}`];
    });
  }
  check('the gateway is reached by no service', () => callersOf(rendered.defaults, 'gateway', 'http'));
  check('the broker of a trial is reached by those who have its URL', () => {
    const found = callersOf(rendered.trial, 'trial-rabbitmq', 'amqp').join();
    return /^(batch-bridge,)?direct-runner,jobs$/.test(found) ? [] : [`reached by ${found}`];
  });
  check('a service without policies is seen to be open to all', () => {
    const open = rendered.defaults.filter(({ kind }) => kind !== 'NetworkPolicy');
    return callersOf(open, 'auth', 'grpc').length > sorted(CALLERS.auth).length ? [] : ['nobody noticed'];
  });
}

function checkSecrets(rendered, services) {
  const secrets = Object.values(services).flatMap(({ facts }) => facts.secrets);
  const variables = new Set(secrets.map(({ variable }) => variable));
  for (const [set, objects] of Object.entries(rendered)) {
    check(`no object holds a secret: ${set}`, () =>
      objects.flatMap((object) => secretFaults(object, variables).map((fault) => `${nameOf(object)}: ${fault}`)),
    );
  }
  check('a secret in a config map is caught', () => {
    const leak = { kind: 'ConfigMap', metadata: {}, data: { A: 'postgresql://jobs:pw@db/jobs' } };
    return secretFaults(leak, variables).length > 0 ? [] : ['nobody noticed'];
  });
}

async function checkMetrics(rendered) {
  const expressions = [...expressionsOf(rendered.production), ...expressionsOf(rendered.scaled)];
  const unknown = await unknownMetrics([...expressions, ...guideSeries()]);
  check(`every metric that ${expressions.length} expressions look at is exported`, () => unknown);
  const misspelt = await unknownMetrics(['max by (state) (tally_job{state="RUNNING"}) > 0']);
  check('a misspelt metric is caught', () => (misspelt.join() === 'tally_job' ? [] : ['nobody noticed']));
}

/** The rules of a chart with all services: seen by promtool, every alert fired. */
async function checkAlerts(rendered) {
  const { groups } = rendered.production.find(({ kind }) => kind === 'PrometheusRule').spec;
  check('cases of alerts use series that were recorded', inventedSeries);
  check('every alert has a case that fires it', () => unfiredAlerts(groups.flatMap(({ rules }) => rules)));
  const promtool = await promtoolFaults(groups);
  if ('reason' in promtool) return console.log(`skip   promtool check rules, promtool test rules: ${promtool.reason}`);
  check('promtool check rules', () => promtool.check);
  check('promtool test rules: every alert fires in its case, and nothing else does', () => promtool.test);
}

function checkKustomize() {
  const { status, stdout, stderr, error } = spawnSync('kubectl', ['kustomize', path.join(root, 'k8s/manifests')], {
    encoding: 'utf8',
  });
  if (error?.code === 'ENOENT') return console.log('skip   kubectl kustomize: there is no kubectl');
  check('kubectl kustomize builds k8s/manifests', () => {
    if (status !== 0) return [stderr];
    const files = [...manifestFiles()].filter(([file]) => !file.endsWith('kustomization.yaml'));
    const expected = files
      .flatMap(([, text]) => parseObjects(text))
      .map(nameOf)
      .sort();
    return isDeepStrictEqual(parseObjects(stdout).map(nameOf).sort(), expected) ? [] : ['it lost or made objects'];
  });
}

const { values: options } = parseArgs({ options: { report: { type: 'string' } } });
const services = await readServices();
check('what the chart knows of the services is what they are', () => staleFaults(chartFiles(services)));
const rendered = renderAll();
if (counts.failed === 0) {
  checkValidity(rendered);
  checkPolicies(rendered);
  checkExits(rendered);
  checkBatch(rendered);
  for (const [name, faultsOf] of Object.entries(operatorChecks(rendered, services))) check(name, faultsOf);
  checkSettings(rendered, services);
  checkStorage(rendered, services);
  checkGuide(services);
  checkSecrets(rendered, services);
  await checkMetrics(rendered);
  await checkAlerts(rendered);
}
for (const [name, set] of Object.entries(BAD_VALUES)) {
  check(`the values schema refuses ${name}`, () => {
    const { status, stderr } = helm(['template', 'tally', '/k8s/chart', '--set-string', set]);
    return status !== 0 && /don't meet the specifications of the schema/.test(stderr)
      ? []
      : [`accepted ${set}: ${stderr}`];
  });
}
check('k8s/manifests is what the chart renders', () => {
  const files = manifestFiles();
  const held = fs.readdirSync(path.join(root, 'k8s/manifests')).map((file) => `k8s/manifests/${file}`);
  return [
    ...staleFaults(files),
    ...held.filter((file) => !files.has(file)).map((file) => `${file} should not be there`),
  ];
});
checkKustomize();
if (options.report !== undefined) fs.writeFileSync(options.report, JSON.stringify(counts));
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 ? 0 : 1);
