// What every pod of the chart must be like, beyond being valid: the restricted profile, probes, limits, no token.

function podOf({ kind, spec }) {
  if (kind === 'Deployment' || kind === 'StatefulSet' || kind === 'Job') return spec.template.spec;
  return undefined;
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
  // 60 s: the longest stop of a service, service-kit's runUntilSignal
  return pod.terminationGracePeriodSeconds > drain / 1000 + 60 ? [] : ['is killed before it may have stopped'];
}

/** Broken rules of an object's pods; of other objects none. */
export function podFaults(object) {
  const pod = podOf(object);
  if (pod === undefined) return [];
  const isServer = object.kind !== 'Job';
  const security = pod.securityContext ?? {};
  const rules = {
    'mounts a token': pod.automountServiceAccountToken !== false,
    'gets variables of other services': pod.enableServiceLinks !== false,
    'may run as root': security.runAsNonRoot !== true || !(security.runAsUser > 0),
    'has no seccomp profile': security.seccompProfile?.type !== 'RuntimeDefault',
    'is in the namespaces of its node': Boolean(pod.hostNetwork || pod.hostPID || pod.hostIPC),
    'mounts a folder of its node': (pod.volumes ?? []).some((volume) => volume.hostPath !== undefined),
  };
  return [
    ...Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken ? [rule] : [])),
    ...pod.containers.flatMap((container) => containerFaults(container, isServer)),
    ...graceFaults(pod, object),
  ];
}
