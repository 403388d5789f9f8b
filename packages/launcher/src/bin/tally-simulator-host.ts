// The first process of a simulator host: starts what the runner asks for, confined by the container that it is in.
// Usage: tally-simulator-host --control <folder> --tasks <folder> [--temporary <folder>]… [--niceness N] [--check-interval-ms N]
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connectRunner } from '../container/connect-runner.js';
import type { HostTools } from '../container/messages.js';
import { pausableHost, serveCommands } from '../container/serve-commands.js';
import { closeToSameUser } from '../container/system-calls.js';
import { createLauncher } from '../process/launcher.js';
import { openPosixHost } from '../process/posix-host.js';

const NOT_FOR_OTHERS = 0o007;

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    control: text,
    tasks: text,
    temporary: { ...text, multiple: true },
    niceness: { ...text, default: '19' },
    'check-interval-ms': { ...text, default: '500' },
  },
});
const { control, tasks } = values;
if (control === undefined || tasks === undefined) throw new Error('--control and --tasks are missing');
if (process.pid !== 1) throw new Error('a simulator host is the first process of a PID namespace of its own');

// Simulators are of the same user: they may send signals to this process. By SIGUSR1 Node would open its debugger.
process.on('SIGUSR1', () => {});
let isConnected = false;
// Kubernetes asks all containers of a pod at once: the runner hands its task back, and closes the connection
process.on('SIGTERM', () => {
  if (!isConnected) process.exit(0);
});
closeToSameUser();
process.umask(NOT_FOR_OTHERS);
const posixHost = openPosixHost();
if (posixHost === undefined) throw new Error('this system has no posix_spawn');
const { host, output } = pausableHost(posixHost);
const socket = await connectRunner(control);
isConnected = true;
const served = serveCommands(socket, {
  launcher: createLauncher({
    host,
    ownsNamespace: true,
    checkIntervalMs: Number(values['check-interval-ms']),
    niceness: Number(values.niceness),
  }),
  tasksFolder: tasks,
  temporaryFolders: values.temporary ?? [],
  tools: findTools(),
  output,
});
const why = await served.then(
  () => 'the runner has closed the connection',
  (err: unknown) => (err instanceof Error ? err.message : 'the connection has failed'),
);
process.stderr.write(`${why}\n`);
process.exit(0); // and with this process the kernel ends whatever runs here

/** How this program itself was started: by Node, or by a loader that was brought with Node's libraries. */
function findTools(): HostTools {
  const folder = path.dirname(fileURLToPath(import.meta.url));
  const executable = process.execPath;
  const isLoader = path.basename(executable) === 'loader';
  const args = isLoader ? ['--library-path', path.join(folder, 'lib'), path.join(folder, 'bin/node')] : [];
  return { executable, args, folder };
}
