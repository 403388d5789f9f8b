// Quadlet units (podman-systemd.unit(5)) of the containers of one machine, and what else systemd starts.
import { NETWORKS, NUMBER } from './containers.mjs';

const NOTE = '# Made from k8s/manifests by `pnpm single:gen`; do not edit.\n';
/** The first start of a machine that starts everything at once. */
const START_SECONDS = 300;

/** A value of systemd: `%` begins a specifier, and blanks end a word. */
const quoted = (text) =>
  /^[\w./:@=,-]*$/.test(text) ? text : `"${text.replaceAll('%', '%%').replaceAll(/["\\]/g, '\\$&')}"`;

/** A section; an entry without a value is none. */
const section = (name, entries) =>
  `[${name}]\n${entries
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')}`;
const unit = (...sections) => `${NOTE}${sections.join('\n')}`;

/**
 * Of servers, for which others wait: asked often while they start, which ends with the first good answer. Services say themselves whether
 * they are ready, at /readyz of the gateway; a program that asks each of them all the time would cost more than it tells.
 */
const health = (command) => [
  ['HealthCmd', command],
  ['HealthInterval', '30s'],
  ['HealthTimeout', '10s'],
  ['HealthRetries', 4],
  ['HealthStartupCmd', command],
  ['HealthStartupInterval', '2s'],
  ['HealthStartupTimeout', '10s'],
  ['Notify', 'healthy'],
];

const mount = ({ volume, tmpfs, shm }) => {
  if (volume !== undefined) return ['Volume', volume];
  return tmpfs === undefined ? ['ShmSize', shm] : ['Tmpfs', tmpfs];
};

const unitName = (name) => `tally-${name}.service`;

function containerUnit(container) {
  const { name, service, servers, networks, variables = {}, ports = [], check, processors } = container;
  const waited = servers.length === 0 ? undefined : servers.map(unitName).join(' ');
  return unit(
    section('Unit', [
      ['Description', `Tally: ${container.what}`],
      ['PartOf', 'tally.target'],
      ['Wants', waited],
      ['After', waited],
      ['Wants', container.wants && unitName(container.wants)],
    ]),
    section('Container', [
      ['ContainerName', `tally-${name}`],
      ['Image', container.image],
      ['Pull', 'never'],
      ...(networks.length === 0 ? ['none'] : networks.map((network) => `${network}.network`)).map((network) => [
        'Network',
        network,
      ]),
      ['User', container.user],
      ['Group', container.group],
      ['ReadOnly', container.isReadOnly],
      ['ReadOnlyTmpfs', false],
      ['NoNewPrivileges', !container.hasNewPrivileges],
      ...container.droppedCapabilities.map((capability) => ['DropCapability', capability]),
      // systemd counts: TasksMax
      ['PidsLimit', 0],
      ...Object.entries(variables).map(([variable, value]) => ['Environment', quoted(`${variable}=${value}`)]),
      ['EnvironmentFile', service && `/etc/tally/derived/${service}.env`],
      ['WorkingDir', container.workingDir],
      ['Entrypoint', container.entry],
      ['Exec', container.args?.join(' ')],
      ...container.mounts.map(mount),
      ...ports.map((port) => ['PublishPort', port]),
      ...(check === undefined ? [] : health(check)),
    ]),
    section('Service', [
      ['Restart', 'always'],
      ['RestartSec', 2],
      ['TimeoutStartSec', START_SECONDS],
      ['TimeoutStopSec', container.stopSeconds],
      ['MemoryMax', container.memory],
      ['TasksMax', container.processesMax],
      ['CPUQuota', processors && `${processors * 100}%`],
      ['CPUWeight', container.weight],
    ]),
    section('Install', [['WantedBy', 'tally.target']]),
  );
}

const network = ([name, hasWayOut]) => [
  `${name}.network`,
  unit(
    section('Network', [
      ['NetworkName', name],
      ['Internal', hasWayOut ? undefined : true],
    ]),
  ),
];

const TARGET = unit(
  section('Unit', [
    ['Description', 'Tally'],
    ['Wants', 'network-online.target'],
    ['After', 'network-online.target'],
  ]),
  section('Install', [['WantedBy', 'multi-user.target']]),
);

const BACKUP_SERVICE = unit(
  section('Unit', [['Description', 'Tally: backup']]),
  section('Service', [
    ['Type', 'oneshot'],
    ['ExecStart', '/usr/local/bin/tally-server backup'],
  ]),
);
/** Every night, and after a night in which the machine was off. */
const BACKUP_TIMER = unit(
  section('Unit', [['Description', 'Tally: backup, every night']]),
  section('Timer', [
    ['OnCalendar', '02:30'],
    ['Persistent', true],
  ]),
  section('Install', [['WantedBy', 'timers.target']]),
);

/** Units by their file name, of containers as describeMachine gives them. What runs to its end is run by tally-server. */
export function machineUnits({ containers }) {
  return new Map([
    ...Object.entries(NETWORKS).map(network),
    ['tally.target', TARGET],
    ['tally-backup.service', BACKUP_SERVICE],
    ['tally-backup.timer', BACKUP_TIMER],
    ...containers.map((container) => [
      `tally-${container.name.replace(`-${NUMBER}`, '')}.container`,
      containerUnit(container),
    ]),
  ]);
}
