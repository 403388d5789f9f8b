import path from 'node:path';
import { type Confinement, installationOf, nodeHost, openBubblewrap } from '@tally/launcher';
import type { CommandConfig } from '@tally/simulators';
import type { BatchJob } from '../folder/batch-job.js';
import { taskFolder } from '../folder/job-folder.js';

/** What holds the simulator of a task. */
export interface TaskConfinement {
  readonly confinement?: Confinement;
  /** For the log of the task. */
  readonly note: string;
}

/**
 * As the order wants it: bubblewrap where it works on this node. A simulator that the site wraps itself is left to that, as most
 * wrappers make namespaces, which bubblewrap forbids. Never rejects: where nothing confines, the simulator runs as the user, who
 * may do there what it may.
 */
export async function openConfinement(
  { confinement: { kind, wrapper }, limits }: BatchJob,
  jobFolder: string,
  taskId: number,
  isOwn: boolean,
): Promise<TaskConfinement> {
  if (isOwn && wrapper[0] !== undefined)
    return { note: `by ${path.basename(wrapper[0])}, as the cluster's settings say` };
  if (kind === 'none') return { note: "none, as the cluster's settings say" };
  try {
    const opened = await openBubblewrap({
      host: nodeHost,
      workDir: path.join(jobFolder, taskFolder(taskId)),
      hiddenFolders: [path.dirname(jobFolder)], // all jobs of this user, with their update keys
      temporaryBytesMax: limits.temporaryBytesMax,
    });
    return 'fault' in opened ? { note: `none: ${opened.fault}` } : { confinement: opened, note: 'bubblewrap' };
  } catch (err) {
    return { note: `none: ${err instanceof Error ? err.message : String(err)}` };
  }
}

/** What a command reads beside the system: where it is installed, and every absolute path of its arguments and environment. */
export function pathsOf({ executable, args, env }: Required<CommandConfig>): string[] {
  const named = [...args, ...Object.values(env)].flatMap((text) => text.split(/[:=,;\s]/));
  const paths = named.filter((text) => path.isAbsolute(text) && path.normalize(text) !== '/');
  return [...installationOf(executable), ...paths];
}
