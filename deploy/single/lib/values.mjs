// The values of tally.env: what each is for, what it may be, and what it is where nothing is said.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

const oneOf = (...words) => ({
  may: `one of ${words.join(', ')}`,
  isRight: (text) => words.includes(text),
});
const wholeNumber = (min, max) => ({
  may: `a whole number from ${min} to ${max}`,
  isRight: (text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max,
});
const file = { may: 'the path of a file that can be read', isRight: (text) => text === '' || isReadable(text) };
const json = (may, isShape) => ({ may, isRight: (text) => text === '' || isShape(parsed(text)) });

function isReadable(name) {
  try {
    fs.accessSync(name, fs.constants.R_OK);
    return path.isAbsolute(name) && fs.statSync(name).isFile();
  } catch {
    return false;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const slotsOfMachine = () => String(Math.max(1, os.availableParallelism() - 1));

/** In the order in which tally.env has them. `purpose`: a sentence that errors and the file show. */
export const VALUES = {
  TALLY_HOST: {
    purpose: 'The name by which users reach this server, as in https://<name>/; its certificate is for this name.',
    may: 'a host name in small letters, such as tally.hospital.example',
    isRight: (text) => HOST.test(text),
    initial: () => os.hostname().toLowerCase(),
  },
  TALLY_TLS: {
    purpose:
      'How browsers come to trust this server: automatic (Let’s Encrypt; the server must be reachable from the internet), internal (an authority of this server, whose certificate you give to browsers), files (a certificate of yours).',
    ...oneOf('automatic', 'internal', 'files'),
    initial: () => 'internal',
  },
  TALLY_TLS_CERTIFICATE: {
    purpose:
      'With TALLY_TLS=files: the certificate with its chain, PEM. To renew it replace the file, as after a change of a value.',
    ...file,
  },
  TALLY_TLS_KEY: { purpose: 'With TALLY_TLS=files: the private key of the certificate, PEM.', ...file },
  TALLY_EMAIL: {
    purpose: 'With TALLY_TLS=automatic: where the authority writes to when a certificate cannot be renewed.',
    may: 'an address such as it@hospital.example, or nothing',
    isRight: (text) => /^([^\s@"{}]+@[^\s@"{}]+)?$/.test(text),
  },
  TALLY_REGISTRATION: {
    purpose: 'Whether whoever reaches this server may make an account.',
    ...oneOf('yes', 'no'),
    initial: () => 'yes',
  },
  TALLY_SLOTS: {
    purpose: 'How many tasks run at a time; each keeps one processor busy and may take 5 GiB of memory.',
    ...wholeNumber(1, 256),
    initial: slotsOfMachine,
  },
  TALLY_SIMULATORS_IMAGE: {
    purpose: 'An image on this machine with your simulators; empty: the built-in engine alone.',
    may: 'the name of an image with its tag, or nothing',
    isRight: (text) => text === '' || /^[\w./-]+(:\d+)?[\w./-]*:[\w.-]+$/.test(text),
  },
  TALLY_SIMULATORS: {
    purpose: 'Which programs of that image are simulators, on one line, as RUNNER_SIMULATORS in docs/simulators.md.',
    ...json('an object of JSON on one line, or nothing', isObject),
  },
  TALLY_CLUSTERS: {
    purpose: 'Clusters for batch jobs, on one line, as BATCH_CLUSTERS in services/batch-bridge/README.md; empty: none.',
    ...json('a list of JSON on one line, or nothing', Array.isArray),
  },
  TALLY_BACKUP_DIR: {
    purpose: 'Where backups are written, daily: a folder on another disk or machine.',
    may: 'the path of a folder, from / on',
    isRight: (text) => /^\/[^\s:]+$/.test(text),
    initial: () => '/var/backups/tally',
  },
  TALLY_BACKUPS_KEPT: {
    purpose: 'How many backups are kept; older ones are removed after a new one is complete.',
    ...wholeNumber(1, 1000),
    initial: () => '14',
  },
};

const initialOf = (name) => VALUES[name].initial?.() ?? '';
export const initialValues = () => Object.fromEntries(Object.keys(VALUES).map((name) => [name, initialOf(name)]));

/** Lines `NAME=value`; a value may stand in quotes. @returns `{values, faults}` */
export function parseEnv(text) {
  const values = {};
  const faults = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value] = /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/.exec(line) ?? [];
    if (name === undefined) faults.push(`line ${index + 1} is not NAME=value: ${line.trim().slice(0, 60)}`);
    else if (name in values) faults.push(`${name} is given twice.`);
    else values[name] = value.trim().replace(/^(["'])(.*)\1$/, '$2');
  }
  return { values, faults };
}

function certificateFault({
  TALLY_TLS: tls,
  TALLY_TLS_CERTIFICATE: certificate,
  TALLY_TLS_KEY: key,
  TALLY_HOST: host,
}) {
  if (tls !== 'files') return [];
  const missing = Object.entries({ TALLY_TLS_CERTIFICATE: certificate, TALLY_TLS_KEY: key }).filter(
    ([, text]) => !text,
  );
  if (missing.length > 0)
    return missing.map(([name]) => `${name} is missing, which TALLY_TLS=files needs. ${VALUES[name].purpose}`);
  try {
    const found = new X509Certificate(fs.readFileSync(certificate));
    const until = new Date(found.validTo);
    if (until < new Date()) return [`TALLY_TLS_CERTIFICATE has expired on ${until.toISOString().slice(0, 10)}.`];
    if (found.checkHost(host) === undefined)
      return [
        `TALLY_TLS_CERTIFICATE is not for ${host} (TALLY_HOST), but for ${found.subjectAltName ?? found.subject}.`,
      ];
    if (!found.checkPrivateKey(createPrivateKey(fs.readFileSync(key))))
      return ['TALLY_TLS_KEY is not the key of TALLY_TLS_CERTIFICATE.'];
    return [];
  } catch (err) {
    return [`TALLY_TLS_CERTIFICATE or TALLY_TLS_KEY cannot be read as PEM: ${err.message}`];
  }
}

/** What is wrong with values, a sentence each: the value, what it may be, and what it is for. */
export function faultsOf(values) {
  const unknown = Object.keys(values).filter((name) => !(name in VALUES));
  const faults = unknown.map(
    (name) => `${name} is no value of tally.env; there are ${Object.keys(VALUES).join(', ')}.`,
  );
  for (const [name, { purpose, may, isRight }] of Object.entries(VALUES)) {
    const text = values[name];
    if (text === undefined) faults.push(`${name} is missing. It may be ${may}. ${purpose}`);
    else if (!isRight(text)) faults.push(`${name}=${text} is not right: it may be ${may}. ${purpose}`);
  }
  if (values.TALLY_SIMULATORS !== '' && values.TALLY_SIMULATORS_IMAGE === '')
    faults.push(
      `TALLY_SIMULATORS_IMAGE is missing, which TALLY_SIMULATORS needs. ${VALUES.TALLY_SIMULATORS_IMAGE.purpose}`,
    );
  return [...faults, ...certificateFault(values)];
}

/** Text of tally.env with these values, each below what it is for. */
export const envText = (values) =>
  `# The values of this server. After a change run \`tally-server up\`; with compose: \`tally-server compose\`, and what it says.\n${Object.entries(
    VALUES,
  )
    .map(([name, { purpose }]) => `\n# ${purpose}\n${name}=${values[name]}\n`)
    .join('')}`;
