// compose.yaml (the Compose Specification) of the containers of one machine.
import { stringify } from 'yaml';
import { NETWORKS } from './containers.mjs';

const NOTE = `# Made from k8s/manifests by \`pnpm single:gen\`; do not edit. \`tally-server compose\` makes of it the file of a machine: it puts in
# the version, settings, and as many runners as there are slots.
`;
/**
 * Of the network from which the gateway believes addresses of users: tally-server has to know it before there is a network. No site has
 * these addresses in use: they are those of measurements between devices (RFC 2544).
 */
const EDGE_SUBNET = '198.18.80.0/24';

/** `$` begins a variable. */
const text = (value) => String(value).replaceAll('$', '$$$$');

/** What engines make of a weight of systemd.resource-control(5): 100, that of a container without, stays 100. */
const sharesOf = (weight) => Math.round(((weight - 1) * 262_142) / 9999 + 2);

/** Of servers, for which others wait. Not every engine can ask more often while a server starts. */
const health = (check) => ({ test: ['CMD-SHELL', text(check)], interval: '10s', timeout: '10s', retries: 12 });

function dependencies({ servers, needs = [] }) {
  const conditions = [
    ...servers.map((name) => [name, { condition: 'service_healthy' }]),
    ...needs.map((name) => [name, { condition: 'service_completed_successfully' }]),
  ];
  return conditions.length === 0 ? undefined : Object.fromEntries(conditions);
}

/** A list, or nothing instead of an empty one. */
const listed = (list) => (list.length === 0 ? undefined : list);
const mountsBy = (mounts, kind) => listed(mounts.map((mount) => mount[kind]).filter((each) => each !== undefined));

/** What containers that stay and those that end have in common. */
function common(container) {
  const { networks, variables = {}, workingDir, entry, args, mounts } = container;
  const environment = Object.entries(variables).map(([name, value]) => [name, text(value)]);
  return {
    image: container.image,
    pull_policy: 'never',
    ...(networks.length === 0 ? { network_mode: 'none' } : { networks }),
    user: `${container.user}:${container.group}`,
    read_only: container.isReadOnly,
    cap_drop: container.droppedCapabilities.map((capability) => capability.toUpperCase()),
    security_opt: container.hasNewPrivileges ? undefined : ['no-new-privileges'],
    environment: environment.length === 0 ? undefined : Object.fromEntries(environment),
    working_dir: workingDir,
    entrypoint: entry && [entry],
    command: args?.map(text),
    volumes: mountsBy(mounts, 'volume'),
    tmpfs: mountsBy(mounts, 'tmpfs'),
    shm_size: mountsBy(mounts, 'shm')?.[0],
    depends_on: dependencies(container),
    mem_limit: container.memory.toLowerCase(),
    pids_limit: container.processesMax,
    cpus: container.processors,
  };
}

const service = (container) => [
  container.name,
  {
    container_name: `tally-${container.name}`,
    ...common(container),
    ports: container.ports,
    healthcheck: container.check && health(container.check),
    cpu_shares: container.weight && sharesOf(container.weight),
    // Caddy starts again when its files have changed
    labels: container.name === 'caddy' ? { 'tally.configuration': '@CONFIGURATION@' } : undefined,
    restart: 'always',
    stop_grace_period: `${container.stopSeconds}s`,
  },
];

const network = ([name, hasWayOut]) => [
  name,
  {
    name,
    internal: hasWayOut ? undefined : true,
    ipam: name === 'tally-edge' ? { config: [{ subnet: EDGE_SUBNET }] } : undefined,
  },
];

/** Text of compose.yaml, of what describeMachine gives. */
export function machineCompose({ containers, jobs }) {
  const file = {
    name: 'tally',
    services: Object.fromEntries([...jobs.map((job) => [job.name, common(job)]), ...containers.map(service)]),
    networks: Object.fromEntries(Object.entries(NETWORKS).map(network)),
  };
  // words that mean something else in YAML 1.1, which older programs read, stand in quotes
  return `${NOTE}${stringify(file, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })}`;
}
