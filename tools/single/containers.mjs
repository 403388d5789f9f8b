// The containers of one machine, described once for all that start them (units.mjs, compose.mjs). What the chart makes of each service, its
// Deployment, ConfigMap and migration in k8s/manifests, says of settings, users, rights, memory, secrets and volumes what holds here, too.
import { parseObjects } from '../k8s/generated-files.mjs';

/** Put in by tally-server: the version of the release, the number of a runner, and the image of the simulators. */
export const VERSION = '@VERSION@';
export const NUMBER = '@NUMBER@';
const SIMULATORS_IMAGE = '@SIMULATORS_IMAGE@';

/** Whether each has a way out of the machine: that of the services, the proxy's way in, and the way out to realm and clusters. */
export const NETWORKS = { tally: false, 'tally-edge': true, 'tally-out': true };
const FURTHER_NETWORKS = { gateway: ['tally-edge'], auth: ['tally-out'], 'batch-bridge': ['tally-out'] };
/** Stopped by tally-server or with the machine, a runner hands its tasks back at once: they begin again at the next start. */
const OTHER_SETTINGS = { RUNNER_DRAIN_MS: '0' };
const STOP_SECONDS = 80;
const HOST_STOP_SECONDS = 10;
const PROCESSES_MAX = 512;
const SERVER_PROCESSES_MAX = 1024;
/** Shares of busy processors, 100 for a container without: every page waits for the gateway, nobody for a simulation. */
const WEIGHTS = { gateway: 400, 'simulator-host': 10 };
const SECRETS_IN_CONTAINER = '/run/secrets/tally';

/** systemd and engines of containers write M and G for powers of 1024, as Kubernetes writes Mi and Gi. */
const bytes = (quantity) => quantity.replace(/i$/, '');

/** What a container has of rights: nothing but what its description gives. */
const RIGHTS = { isReadOnly: true, hasNewPrivileges: false, droppedCapabilities: ['all'] };

function rightsOf({ securityContext }, { securityContext: podSecurity }) {
  const { runAsUser: user, runAsGroup: group } = { ...podSecurity, ...securityContext };
  return {
    user,
    group,
    isReadOnly: securityContext.readOnlyRootFilesystem,
    hasNewPrivileges: securityContext.allowPrivilegeEscalation !== false,
    droppedCapabilities: securityContext.capabilities.drop.map((capability) => capability.toLowerCase()),
  };
}

const limitsOf = ({ resources: { limits } }) => ({
  memory: bytes(limits.memory),
  processesMax: PROCESSES_MAX,
  ...(limits.cpu !== undefined && { processors: Number(limits.cpu) }),
});

/** Where a volume of a pod is on this machine. */
const PLACES = {
  secrets: (service) => `/etc/tally/secrets/${service}`,
  work: (_service, name) => `/var/lib/tally/services/${name}`,
  tasks: (_service, name) => `/var/lib/tally/services/${name}-tasks`,
  control: (_service, name) => `/var/lib/tally/services/${name}-control`,
  'host-tools': () => `/var/lib/tally/host-tools/${VERSION}`,
};

/** Volumes and memory of a container, in the order of the pod. @param name - of the service with the number of its copy */
function mountsOf(container, { volumes }, service, name = service) {
  return (container.volumeMounts ?? []).map(({ name: volume, mountPath, readOnly }) => {
    const { emptyDir } = volumes.find((each) => each.name === volume);
    if (mountPath === '/dev/shm') return { shm: bytes(emptyDir.sizeLimit).toLowerCase() };
    if (volume === 'temporary')
      return { tmpfs: `${mountPath}:size=${bytes(emptyDir.sizeLimit).toLowerCase()},mode=1777` };
    return { volume: `${PLACES[volume](service, name)}:${mountPath}${readOnly ? ':ro' : ''}` };
  });
}

/** Variables with a value of their own; those from secrets that are no files are set by tally-server. */
const ownVariables = (container) =>
  Object.fromEntries(
    (container.env ?? []).filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]),
  );

/** The service's container of a pod, and the one beside it. */
function split({ containers }) {
  const main = containers.find(({ lifecycle }) => lifecycle !== undefined);
  return [main, containers.find((container) => container !== main)];
}

const imageOf = (name) => `localhost/tally/${name}:${VERSION}`;

/** Of the settings that hold here otherwise than in a cluster, those that a service has. */
const otherSettingsOf = (settings) =>
  Object.fromEntries(Object.entries(OTHER_SETTINGS).filter(([variable]) => variable in settings));

function serviceContainer(service, { pod, settings, facts }) {
  const [main, host] = split(pod);
  const name = host === undefined ? service : `${service}-${NUMBER}`;
  const isOptional = (variable) => facts.optionalDependencies.includes(variable);
  const given = Object.fromEntries(Object.entries(settings).filter(([variable]) => !isOptional(variable)));
  return {
    name,
    service,
    what: name,
    image: imageOf(service),
    networks: ['tally', ...(FURTHER_NETWORKS[service] ?? [])],
    ...rightsOf(main, pod),
    variables: { ...given, ...otherSettingsOf(given), ...ownVariables(main) },
    mounts: mountsOf(main, pod, service, name),
    servers: [facts.hasDatabase && 'postgresql', facts.hasQueue && 'rabbitmq'].filter(Boolean),
    // each waits for the other while it starts
    wants: host === undefined ? undefined : `simulator-host-${NUMBER}`,
    stopSeconds: STOP_SECONDS,
    ...limitsOf(main),
    weight: WEIGHTS[service],
  };
}

/** The container in which simulators run: beside its runner, and without a network, which it has in a pod. */
function simulatorHost(pod, service) {
  const [, host] = split(pod);
  const runner = `${service}-${NUMBER}`;
  const [entry, ...args] = [...host.command, ...host.args];
  return {
    name: `simulator-host-${NUMBER}`,
    what: `simulators of ${runner}`,
    image: SIMULATORS_IMAGE,
    networks: [],
    ...rightsOf(host, pod),
    variables: ownVariables(host),
    workingDir: host.workingDir,
    entry,
    args,
    mounts: mountsOf(host, pod, service, runner),
    servers: [],
    needs: ['host-tools'],
    stopSeconds: HOST_STOP_SECONDS,
    ...limitsOf(host),
    weight: WEIGHTS['simulator-host'],
  };
}

/** What is in no pod: the servers beside, each with one folder of data. */
const SERVERS = {
  postgresql: {
    what: 'PostgreSQL',
    user: 10011,
    networks: ['tally'],
    volumes: [`/etc/tally/secrets/postgresql:${SECRETS_IN_CONTAINER}:ro`, '/var/lib/tally/postgresql:/data'],
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

const serverContainer = ([name, { volumes, tmpfs, shm, ...server }]) => ({
  ...RIGHTS,
  ...server,
  name,
  image: imageOf(name),
  group: server.user,
  mounts: [
    ...volumes.map((volume) => ({ volume })),
    ...tmpfs.map((mount) => ({ tmpfs: mount })),
    ...(shm === undefined ? [] : [{ shm }]),
  ],
  servers: [],
  processesMax: SERVER_PROCESSES_MAX,
});

const DATABASES_FILE = '/run/tally/databases.sql';
/** Makes roles and databases that are missing, by the SQL that tally-server has written. */
const DATABASES_JOB = {
  name: 'databases',
  image: imageOf('postgresql'),
  networks: ['tally'],
  ...RIGHTS,
  user: SERVERS.postgresql.user,
  group: SERVERS.postgresql.user,
  variables: {},
  // the password stands in a file, and never where processes are listed
  entry: 'sh',
  args: [
    '-c',
    `PGPASSWORD=$(cat ${SECRETS_IN_CONTAINER}/password) exec psql --host=tally-postgresql --username=postgres --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --file=${DATABASES_FILE}`,
  ],
  mounts: [
    { volume: `/etc/tally/secrets/postgresql:${SECRETS_IN_CONTAINER}:ro` },
    { volume: '/etc/tally/derived/postgresql:/run/tally:ro' },
  ],
  servers: ['postgresql'],
  memory: '256M',
  processesMax: PROCESSES_MAX,
};

function migrationJob(service, { spec: { template } }) {
  const [container] = template.spec.containers;
  return {
    name: `migrate-${service}`,
    service,
    image: imageOf(service),
    networks: ['tally'],
    ...rightsOf(container, template.spec),
    variables: { DATABASE_URL_FILE: `${SECRETS_IN_CONTAINER}/database-url` },
    args: container.args,
    mounts: [{ volume: `/etc/tally/secrets/${service}:${SECRETS_IN_CONTAINER}:ro` }],
    servers: ['postgresql'],
    needs: ['databases'],
    ...limitsOf(container),
  };
}

/** Puts programs where simulators find them in their container. */
function hostToolsJob(pod, service) {
  const [container] = pod.initContainers;
  const [entry, ...args] = container.command;
  return {
    name: 'host-tools',
    image: imageOf(service),
    networks: [],
    ...rightsOf(container, pod),
    variables: {},
    entry,
    args,
    mounts: mountsOf(container, pod, service),
    servers: [],
    ...limitsOf(container),
  };
}

/**
 * `{containers, jobs}`: what runs all the time, and what runs to its end before that. A name with {@link NUMBER} stands for one of each slot.
 * @param facts - of the services, as k8s/chart/files/services.json has them
 * @param manifestOf - text of a manifest by its service
 */
export function describeMachine(facts, manifestOf) {
  const containers = Object.entries(SERVERS).map(serverContainer);
  const jobs = [DATABASES_JOB];
  for (const [service, its] of Object.entries(facts)) {
    const objects = parseObjects(manifestOf(service));
    const find = (kind) => objects.find((object) => object.kind === kind);
    const pod = find('Deployment').spec.template.spec;
    const container = serviceContainer(service, { pod, settings: find('ConfigMap').data, facts: its });
    if (its.hasDatabase) {
      jobs.push(migrationJob(service, find('Job')));
      container.needs = [`migrate-${service}`];
    }
    containers.push(container);
    if (split(pod)[1] !== undefined) {
      containers.push(simulatorHost(pod, service));
      jobs.push(hostToolsJob(pod, service));
    }
  }
  return { containers, jobs };
}
