// What a release's chart gives to its services, and where that does not go with an image.
import fs from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

const variablesOf = ({ kind, data = {}, spec }) => {
  if (kind === 'ConfigMap') return Object.keys(data);
  if (kind !== 'Deployment') return [];
  const names = spec.template.spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name));
  return names.map((name) => name.replace(/_FILE$/, ''));
};

/**
 * By service: the variables that the manifests of a release set, which are its chart with default values, and those that its image must
 * have. @param folder - that has the folder k8s of the release
 */
export function readChart(folder) {
  const facts = JSON.parse(fs.readFileSync(path.join(folder, 'k8s/chart/files/services.json'), 'utf8'));
  return new Map(
    Object.entries(facts).map(([service, { prefix, secrets }]) => {
      const text = fs.readFileSync(path.join(folder, 'k8s/manifests', `${service}.yaml`), 'utf8');
      const set = parseAllDocuments(text).flatMap((document) => variablesOf(document.toJS()));
      const variables = [...new Set(set)].filter((name) => name.startsWith(`${prefix}_`));
      const required = secrets.filter(({ isRequired }) => isRequired).map(({ variable }) => variable);
      return [service, { variables, required }];
    }),
  );
}

/**
 * Why an image does not start with what a chart gives it; empty: it does. A service stops at a variable of its prefix that it does not
 * know, and at a secret that it must have. @param image - `settings` that it knows, and those `required`
 */
export function chartFaults({ variables }, { settings, required }) {
  return [
    ...variables.filter((name) => !settings.includes(name)).map((name) => `the image does not know \`${name}\``),
    ...required.filter((name) => !variables.includes(name)).map((name) => `the chart does not give \`${name}\``),
  ];
}
