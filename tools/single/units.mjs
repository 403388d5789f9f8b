// Quadlet units of one machine (podman-systemd.unit(5)) from what the chart makes of each service: its Deployment and ConfigMap in
// k8s/manifests say of settings, users, rights, memory, secrets and volumes what holds here, too.
import { parseObjects } from '../k8s/generated-files.mjs';

export const NOTE = '# Made from k8s/manifests by `pnpm single:gen`; do not edit.\n';
/** Put in by tally-server: the version of the release, and the number of a runner. */
const VERSION = '@VERSION@';
const NUMBER = '@NUMBER@';

/** Networks beside that of the services: the proxy's way in, and the way out to realm and clusters. */
const FURTHER_NETWORKS = { gateway: ['tally-edge'], auth: ['tally-out'], 'batch-bridge': ['tally-out'] };
/** Stopped by tally-server or with the machine, a runner hands its tasks back at once: they begin again at the next start. */
const OTHER_SETTINGS = { RUNNER_DRAIN_MS: '0' };
const STOP_SECONDS = 80;
/** The first start of a machine that starts everything at once. */
const START_SECONDS = 300;
const TASKS_MAX = 512;

/** systemd writes M and G for powers of 1024, as Kubernetes writes Mi and Gi. */
const systemdBytes = (quantity) => quantity.replace(/i$/, '');
/** A value of systemd: `%` begins a specifier, and blanks end a word. */
const quoted = (text) =>
  /^[\w./:@=,-]*$/.test(text) ? text : `"${text.replaceAll('%', '%%').replaceAll(/["\\]/g, '\\$&')}"`;

const section = (name, entries) => `[${name}]\n${entries.map(([key, value]) => `${key}=${value}\n`).join('')}`;
const unit = (sections) => `${NOTE}${sections.join('\n')}`;

/** What every container of ours has: nothing but what its unit gives. */
function restrictions({ securityContext }, podSecurity) {
  const { runAsUser, runAsGroup } = { ...podSecurity, ...securityContext };
  return [
    ['User', runAsUser],
    ['Group', runAsGroup],
    ['ReadOnly', securityContext.readOnlyRootFilesystem],
    ['ReadOnlyTmpfs', false],
    ['NoNewPrivileges', securityContext.allowPrivilegeEscalation === false],
    ...securityContext.capabilities.drop.map((capability) => ['DropCapability', capability.toLowerCase()]),
    // systemd counts: TasksMax
    ['PidsLimit', 0],
  ];
}

/** Shares of busy processors, 100 for a unit without (systemd.resource-control(5)): every page waits for the gateway, nobody for a simulation. */
const WEIGHTS = { gateway: 400, 'simulator-host': 10 };

const limits = ({ resources }) => [
  ['MemoryMax', systemdBytes(resources.limits.memory)],
  ['TasksMax', TASKS_MAX],
  ...(resources.limits.cpu === undefined ? [] : [['CPUQuota', `${Number(resources.limits.cpu) * 100}%`]]),
];

const running = (stopSeconds = STOP_SECONDS) => [
  ['Restart', 'always'],
  ['RestartSec', 2],
  ['TimeoutStartSec', START_SECONDS],
  ['TimeoutStopSec', stopSeconds],
];

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

/** Where a volume of a pod is on this machine. */
const PLACES = {
  secrets: (service) => `/etc/tally/secrets/${service}`,
  work: (service) => `/var/lib/tally/services/${service}`,
  tasks: (service) => `/var/lib/tally/services/${service}-tasks`,
  control: (service) => `/run/tally/${service}-control`,
  'host-tools': () => `/var/lib/tally/host-tools/${VERSION}`,
};

/** Volumes and memory of a container; memory that two of a pod share is a folder in /run. */
function mounts(container, { volumes }, service) {
  return (container.volumeMounts ?? []).map(({ name, mountPath, readOnly }) => {
    const { emptyDir } = volumes.find((volume) => volume.name === name);
    if (mountPath === '/dev/shm') return ['ShmSize', systemdBytes(emptyDir.sizeLimit).toLowerCase()];
    if (name === 'temporary')
      return ['Tmpfs', `${mountPath}:size=${systemdBytes(emptyDir.sizeLimit).toLowerCase()},mode=1777`];
    return ['Volume', `${PLACES[name](service)}:${mountPath}${readOnly ? ':ro' : ''}`];
  });
}

const variables = (entries) =>
  Object.entries(entries).map(([name, value]) => ['Environment', quoted(`${name}=${value}`)]);

/** Variables with a value of their own; those from secrets that are no files are in the file that tally-server writes. */
const ownVariables = (container) =>
  Object.fromEntries(
    (container.env ?? []).filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]),
  );

/** The service's container of a pod, and the one beside it. */
function split({ containers }) {
  const main = containers.find(({ lifecycle }) => lifecycle !== undefined);
  return [main, containers.find((container) => container !== main)];
}

const dependOn = (units) => [
  ['Wants', units.join(' ')],
  ['After', units.join(' ')],
];
const install = section('Install', [['WantedBy', 'tally.target']]);

function serviceUnit(service, pod, settings, facts) {
  const [main] = split(pod);
  const isMany = service === 'direct-runner';
  const name = isMany ? `${service}-${NUMBER}` : service;
  const servers = [facts.hasDatabase && 'tally-postgresql.service', facts.hasQueue && 'tally-rabbitmq.service'].filter(
    Boolean,
  );
  const isOptional = (variable) => facts.optionalDependencies.includes(variable);
  const given = Object.fromEntries(Object.entries(settings).filter(([variable]) => !isOptional(variable)));
  return unit([
    section('Unit', [
      ['Description', `Tally: ${name}`],
      ['PartOf', 'tally.target'],
      ...(servers.length === 0 ? [] : dependOn(servers)),
      // each waits for the other while it starts
      ...(isMany ? [['Wants', `tally-simulator-host-${NUMBER}.service`]] : []),
    ]),
    section('Container', [
      ['ContainerName', `tally-${name}`],
      ['Image', `localhost/tally/${service}:${VERSION}`],
      ['Pull', 'never'],
      ...['tally', ...(FURTHER_NETWORKS[service] ?? [])].map((network) => ['Network', `${network}.network`]),
      ...restrictions(main, pod.securityContext),
      ...variables({ ...given, ...OTHER_SETTINGS_OF(given), ...ownVariables(main) }),
      ['EnvironmentFile', `/etc/tally/derived/${service}.env`],
      ...mounts(main, pod, name).map(([key, value]) => [key, value.replace(`secrets/${name}`, `secrets/${service}`)]),
    ]),
    section('Service', [
      ...running(),
      ...limits(main),
      ...(WEIGHTS[service] === undefined ? [] : [['CPUWeight', WEIGHTS[service]]]),
    ]),
    install,
  ]);
}

/** Of the settings that hold here otherwise than in a cluster, those that a service has. */
const OTHER_SETTINGS_OF = (settings) =>
  Object.fromEntries(Object.entries(OTHER_SETTINGS).filter(([variable]) => variable in settings));

/** The container in which simulators run: beside its runner, and without a network, which it has in a pod. */
function simulatorHostUnit(pod) {
  const [, host] = split(pod);
  const [entry, ...args] = [...host.command, ...host.args];
  const runner = `direct-runner-${NUMBER}`;
  return unit([
    section('Unit', [
      ['Description', `Tally: simulators of ${runner}`],
      ['PartOf', 'tally.target'],
    ]),
    section('Container', [
      ['ContainerName', `tally-simulator-host-${NUMBER}`],
      ['Image', '@SIMULATORS_IMAGE@'],
      ['Pull', 'never'],
      ['Network', 'none'],
      ...restrictions(host, pod.securityContext),
      ...variables(ownVariables(host)),
      ['WorkingDir', host.workingDir],
      ['Entrypoint', entry],
      ['Exec', args.join(' ')],
      ...mounts(host, pod, runner),
    ]),
    section('Service', [
      ...running(10),
      ...limits({ resources: { limits: { ...host.resources.limits } } }),
      ['CPUWeight', WEIGHTS['simulator-host']],
    ]),
    install,
  ]);
}

/** What is in no pod: the servers beside. `data`: their one folder. */
const SERVERS = {
  postgresql: {
    what: 'PostgreSQL',
    user: 10011,
    networks: ['tally'],
    volumes: ['/etc/tally/secrets/postgresql:/run/secrets/tally:ro', '/var/lib/tally/postgresql:/data'],
    // sockets and lock files
    tmpfs: ['/run/postgresql:mode=0777,size=1m', '/tmp:mode=1777,size=64m'],
    shm: '256m',
    check: 'pg_isready --quiet --host=/run/postgresql',
    stopSeconds: 120,
    memory: '4G',
  },
  rabbitmq: {
    what: 'RabbitMQ',
    user: 10012,
    networks: ['tally'],
    volumes: ['/etc/tally/secrets/rabbitmq:/etc/rabbitmq/conf.d:ro', '/var/lib/tally/rabbitmq:/data'],
    tmpfs: ['/tmp:mode=1777,size=64m', '/var/log/rabbitmq:mode=0777,size=16m'],
    // it listens when it has started
    check: "bash -c 'exec 3<>/dev/tcp/127.0.0.1/5672'",
    stopSeconds: 60,
    memory: '2G',
  },
  caddy: {
    what: 'Caddy, which ends TLS',
    user: 10013,
    networks: ['tally-edge'],
    volumes: ['/etc/tally/derived/caddy:/etc/tally:ro', '/var/lib/tally/caddy:/data'],
    tmpfs: ['/tmp:mode=1777,size=64m', '/config:mode=0777,size=16m'],
    ports: ['80:8080', '443:8443'],
    stopSeconds: 30,
    memory: '512M',
  },
};

function serverUnit(name, { what, user, networks, volumes, tmpfs, shm, ports = [], check, stopSeconds, memory }) {
  return unit([
    section('Unit', [
      ['Description', `Tally: ${what}`],
      ['PartOf', 'tally.target'],
    ]),
    section('Container', [
      ['ContainerName', `tally-${name}`],
      ['Image', `localhost/tally/${name}:${VERSION}`],
      ['Pull', 'never'],
      ...networks.map((network) => ['Network', `${network}.network`]),
      ['User', user],
      ['Group', user],
      ['ReadOnly', true],
      ['ReadOnlyTmpfs', false],
      ['NoNewPrivileges', true],
      ['DropCapability', 'all'],
      ['PidsLimit', 0],
      ...volumes.map((volume) => ['Volume', volume]),
      ...tmpfs.map((mount) => ['Tmpfs', mount]),
      ...(shm === undefined ? [] : [['ShmSize', shm]]),
      ...ports.map((port) => ['PublishPort', port]),
      ...(check === undefined ? [] : health(check)),
    ]),
    section('Service', [...running(stopSeconds), ['MemoryMax', memory], ['TasksMax', 1024]]),
    install,
  ]);
}

const network = (name, isInternal) =>
  `${NOTE}${section('Network', [['NetworkName', name], ...(isInternal ? [['Internal', true]] : [])])}`;

const TARGET = `${NOTE}${section('Unit', [
  ['Description', 'Tally'],
  ['Wants', 'network-online.target'],
  ['After', 'network-online.target'],
])}\n${section('Install', [['WantedBy', 'multi-user.target']])}`;

const BACKUP_SERVICE = `${NOTE}${section('Unit', [['Description', 'Tally: backup']])}
${section('Service', [
  ['Type', 'oneshot'],
  ['ExecStart', '/usr/local/bin/tally-server backup'],
])}`;
/** Every night, and after a night in which the machine was off. */
const BACKUP_TIMER = `${NOTE}${section('Unit', [['Description', 'Tally: backup, every night']])}
${section('Timer', [
  ['OnCalendar', '02:30'],
  ['Persistent', true],
])}
${section('Install', [['WantedBy', 'timers.target']])}`;

/** Units by their file name. @param manifestOf - text of a manifest by its service */
export function singleUnits(facts, manifestOf) {
  const units = new Map([
    ['tally.network', network('tally', true)],
    ['tally-edge.network', network('tally-edge', false)],
    ['tally-out.network', network('tally-out', false)],
    ['tally.target', TARGET],
    ['tally-backup.service', BACKUP_SERVICE],
    ['tally-backup.timer', BACKUP_TIMER],
  ]);
  for (const [name, server] of Object.entries(SERVERS)) units.set(`tally-${name}.container`, serverUnit(name, server));
  for (const [service, its] of Object.entries(facts)) {
    const objects = parseObjects(manifestOf(service));
    const find = (kind) => objects.find((object) => object.kind === kind);
    const pod = find('Deployment').spec.template.spec;
    units.set(`tally-${service}.container`, serviceUnit(service, pod, find('ConfigMap').data, its));
    if (split(pod)[1] !== undefined) units.set('tally-simulator-host.container', simulatorHostUnit(pod));
  }
  return units;
}
