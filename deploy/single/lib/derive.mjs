// What is made of tally.env: secrets, settings of each service, the proxy's configuration, units.
import fs from 'node:fs';
import path from 'node:path';
import { completeSecrets, newToken } from './complete-secrets.mjs';
import {
  DATA_OF_SERVICES,
  DERIVED,
  databaseOf,
  EXTRA,
  folderOfUnit,
  RELEASE,
  SECRETS,
  SERVERS,
  SERVICES,
  USERS,
  VAR,
} from './layout.mjs';
import { Fault, writeFile } from './system.mjs';
import { parseEnv } from './values.mjs';

/** A text of one line for a file of `NAME=value`, as podman reads it: up to the end of the line, as it stands. */
const envLines = (entries) =>
  Object.entries(entries)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

/** Services that this server has. */
export const servicesOf = (values) =>
  Object.keys(SERVICES).filter((service) => service !== 'batch-bridge' || values.TALLY_CLUSTERS !== '');

/** Secrets by service and key, as they are on disk. */
export function readSecrets(folder = SECRETS) {
  const read = (service) => {
    const dir = path.join(folder, service);
    if (!fs.existsSync(dir)) return [];
    return [
      [
        service,
        Object.fromEntries(fs.readdirSync(dir).map((key) => [key, fs.readFileSync(path.join(dir, key), 'utf8')])),
      ],
    ];
  };
  return Object.fromEntries([...Object.keys(SERVICES), ...SERVERS].flatMap(read));
}

/** Makes the secrets that are missing; those that exist stay. */
export function writeSecrets(folder = SECRETS) {
  const existing = readSecrets(folder);
  const password = existing.rabbitmq?.['90-tally.conf']?.match(/default_pass = (\S+)/)?.[1] ?? newToken();
  const services = completeSecrets(SERVICES, existing, {
    databaseUrl: (service) =>
      `postgresql://${databaseOf(service)}:${newToken()}@tally-postgresql:5432/${databaseOf(service)}`,
    queueUrl: () => `amqp://tally:${password}@tally-rabbitmq:5672`,
  });
  const servers = {
    postgresql: { password: existing.postgresql?.password ?? newToken() },
    rabbitmq: {
      '90-tally.conf': existing.rabbitmq?.['90-tally.conf'] ?? `default_user = tally\ndefault_pass = ${password}\n`,
    },
  };
  for (const [owner, entries] of Object.entries({ ...services, ...servers })) {
    for (const [key, text] of Object.entries(entries))
      writeFile(path.join(folder, owner, key), text, { mode: 0o440, group: USERS[owner] ?? USERS.service });
  }
  return services;
}

/** Settings that follow from the values of this server. @param edge - network of the proxy */
export function settingsOf(service, values, { secrets, edge }) {
  const { prefix, optionalDependencies, dependencies } = SERVICES[service];
  const hasClusters = values.TALLY_CLUSTERS !== '';
  const optional = hasClusters
    ? optionalDependencies.map((name) => [name, `dns:///tally-${dependencies[name]}:7000`])
    : [];
  const own = {
    gateway: { GATEWAY_TRUSTED_PROXIES: edge, GATEWAY_ORIGINS: `https://${values.TALLY_HOST}` },
    auth: { AUTH_REGISTRATION_ENABLED: String(values.TALLY_REGISTRATION === 'yes') },
    'batch-bridge': {
      BATCH_CLUSTERS: values.TALLY_CLUSTERS || '[]',
      BATCH_GATEWAY_URL: `https://${values.TALLY_HOST}`,
    },
    'direct-runner': { RUNNER_SIMULATORS: values.TALLY_SIMULATORS || '{}' },
  }[service];
  const callers = secrets[service].callers === undefined ? {} : { [`${prefix}_CALLERS`]: secrets[service].callers };
  return { ...callers, ...Object.fromEntries(optional), ...own, ...extraOf(service) };
}

/** Further settings of a service, which an operator gives in a file of its own. */
function extraOf(service) {
  const file = path.join(EXTRA, `${service}.env`);
  if (!fs.existsSync(file)) return {};
  const { values, faults } = parseEnv(fs.readFileSync(file, 'utf8'));
  if (faults.length > 0) throw new Fault(`${file}: ${faults.join(' ')}`);
  return values;
}

const TLS = {
  automatic: () => '',
  internal: () => '\ttls internal\n',
  files: () => '\ttls /etc/tally/certificate.pem /etc/tally/key.pem\n',
};

const caddyfile = ({ TALLY_HOST: host, TALLY_TLS: tls, TALLY_EMAIL: email }) => `{
	admin off
	http_port 8080
	https_port 8443
	skip_install_trust
${email === '' ? '' : `\temail ${email}\n`}}
https://${host} {
${TLS[tls]()}	# answers that are streamed go out as they come
	reverse_proxy tally-gateway:8080 {
		flush_interval -1
	}
}
`;

/** Files of what is derived, with their text, by the service that reads them. */
export function derivedFiles(values, { secrets, edge }) {
  const files = servicesOf(values).map((service) => ({
    service,
    file: path.join(DERIVED, `${service}.env`),
    text: envLines(settingsOf(service, values, { secrets, edge })),
  }));
  const caddy = { service: 'caddy', group: USERS.caddy };
  const proxy = [['Caddyfile', caddyfile(values)]];
  if (values.TALLY_TLS === 'files')
    proxy.push(
      ['certificate.pem', fs.readFileSync(values.TALLY_TLS_CERTIFICATE, 'utf8')],
      ['key.pem', fs.readFileSync(values.TALLY_TLS_KEY, 'utf8')],
    );
  for (const [name, text] of proxy) files.push({ ...caddy, file: path.join(DERIVED, 'caddy', name), text });
  return files;
}

/**
 * What is made for this machine of the text that stands for a container: nothing, the text, or one of each slot.
 * @param service - to which the container belongs
 * @param name - with @NUMBER@ where there is one of each slot
 * @returns pairs of name and text
 */
export function copiesOf(service, { name, text }, values, version) {
  if (service in SERVICES && !servicesOf(values).includes(service)) return [];
  const numbers = text.includes('@NUMBER@')
    ? Array.from({ length: Number(values.TALLY_SLOTS) }, (_, index) => index + 1)
    : [''];
  const fill = (pattern, number) =>
    pattern
      .replaceAll('@VERSION@', version)
      .replaceAll('@SIMULATORS_IMAGE@', values.TALLY_SIMULATORS_IMAGE || `localhost/tally/direct-runner:${version}`)
      .replaceAll('@NUMBER@', String(number));
  return numbers.map((number) => [fill(name, number), fill(text, number)]);
}

/** Units by their name, with their text, for a version. */
export function unitsOf(values, version) {
  const folder = path.join(RELEASE, 'quadlet');
  const units = fs.readdirSync(folder).flatMap((file) => {
    const [, service] = /^tally-(.*)\.container$/.exec(file) ?? [];
    const text = fs.readFileSync(path.join(folder, file), 'utf8');
    const name = text.includes('@NUMBER@') ? file.replace('.container', '-@NUMBER@.container') : file;
    return copiesOf(service, { name, text }, values, version);
  });
  return new Map(units);
}

/** Names of our units that are on this machine. */
export const presentUnits = () =>
  ['/etc/containers/systemd', '/etc/systemd/system']
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder))
    .filter((name) => /^tally(-[a-z0-9-]+)?\.(container|network|target|service|timer)$/.test(name));

/** What systemd calls a unit of podman. */
export const systemdName = (name) => name.replace(/\.container$/, '.service').replace(/\.network$/, '-network.service');

export const hostToolsFolder = (version) => path.join(VAR, 'host-tools', version);

/** Folders of data, where containers of one runner meet, and where they find programs of a version. */
export function dataFolders(values, version) {
  const folders = [
    { folder: VAR, mode: 0o755 },
    { folder: DATA_OF_SERVICES, mode: 0o711 },
    { folder: path.join(VAR, 'host-tools'), mode: 0o755 },
    { folder: hostToolsFolder(version), mode: 0o755, user: USERS.service },
    ...SERVERS.map((name) => ({ folder: path.join(VAR, name), mode: 0o700, user: USERS[name] })),
    { folder: path.join(DATA_OF_SERVICES, 'results'), mode: 0o700, user: USERS.service },
  ];
  for (let number = 1; number <= Number(values.TALLY_SLOTS); number++) {
    const work = path.join(DATA_OF_SERVICES, `direct-runner-${number}`);
    // simulators are another user, of the same group
    folders.push(
      { folder: work, mode: 0o2770, user: USERS.service },
      { folder: `${work}-tasks`, mode: 0o2777, user: USERS.service },
      { folder: `${work}-control`, mode: 0o2770, user: USERS.service },
    );
  }
  return folders;
}

export const unitFile = (name) => path.join(folderOfUnit(name), name);
