// Disk that pods ask for and may take, against the settings that bound what services write.

const UNITS = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** Bytes of a quantity; undefined for none. */
function bytesOf(quantity) {
  if (quantity === undefined) return undefined;
  const [, number, unit] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(String(quantity)) ?? [];
  if (UNITS[unit] === undefined) throw new Error(`${quantity} is no quantity of bytes`);
  return Number(number) * UNITS[unit];
}

const DISK = 'ephemeral-storage';

/** Bytes that a service writes at least at a time: what it asks for; and that its folder must hold. */
const NEEDS = {
  results: ({ RESULTS_EXPORT_BYTES_MAX: file }) => ({ asked: file, folders: { work: 4 * file } }),
  'direct-runner': ({ RUNNER_TASK_OUTPUT_BYTES_MAX: output, RUNNER_WORK_DIR_FREE_BYTES_MIN: free }) => ({
    asked: output + free,
    folders: { work: output + free, tasks: output },
  }),
};

/** Faults of a deployment's disk. `setting`: value of a setting of its service by its name, a number. */
export function storageFaults(deployment, service, setting) {
  const need = NEEDS[service]?.(new Proxy({}, { get: (_, name) => setting(name) }));
  const { containers, volumes = [] } = deployment.spec.template.spec;
  const sizes = Object.fromEntries(
    volumes
      .filter(({ emptyDir }) => emptyDir !== undefined && emptyDir.medium !== 'Memory')
      .map(({ name, emptyDir }) => [name, bytesOf(emptyDir.sizeLimit)]),
  );
  if (need === undefined) return Object.keys(sizes).length === 0 ? [] : ['writes a folder that no rule knows'];
  const writers = containers.filter(({ volumeMounts = [] }) =>
    volumeMounts.some(({ name, readOnly }) => sizes[name] !== undefined && readOnly !== true),
  );
  const sum = (kind) => writers.reduce((all, { resources }) => all + (bytesOf(resources?.[kind]?.[DISK]) ?? 0), 0);
  const folders = Object.entries(need.folders).filter(([name]) => sizes[name] !== undefined);
  return [
    ...writers.flatMap(({ name, resources }) =>
      ['requests', 'limits'].flatMap((kind) =>
        resources?.[kind]?.[DISK] === undefined ? [`container ${name} has no ${DISK} in ${kind}`] : [],
      ),
    ),
    ...(sum('requests') < need.asked ? [`asks for ${sum('requests')} bytes of disk, and writes ${need.asked}`] : []),
    ...(sum('limits') < folders.reduce((all, [name]) => all + sizes[name], 0)
      ? ['may take less disk than its folders have']
      : []),
    ...folders.flatMap(([name, bytes]) =>
      sizes[name] < bytes ? [`folder ${name} has ${sizes[name]} bytes, and settings allow ${bytes}`] : [],
    ),
  ];
}
