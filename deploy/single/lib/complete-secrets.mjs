// Secrets of services: made where they are missing, kept where they exist, for whatever keeps them (k8s-secrets.mjs, deploy/single).
// Plain Node, nothing has to be installed.
import { createHash, randomBytes } from 'node:crypto';

/** A token, password or key: 64 hex digits. */
export const newToken = () => randomBytes(32).toString('hex');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** How each required secret comes to be, by its key. A new required secret of a service needs a line here. */
const makers = {
  callers: (_service, { callers }, { tokens }) =>
    callers.map((caller) => `${caller}:${sha256(tokens[caller])}`).join(','),
  'caller-token': (service, _facts, { tokens }) => tokens[service],
  'database-url': (service, facts, { databaseUrl }) => databaseUrl(service, facts),
  'queue-url': (service, facts, { queueUrl }) => queueUrl(service, facts),
  'encryption-key': () => randomBytes(32).toString('base64'),
  'update-key-master': () => newToken(),
};

/** Callers as they are, and those whose token they do not know yet. */
function completeCallers(existing, made) {
  const known = existing.split(',');
  return [...known, ...made.split(',').filter((caller) => !known.includes(caller))].join(',');
}

function valueOf(service, facts, key, { existing, ...made }) {
  const found = existing[service]?.[key];
  if (found !== undefined && key !== 'callers') return found;
  if (makers[key] === undefined) throw new Error(`${service} needs the secret ${key}, and nobody says how it is made`);
  const value = makers[key](service, facts, made);
  return found === undefined ? value : completeCallers(found, value);
}

/**
 * All secrets by service and key: those that exist as they are, and what is missing of the required ones. A second encryption key would
 * make all that is stored under the first unreadable.
 * @param services - facts of the services, as k8s/chart/files/services.json has them
 * @param existing - secrets by service and key
 * @param urls - `{databaseUrl, queueUrl}`: from a service and its facts to its URL; asked where one is missing
 */
export function completeSecrets(services, existing, urls) {
  const tokens = Object.fromEntries(
    Object.keys(services).map((service) => [service, existing[service]?.['caller-token'] ?? newToken()]),
  );
  const secretsOf = ([service, facts]) => {
    const keys = facts.secrets.filter(({ isRequired }) => isRequired).map(({ key }) => key);
    const made = keys.map((key) => [key, valueOf(service, facts, key, { existing, tokens, ...urls })]);
    return [service, { ...existing[service], ...Object.fromEntries(made) }];
  };
  return Object.fromEntries(Object.entries(services).map(secretsOf));
}
