// Makes the Secrets that the chart refers to, with fresh random tokens and keys, as one List on stdout, for a pipe:
//
//   node tools/k8s-secrets.mjs --namespace tally --trial | kubectl apply -f -
//   node tools/k8s-secrets.mjs --namespace tally | kubectl apply -f -
//
// Without --trial the URLs come from the environment, where a shell does not keep them: AUTH_DATABASE_URL,
// JOBS_DATABASE_URL, RESULTS_DATABASE_URL, BATCH_DATABASE_URL where the service has a database, and QUEUE_URL. Every run
// makes new tokens and a new encryption key: to replace one of them only, see docs/runbook/rotation.md. Plain Node, nothing
// has to be installed: what the services need is in the chart.
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    release: { type: 'string', default: 'tally' },
    namespace: { type: 'string', default: 'tally' },
    trial: { type: 'boolean', default: false },
  },
});
const newToken = () => randomBytes(32).toString('hex');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const passwords = { postgresql: newToken(), rabbitmq: newToken() };

function fromEnvironment(variable) {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set`);
  return value;
}

function databaseUrl(service, prefix) {
  if (!values.trial) return fromEnvironment(`${prefix}_DATABASE_URL`);
  return `postgresql://postgres:${passwords.postgresql}@${values.release}-trial-postgresql:5432/${service}`;
}

function queueUrl() {
  if (!values.trial) return fromEnvironment('QUEUE_URL');
  return `amqp://tally:${passwords.rabbitmq}@${values.release}-trial-rabbitmq:5672`;
}

function secret(name, stringData) {
  const labels = { 'app.kubernetes.io/part-of': 'tally' };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: values.namespace, labels }, stringData };
}

const chart = path.join(import.meta.dirname, '../k8s/chart');
const services = JSON.parse(fs.readFileSync(path.join(chart, 'files/services.json'), 'utf8'));
const tokens = Object.fromEntries(Object.keys(services).map((name) => [name, newToken()]));

/** How each required secret comes to be, by its key. A new required secret of a service needs a line here. */
const makers = {
  callers: (_service, { callers }) => callers.map((caller) => `${caller}:${sha256(tokens[caller])}`).join(','),
  'caller-token': (service) => tokens[service],
  'database-url': (service, { prefix }) => databaseUrl(service, prefix),
  'queue-url': () => queueUrl(),
  'encryption-key': () => randomBytes(32).toString('base64'),
  'update-key-master': () => newToken(),
};

function secretOf(service, facts) {
  const entries = facts.secrets
    .filter(({ isRequired }) => isRequired)
    .map(({ key }) => {
      if (makers[key] === undefined)
        throw new Error(`${service} needs the secret ${key}, and nobody says how it is made`);
      return [key, makers[key](service, facts)];
    });
  return secret(`${values.release}-${service}`, Object.fromEntries(entries));
}

try {
  const items = Object.entries(services).map(([service, facts]) => secretOf(service, facts));
  if (values.trial) {
    items.push(secret(`${values.release}-trial-postgresql`, { password: passwords.postgresql }));
    items.push(secret(`${values.release}-trial-rabbitmq`, { password: passwords.rabbitmq }));
  }
  process.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`);
  process.exit(0);
} catch (err) {
  console.error(err.message);
  process.exit(1);
}
