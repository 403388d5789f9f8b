// Long-running programs of a cluster, each with a log of its own in a folder of the cluster.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const LOG_CHARS = 3000;

/**
 * Starts a program; `{pid, name, tail, end, kill}`. `prefix`: what it is started by, for example in another network.
 * One that ends by itself is told by `onEnd(name, tail)`.
 */
export function startProcess(dir, name, program, args, { prefix = [], env = {}, onEnd = () => {} } = {}) {
  const log = path.join(dir, `${name}.log`);
  const file = fs.openSync(log, 'a');
  const [command, ...rest] = [...prefix, program, ...args];
  const child = spawn(command, rest, { env: { ...process.env, ...env }, stdio: ['ignore', file, file] });
  fs.closeSync(file);
  const tail = () => fs.readFileSync(log, 'utf8').slice(-LOG_CHARS);
  const ended = new Promise((resolve) => {
    child.once('error', resolve);
    child.once('close', resolve);
  });
  let isStopping = false;
  void ended.then(() => isStopping || onEnd(name, tail()));
  const signal = (which) => {
    isStopping = true;
    child.kill(which);
    return ended;
  };
  return {
    name,
    pid: child.pid,
    tail,
    end: () => signal('SIGTERM'),
    /** At once, as the kernel or a fallen node would. */
    kill: () => signal('SIGKILL'),
  };
}
