// Where everything of this machine's Tally is.
import fs from 'node:fs';
import path from 'node:path';

/** The folder of this release: tally-server, units, images. */
export const RELEASE = path.join(import.meta.dirname, '..');
/** What an operator gives, and what is made of it. */
export const ETC = '/etc/tally';
export const ENV_FILE = path.join(ETC, 'tally.env');
/** Settings of a service beside tally.env: <service>.env, of docs/settings.md. */
export const EXTRA = path.join(ETC, 'extra');
export const SECRETS = path.join(ETC, 'secrets');
export const DERIVED = path.join(ETC, 'derived');
/** Written by `tally-server compose`, which makes a server that a compose program starts, and not systemd. */
export const COMPOSE_FILE = path.join(ETC, 'compose.yaml');
/** Which release is installed, and which was before: `{version, previous}`. */
export const INSTALLED_FILE = path.join(ETC, 'installed.json');
/** Data. */
export const VAR = '/var/lib/tally';
/** Working folders of services; tools/single/units.mjs mounts them. */
export const DATA_OF_SERVICES = path.join(VAR, 'services');
/** Units, by the end of their name. */
export const QUADLET_UNITS = '/etc/containers/systemd';
export const SYSTEM_UNITS = '/etc/systemd/system';
export const folderOfUnit = (name) => (/\.(container|network)$/.test(name) ? QUADLET_UNITS : SYSTEM_UNITS);
export const COMMAND = '/usr/local/bin/tally-server';

export const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
/** Facts of the services, as the chart has them. */
export const SERVICES = readJson(path.join(RELEASE, 'services.json'));
/** Version of this release: a clone of the repository is none. */
export const VERSION = fs.existsSync(path.join(RELEASE, 'VERSION'))
  ? fs.readFileSync(path.join(RELEASE, 'VERSION'), 'utf8').trim()
  : undefined;
export const SERVERS = ['postgresql', 'rabbitmq', 'caddy'];
/** User ids of the images (docker/servers.Dockerfile, docker/Dockerfile). */
export const USERS = { service: 10001, postgresql: 10011, rabbitmq: 10012, caddy: 10013 };

/** Name of the database of a service, and of the role that owns it. */
export const databaseOf = (service) => (service === 'batch-bridge' ? 'batch' : service);
/** Services with a database in the order of their backup: what results has is never older than what jobs says of it. */
export const DATABASES = ['jobs', 'results', 'auth', 'batch-bridge'].filter((service) => SERVICES[service].hasDatabase);

export const installed = () => (fs.existsSync(INSTALLED_FILE) ? readJson(INSTALLED_FILE) : undefined);
export const isComposed = () => fs.existsSync(COMPOSE_FILE);
/** Where an operator reads what a container says. */
export const logOf = (name) =>
  isComposed() ? `cd ${ETC} && docker compose logs ${name}` : `journalctl -u tally-${name}`;
export const isInitialised = () => fs.existsSync(ENV_FILE);
