// The compose file of this machine: for who starts and stops containers by Docker Compose, without units of systemd.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { databasesSql } from './databases.mjs';
import { copiesOf, derivedFiles, servicesOf, settingsOf, writeSecrets } from './derive.mjs';
import { makeFolders, noteInstalled, writeDerived } from './install.mjs';
import { COMPOSE_FILE, DERIVED, RELEASE, SECRETS, SERVICES, USERS, VERSION } from './layout.mjs';
import { writeFile } from './system.mjs';

/** A service of the file, such as `  migrate-jobs:`, and to which of Tally's it belongs. */
const NAME = /^ {2}(?:migrate-)?([a-z-]+?)(?:-@NUMBER@)?:\n/;
const OWN_SETTINGS = /^ {4}environment:\n(?: {6}.*\n)*/m;

/** Lines of variables: JSON is YAML, and `$` begins a variable of compose. */
const lines = (settings) =>
  Object.entries(settings)
    .map(([name, value]) => `      ${name}: ${JSON.stringify(value).replaceAll('$', '$$$$')}\n`)
    .join('');

/** A service with the settings of this machine; those that it has already hold. */
function withSettings(block, settings) {
  const [own] = OWN_SETTINGS.exec(block) ?? [];
  if (own === undefined || settings === undefined) return block;
  const further = Object.entries(settings).filter(([name]) => !own.includes(`\n      ${name}: `));
  return block.replace(own, () => `${own}${lines(Object.fromEntries(further))}`);
}

/**
 * Text of the compose file for these values.
 * @param template - compose.yaml of a release
 * @param settings - of each service, by its name
 * @param configuration - a text that changes with the configuration of the proxy
 */
export function composeText(template, { values, version, settings, configuration }) {
  return template
    .split(/^(?= {0,2}\S)/m)
    .flatMap((block) => {
      const [, service] = NAME.exec(block) ?? [];
      const isMigration = block.startsWith('  migrate-');
      const text = isMigration ? block : withSettings(block, settings[service]);
      return copiesOf(service, { name: '', text }, values, version).map(([, copy]) => copy);
    })
    .join('')
    .replaceAll('@CONFIGURATION@', configuration);
}

/** Writes all that containers need, and the compose file, for this release and these values; starts nothing. */
export function writeCompose(values) {
  const template = fs.readFileSync(path.join(RELEASE, 'compose.yaml'), 'utf8');
  const [, edge] = /subnet: (\S+)/.exec(template);
  makeFolders(values, VERSION);
  const secrets = writeSecrets();
  fs.chmodSync(SECRETS, 0o700);
  const services = servicesOf(values);
  const proxy = derivedFiles(values, { secrets, edge }).filter(({ service }) => !(service in SERVICES));
  const sql = { file: path.join(DERIVED, 'postgresql/databases.sql'), text: databasesSql(services, secrets) };
  writeDerived([...proxy, { ...sql, group: USERS.postgresql }]);
  const configuration = createHash('sha256').update(JSON.stringify(proxy)).digest('hex');
  const settings = Object.fromEntries(services.map((name) => [name, settingsOf(name, values, { secrets, edge })]));
  const text = composeText(template, { values, version: VERSION, settings, configuration });
  // with it are hashes of tokens, and what stands in /etc/tally/extra
  writeFile(COMPOSE_FILE, text, { mode: 0o600 });
  noteInstalled(VERSION);
}
