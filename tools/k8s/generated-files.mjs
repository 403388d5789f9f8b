// Everything below k8s/ that is made from the code and the chart, as a map from path to text.
import { parseAllDocuments, stringify } from 'yaml';
import { render } from './helm.mjs';
import { valuesSchema } from './values-schema.mjs';

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const NOTE = '# Made from k8s/chart by `pnpm k8s:gen`; do not edit.\n';
const HELM_ONLY = /^(helm\.sh\/|app\.kubernetes\.io\/managed-by$)/;

/** What the templates and the values schema are fed with. */
export function chartFiles(services) {
  const facts = Object.fromEntries(Object.entries(services).map(([service, { facts }]) => [service, facts]));
  return new Map([
    ['k8s/chart/files/services.json', json(facts)],
    ['k8s/chart/values.schema.json', json(valuesSchema(services))],
  ]);
}

/** Objects of a rendered chart. */
export function parseObjects(text) {
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object !== null && object !== undefined);
}

function withoutHelm(entries = {}) {
  const kept = Object.entries(entries).filter(([key]) => !HELM_ONLY.test(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function plain(object) {
  const { annotations, labels, ...metadata } = object.metadata;
  const kept = { labels: withoutHelm(labels), annotations: withoutHelm(annotations) };
  for (const [key, value] of Object.entries(kept)) if (value !== undefined) metadata[key] = value;
  return { ...object, metadata };
}

/** The earliest that the chart is for: manifests are for any. */
const EARLIEST_KUBERNETES = '1.24.0';

/** What `helm test` runs: there is none without Helm. */
const isOfTest = ({ metadata }) => metadata.labels['app.kubernetes.io/component'] === 'test';

/** The manifests for `kubectl apply -k`: one file per component, and kustomization.yaml. */
export function manifestFiles() {
  const files = new Map();
  const rendered = render({ values: ['manifests'], kubernetes: EARLIEST_KUBERNETES });
  const objects = parseObjects(rendered).filter((object) => !isOfTest(object));
  for (const object of objects.map(plain)) {
    const component = object.metadata.labels['app.kubernetes.io/component'].replace(/-migrate$/, '');
    const file = `${component}.yaml`;
    files.set(file, `${files.get(file) ?? NOTE}---\n${stringify(object, { lineWidth: 0 })}`);
  }
  const resources = ['namespace.yaml', ...[...files.keys()].toSorted((a, b) => (a < b ? -1 : 1))];
  const namespaceLabels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tally', labels: namespaceLabels } };
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: 'tally',
    resources,
  };
  files.set('namespace.yaml', `${NOTE}${stringify(namespace)}`);
  files.set('kustomization.yaml', `${NOTE}${stringify(kustomization)}`);
  return new Map([...files].map(([file, text]) => [`k8s/manifests/${file}`, text]));
}

export { readServices } from './service-facts.mjs';
