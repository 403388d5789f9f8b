// What every pod of the chart must be like, beyond being valid: the restricted profile, probes, limits, no token.

function podOf({ kind, spec }) {
  if (kind === 'Pod') return spec;
  if (kind === 'Deployment' || kind === 'StatefulSet' || kind === 'Job') return spec.template.spec;
  return undefined;
}

/** Who runs users' input: nobody probes it, and it must have nothing of the runner's but folders of tasks. */
const SIMULATOR_HOST = 'simulator-host';

/** What a simulator host must not have, and what its runner must not share with it. */
function hostFaults(pod, host) {
  const [runner] = pod.containers.filter(({ name }) => name !== SIMULATOR_HOST);
  const mounts = host.volumeMounts ?? [];
  const secretVolumes = (pod.volumes ?? [])
    .filter(({ secret, projected }) => secret ?? projected)
    .map(({ name }) => name);
  const isWritable = (name) => mounts.some((mount) => mount.name === name && mount.readOnly !== true);
  const own = runner.volumeMounts.map(({ name }) => name);
  const shared = mounts.map(({ name }) => name).filter((name) => own.includes(name));
  const user = pod.securityContext?.runAsUser; // else the namespace gives one
  const rules = {
    'is the same user as the runner': user !== undefined && (host.securityContext?.runAsUser ?? user) === user,
    'has a secret': mounts.some(({ name }) => secretVolumes.includes(name)) || /secretKeyRef|secretRef/.test(JSON.stringify(host)), // biome-ignore format: one line
    "has the runner's settings": host.envFrom !== undefined,
    'may write where it connects to the runner': isWritable('control') || isWritable('host-tools'),
    'shares more than tasks and control with the runner': shared.sort().join() !== 'control,tasks',
    'sees processes of the runner': pod.shareProcessNamespace === true,
  };
  return Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken ? [`container ${host.name} ${rule}`] : []));
}

function containerFaults(container, isServer) {
  const security = container.securityContext ?? {};
  const rules = {
    'is privileged': security.privileged === true,
    'may escalate privileges': security.allowPrivilegeEscalation !== false,
    'has a writable root': security.readOnlyRootFilesystem !== true,
    'may run as root': security.runAsNonRoot !== true,
    'keeps capabilities': !security.capabilities?.drop?.includes('ALL') || security.capabilities.add !== undefined,
    'asks for no processor or memory': !(container.resources?.requests?.cpu && container.resources.requests.memory),
    'has no limit of memory': !container.resources?.limits?.memory,
    'has an image without a version': !/:[^:/]+$/.test(container.image) || container.image.endsWith(':latest'),
  };
  if (isServer) {
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      rules[`has no ${probe}`] = container[probe] === undefined;
    }
  }
  return Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken ? [`container ${container.name} ${rule}`] : []));
}

function graceFaults(pod, { spec }) {
  const drain = /setTimeout\(\(\) => \{\}, (\d+)\)/.exec(JSON.stringify(pod.containers))?.[1];
  if (spec.strategy === undefined) return [];
  if (drain === undefined) return ['does not drain before it stops'];
  // 60 s: the longest stop of a service, service-kit's runService
  return pod.terminationGracePeriodSeconds > drain / 1000 + 60 ? [] : ['is killed before it may have stopped'];
}

/** Broken rules of an object's pods; of other objects none. */
export function podFaults(object) {
  const pod = podOf(object);
  if (pod === undefined) return [];
  const isServer = !['Job', 'Pod'].includes(object.kind);
  const security = pod.securityContext ?? {};
  const rules = {
    'mounts a token': pod.automountServiceAccountToken !== false,
    'gets variables of other services': pod.enableServiceLinks !== false,
    'may run as root': security.runAsNonRoot !== true || security.runAsUser === 0,
    'has no seccomp profile': security.seccompProfile?.type !== 'RuntimeDefault',
    'is in the namespaces of its node': Boolean(pod.hostNetwork || pod.hostPID || pod.hostIPC),
    'mounts a folder of its node': (pod.volumes ?? []).some((volume) => volume.hostPath !== undefined),
  };
  return [
    ...Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken ? [rule] : [])),
    ...pod.containers.flatMap((container) => containerFaults(container, isServer && container.name !== SIMULATOR_HOST)),
    ...(pod.initContainers ?? []).flatMap((container) => containerFaults(container, false)),
    ...pod.containers.filter(({ name }) => name === SIMULATOR_HOST).flatMap((host) => hostFaults(pod, host)),
    ...graceFaults(pod, object),
  ];
}
