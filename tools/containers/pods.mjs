// Containers of rendered pods: what the chart says of users, roots, capabilities, limits, volumes, secrets and variables, as
// podman takes it. Containers of one pod share its network, and the kubelet's order at the end is kept.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { podman, runArguments, tryPodman } from './podman.mjs';

const UNITS = { Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3 };
const bytes = (quantity) => Number.parseFloat(quantity) * (UNITS[quantity.replace(/^[\d.]+/, '')] ?? 1);

/** A folder with a volume's files, readable to the group of the pod. */
function writeFiles(dir, files, group) {
  fs.mkdirSync(dir, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    fs.writeFileSync(path.join(dir, file), text);
    fs.chownSync(path.join(dir, file), 0, group);
    fs.chmodSync(path.join(dir, file), 0o440);
  }
}

/** An empty folder with the owner and mode that the kubelet gives it with `fsGroup`; in memory where the pod says so. */
function makeEmpty(folder, { medium, sizeLimit }, group) {
  fs.mkdirSync(folder, { recursive: true });
  if (medium === 'Memory') execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes(sizeLimit)}`, 'tmpfs', folder]);
  fs.chownSync(folder, 0, group);
  fs.chmodSync(folder, 0o2777);
}

/** The folder of this machine that a volume of a pod is. `sources`: data of secrets and config maps by kind and name. */
function volumeFolder(volume, { dir, group, sources }) {
  const folder = path.join(dir, volume.name);
  const source = sources.configMaps[volume.configMap?.name];
  if (volume.projected !== undefined) {
    const files = volume.projected.sources.flatMap(({ secret: { name, items } }) =>
      items.map(({ key, path: file }) => [file, sources.secrets[name][key]]),
    );
    writeFiles(folder, Object.fromEntries(files), group);
  } else if (volume.emptyDir !== undefined) makeEmpty(folder, volume.emptyDir, group);
  else if (source === undefined) throw new Error(`nothing is known of the volume ${volume.name}`);
  else {
    writeFiles(
      folder,
      Object.fromEntries(volume.configMap.items.map(({ key, path: file }) => [file, source[key]])),
      group,
    );
  }
  return folder;
}

/** The volumes of a pod by name, and how they are removed. */
function makeVolumes({ volumes = [], securityContext }, { dir, sources }) {
  const context = { dir, group: securityContext.fsGroup, sources };
  const folders = Object.fromEntries(volumes.map((volume) => [volume.name, volumeFolder(volume, context)]));
  const inMemory = volumes.filter(({ emptyDir }) => emptyDir?.medium === 'Memory').map(({ name }) => folders[name]);
  return { folders, unmount: () => inMemory.splice(0).forEach((folder) => execFileSync('umount', ['-l', folder])) };
}

function variablesOf(container, sources) {
  const maps = (container.envFrom ?? []).map(({ configMapRef }) => sources.configMaps[configMapRef.name]);
  const own = (container.env ?? []).map(({ name, value, valueFrom }) => {
    const ref = valueFrom?.secretKeyRef;
    return [name, ref === undefined ? value : sources.secrets[ref.name][ref.key]];
  });
  return Object.assign({}, ...maps, Object.fromEntries(own));
}

/** Podman's arguments and environment for a container of a pod. */
function translate(container, { spec, name, folders, sources, network }) {
  const { securityContext: security, resources, command, workingDir } = container;
  const { runAsUser: user, runAsGroup: group } = { ...spec.securityContext, ...security };
  const variables = variablesOf(container, sources);
  const mounts = (container.volumeMounts ?? []).flatMap((mount) => [
    '--volume',
    `${folders[mount.name]}:${mount.mountPath}:${mount.readOnly ? 'ro' : 'rw'}`,
  ]);
  const args = [
    ['--name', name, '--user', `${user}:${group}`, '--pids-limit', '512'],
    ['--memory', String(bytes(resources.limits.memory))],
    resources.limits.cpu ? ['--cpus', resources.limits.cpu] : [],
    security.readOnlyRootFilesystem ? ['--read-only', '--read-only-tmpfs=false'] : [],
    security.allowPrivilegeEscalation === false ? ['--security-opt', 'no-new-privileges'] : [],
    security.capabilities.drop.flatMap((capability) => ['--cap-drop', capability]),
    // names only: podman takes the values from its own environment, and nobody reads them in its arguments
    Object.keys(variables).flatMap((variable) => ['--env', variable]),
    command === undefined ? [] : ['--entrypoint', JSON.stringify(command)],
    workingDir === undefined ? [] : ['--workdir', workingDir],
    mounts,
    network,
    [container.image, ...(container.args ?? [])],
  ].flat();
  return { args, env: { ...process.env, ...variables } };
}

/** Runs a container to its end; gives what it prints. */
function runToEnd(container, context) {
  const { args, env } = translate(container, context);
  return podman(runArguments('--rm', ...args), { env });
}

/** Runs a job's pod to its end; gives what it prints. */
export async function runJob(object, context) {
  const { spec } = object.spec.template;
  const { folders, unmount } = makeVolumes(spec, context);
  return runToEnd(spec.containers[0], { ...context, spec, folders }).finally(unmount);
}

const inspect = async (name, field) => (await tryPodman(['inspect', '-f', `{{.State.${field}}}`, name])).stdout.trim();

async function startContainer(container, context) {
  const { args, env } = translate(container, context);
  await podman(runArguments('--detach', ...args), { env });
}

/** A pod of a deployment, started: first its init containers, then the service's container, then the one beside it. */
export async function startPod(object, context) {
  const { spec } = object.spec.template;
  const main = spec.containers.find(({ lifecycle }) => lifecycle !== undefined);
  const beside = spec.containers.filter((container) => container !== main);
  const nameOf = (container) => (container === main ? context.name : `${context.name}-${container.name}`);
  const { folders, unmount } = makeVolumes(spec, context);
  const remove = async () => {
    for (const container of [...beside, main]) await tryPodman(['rm', '--force', '--time', '0', nameOf(container)]);
    unmount();
  };
  const contextOf = (container) => ({ ...context, spec, folders, name: nameOf(container) });
  try {
    const none = ['--network', 'none'];
    for (const container of spec.initContainers ?? [])
      await runToEnd(container, { ...contextOf(container), network: none });
    await startContainer(main, contextOf(main));
    const shared = ['--network', `container:${context.name}`];
    for (const container of beside) await startContainer(container, { ...contextOf(container), network: shared });
  } catch (err) {
    await remove();
    throw err;
  }
  return {
    /** Runs a script of Node.js inside; gives what it prints. */
    evaluate: (script) => podman(['exec', context.name, 'node', '-e', script]),
    /** The same in the container beside it. `node`: how Node is started there. */
    evaluateBeside: (node, script) => podman(['exec', nameOf(beside[0]), ...node, '-e', script]),
    isHealthy: async () =>
      (await tryPodman(['exec', context.name, 'node', '/app/tools/health-check.mjs'])).status === 0,
    isRunning: async () => (await inspect(context.name, 'Running')) === 'true',
    log: async () => (await tryPodman(['logs', context.name])).stdout,
    /** As a node stops it: what the pod wants before its signal, which the others get at once. @returns its exit codes */
    async stop() {
      for (const container of beside) await podman(['kill', '--signal', 'TERM', nameOf(container)]);
      await podman(['exec', context.name, ...main.lifecycle.preStop.exec.command]);
      const codes = [];
      for (const container of [main, ...beside]) {
        await podman(['stop', '--time', String(spec.terminationGracePeriodSeconds), nameOf(container)]);
        codes.push(Number(await inspect(nameOf(container), 'ExitCode')));
      }
      await remove();
      return codes;
    },
    remove,
  };
}
