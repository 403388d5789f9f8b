import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onProcessEnd } from '../process/exit-hook.js';
import { workspaceRoot } from '../workspace-root.js';

/** Where a pod has what the chart's init container puts beside the simulators. */
const TOOLS_FOLDER = '/opt/tally';
const tool = (name: string) => path.join(TOOLS_FOLDER, name);
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib64'];
/** Two users of one group, as in the chart; others than ourselves only if we are root. */
export const POD_IDS = { runner: 10_001, simulatorHost: 10_002, group: 10_001 } as const;
const FOLDER_MODE = 0o2770;
/** As the kubelet does it, but at once. */
const RESTART_PAUSE_MS = 50;

/** The volumes of a runner pod. */
export interface PodFolders {
  /** The runner's own. */
  readonly work: string;
  /** Below it: where simulators work. */
  readonly tasks: string;
  readonly control: string;
  remove(): void;
}

export interface SimulatorHostOptions {
  readonly folders: PodFolders;
  /** Files and folders of the image: simulators. */
  readonly readOnlyPaths: readonly string[];
  /** Size of /tmp and /dev/shm. */
  readonly temporaryBytesMax: number;
}

/** A container with simulators, without a container runtime. */
export interface TestSimulatorHost {
  /** What it and its predecessors have written. */
  output(): string;
  /** Number of its first process on this machine. */
  readonly pid: number;
  /** Ends it as the kernel does when memory runs out; another is started. */
  kill(): void;
  stop(): Promise<void>;
}

const isRoot = () => process.getuid?.() === 0;
/** A command in front of which another user runs it, if we are root. */
export function asUser(uid: number): readonly string[] {
  return isRoot() ? ['setpriv', `--reuid=${uid}`, `--regid=${POD_IDS.group}`, '--clear-groups', '--'] : [];
}

/** Makes the volumes of a pod, with the owners and modes that the kubelet gives them with `fsGroup`; not below /tmp, which a host empties. */
export function createPodFolders(): PodFolders {
  const root = mkdtempSync('/var/tmp/tally-pod-');
  chmodSync(root, 0o755);
  const make = (name: string, mode: number) => {
    const folder = path.join(root, name);
    mkdirSync(folder);
    if (isRoot()) chownSync(folder, name === 'work' ? POD_IDS.runner : 0, POD_IDS.group);
    chmodSync(folder, mode);
    return folder;
  };
  return {
    work: make('work', 0o711),
    tasks: make('work/tasks', FOLDER_MODE),
    control: make('control', FOLDER_MODE),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/**
 * Starts a simulator host as the second container of a runner's pod would run: by the files that the init container
 * installs, as another user, first process of its PID namespace, everything read-only but the tasks and /tmp, no
 * capability. It is started again when it ends. The network is this machine's, as that of a pod is one for both.
 */
export function startSimulatorHost({
  folders,
  readOnlyPaths,
  temporaryBytesMax,
}: SimulatorHostOptions): TestSimulatorHost {
  const tools = mkdtempSync(path.join(tmpdir(), 'tally-tools-'));
  chmodSync(tools, 0o755);
  installTools(tools);
  const size = ['--size', String(temporaryBytesMax)];
  const sandbox = [
    ['--unshare-user', '--unshare-pid', '--as-pid-1', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ['--cap-drop', 'ALL', '--die-with-parent', '--clearenv', '--proc', '/proc', '--dev', '/dev'],
    [...size, '--tmpfs', '/dev/shm', ...size, '--tmpfs', '/tmp', '--remount-ro', '/dev'],
    SYSTEM_FOLDERS.flatMap(showSystem),
    ['--ro-bind', tools, TOOLS_FOLDER],
    readOnlyPaths.flatMap((place) => ['--ro-bind', place, place]),
    ['--bind', folders.tasks, folders.tasks, '--ro-bind', folders.control, folders.control],
    ['--remount-ro', '/', '--chdir', '/', '--'],
    [tool('bin/loader'), '--library-path', tool('lib'), tool('bin/node'), tool('tally-simulator-host.mjs')],
    ['--control', folders.control, '--tasks', folders.tasks],
    ['--temporary', '/tmp', '--temporary', '/dev/shm', '--check-interval-ms', '50'],
  ].flat();
  let text = '';
  let isWanted = true;
  let child: ChildProcess;
  const start = () => {
    const [program = '', ...args] = [...asUser(POD_IDS.simulatorHost), 'bwrap', ...sandbox];
    child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        text += chunk;
      });
    child.once('exit', () => {
      if (isWanted) setTimeout(() => isWanted && start(), RESTART_PAUSE_MS);
    });
  };
  start();
  const end = () => void child.kill('SIGKILL');
  const forget = onProcessEnd(end);
  return {
    output: () => text,
    get pid() {
      return child.pid ?? 0;
    },
    kill: end,
    async stop() {
      isWanted = false;
      forget();
      if (child.exitCode === null && child.signalCode === null) {
        end();
        await once(child, 'exit');
      }
      rmSync(tools, { recursive: true });
    },
  };
}

function showSystem(folder: string): string[] {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  return stat.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
}

/** As the init container does. */
function installTools(folder: string): void {
  const program = (place: string) => path.join(workspaceRoot(), 'packages', place);
  const args = [
    program('launcher/dist/src/bin/install-simulator-host.js'),
    folder,
    program('engine/dist/tally-engine.mjs'),
  ];
  const installed = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (installed.status !== 0) throw new Error(`no simulator host can be installed: ${installed.stderr}`);
}
