// Makes what is missing of the Secrets that the chart refers to, with fresh random tokens and keys, as one List on stdout:
//
//   kubectl -n tally get secrets -o json | node tools/k8s-secrets.mjs --namespace tally | kubectl apply -f -
//
// With --trial for the PostgreSQL and RabbitMQ of the trial. Without it, missing URLs come from the environment, where a shell
// does not keep them: AUTH_DATABASE_URL, JOBS_DATABASE_URL, RESULTS_DATABASE_URL, BATCH_DATABASE_URL where the service has a
// database, and QUEUE_URL. What the Secrets on stdin have already stays as it is: a second encryption key would make all that
// is stored under the first unreadable. docs/runbook/rotation.md replaces a secret. Plain Node, nothing has to be installed.
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { completeSecrets, newToken } from '../deploy/single/lib/complete-secrets.mjs';

const { values } = parseArgs({
  options: {
    release: { type: 'string', default: 'tally' },
    namespace: { type: 'string', default: 'tally' },
    trial: { type: 'boolean', default: false },
  },
});

/** The Secrets of the namespace, decoded, by name. @throws Error when stdin is no List of `kubectl get secrets -o json` */
async function readExisting() {
  const command = `kubectl -n ${values.namespace} get secrets -o json`;
  if (process.stdin.isTTY) throw new Error(`the Secrets that exist are missing on stdin: ${command} | node …`);
  const answer = await text(process.stdin);
  try {
    return Object.fromEntries(
      JSON.parse(answer).items.map(({ metadata, data }) => [metadata.name, decode(data ?? {})]),
    );
  } catch (err) {
    throw new Error(`stdin is not the answer of ${command}`, { cause: err });
  }
}

const decode = (data) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));

function fromEnvironment(variable) {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set`);
  return value;
}

function databaseUrl(service, prefix, passwords) {
  if (!values.trial) return fromEnvironment(`${prefix}_DATABASE_URL`);
  return `postgresql://postgres:${passwords.postgresql}@${values.release}-trial-postgresql:5432/${service}`;
}

function queueUrl(passwords) {
  if (!values.trial) return fromEnvironment('QUEUE_URL');
  return `amqp://tally:${passwords.rabbitmq}@${values.release}-trial-rabbitmq:5672`;
}

function secret(name, stringData) {
  const labels = { 'app.kubernetes.io/part-of': 'tally' };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: values.namespace, labels }, stringData };
}

function trialSecret(name, password) {
  return secret(`${values.release}-trial-${name}`, { password });
}

const chart = path.join(import.meta.dirname, '../k8s/chart');
const services = JSON.parse(fs.readFileSync(path.join(chart, 'files/services.json'), 'utf8'));
const nameOf = (service) => `${values.release}-${service}`;

try {
  const existing = await readExisting();
  const passwordOf = (name) => existing[`${values.release}-trial-${name}`]?.password ?? newToken();
  const passwords = { postgresql: passwordOf('postgresql'), rabbitmq: passwordOf('rabbitmq') };
  const known = Object.fromEntries(Object.keys(services).map((service) => [service, existing[nameOf(service)]]));
  const complete = completeSecrets(services, known, {
    databaseUrl: (service, { prefix }) => databaseUrl(service, prefix, passwords),
    queueUrl: () => queueUrl(passwords),
  });
  const items = Object.entries(complete).map(([service, data]) => secret(nameOf(service), data));
  if (values.trial) items.push(...Object.entries(passwords).map(([name, password]) => trialSecret(name, password)));
  process.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`);
  process.exit(0);
} catch (err) {
  console.error(err.message);
  process.exit(1);
}
