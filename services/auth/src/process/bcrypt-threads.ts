import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { THREAD_NICENESS } from '@tally/service-kit';
import bcrypt from 'bcrypt';
import type { Bcrypt } from '../domain/user/password.js';

/** bcrypt on threads of its own. */
export interface BcryptThreads extends Bcrypt {
  /** Takes nothing more, lets the threads finish what they have been given, and ends them. */
  stop(): Promise<void>;
}

interface Task {
  readonly resolve: (result: unknown) => void;
  readonly reject: (err: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly tasks: Map<number, Task>;
  readonly ended: Promise<void>;
  /** Ends it when nothing has been asked of it for a while. */
  readonly rest: NodeJS.Timeout;
}

/** Asks a thread to end when what it was given before is done. */
const END = 'end';

// Text, because a worker cannot start from a TypeScript source, and tests run from sources. A hash takes a processor for long, so its thread
// does what yieldProcessor of the service kit does.
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { getPriority, setPriority } = require('node:os');
if (process.platform === 'linux') setPriority(Math.max(getPriority(), ${THREAD_NICENESS}));
const bcrypt = require(workerData.bcrypt);
const operations = { hash: bcrypt.hashSync, compare: bcrypt.compareSync };
parentPort.on('message', (message) => {
  if (message === '${END}') return parentPort.close();
  const { id, operation, password, parameter } = message;
  try {
    parentPort.postMessage({ id, result: operations[operation](password, parameter) });
  } catch (err) {
    parentPort.postMessage({ id, error: err.message });
  }
});`;

/** An idle thread holds memory; a new one starts in a fraction of the time of a hash. */
const IDLE_MS = 10_000;

/**
 * At most `count` threads, each started when there is work for it and no other one is free, and ended when it has had none for
 * `idleMs`. Each works on one thing at a time; what is asked meanwhile waits.
 */
export function startBcryptThreads(count: number, idleMs = IDLE_MS): BcryptThreads {
  let isStopping = false;
  let lastId = 0;
  const threads = Array.from<unknown, Thread | undefined>({ length: count }, () => undefined);
  const living = new Set<Thread>();

  const start = (index: number): Thread => {
    const started = startThread();
    const rest = setTimeout(() => {
      if (thread.tasks.size > 0) return void rest.refresh();
      if (threads[index] === thread) threads[index] = undefined; // it is asked for nothing more
      end(thread);
    }, idleMs).unref();
    const thread: Thread = { ...started, rest };
    living.add(thread);
    void thread.ended.then(() => {
      clearTimeout(rest);
      living.delete(thread);
    });
    threads[index] = thread;
    return thread;
  };
  // Not terminate(): a thread that is cut off within bcrypt's native code aborts the whole process.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const end = ({ worker }: Thread) => worker.postMessage(END);

  const run = (operation: 'hash' | 'compare', password: string, parameter: string | number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isStopping) throw new Error('the threads for password hashes are stopping');
      const index = threads.reduce((best, _, i) => (sizeAt(i) < sizeAt(best) ? i : best), 0);
      const found = threads[index];
      const thread = found === undefined || found.worker.threadId === -1 ? start(index) : found; // it may have died
      thread.rest.refresh();
      const id = ++lastId;
      thread.tasks.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.worker.postMessage({ id, operation, password, parameter });
    });
  const sizeAt = (index: number): number => threads[index]?.tasks.size ?? 0;

  return {
    hash: async (password, cost) => String(await run('hash', password, cost)),
    compare: async (password, hash) => (await run('compare', password, hash)) === true,
    getRounds: (hash) => bcrypt.getRounds(hash),
    async stop() {
      isStopping = true;
      for (const thread of living) end(thread);
      await Promise.all([...living].map(({ ended }) => ended));
    },
  };
}

function startThread(): Omit<Thread, 'rest'> {
  const tasks = new Map<number, Task>();
  const workerData = { bcrypt: createRequire(import.meta.url).resolve('bcrypt') };
  const worker = new Worker(PROGRAM, { eval: true, workerData, env: {} });
  const failAll = (err: Error): void => {
    for (const { reject } of tasks.values()) reject(err);
    tasks.clear();
  };
  worker.on('message', ({ id, result, error }: { id: number; result: unknown; error?: string }) => {
    const task = tasks.get(id);
    tasks.delete(id);
    if (error === undefined) task?.resolve(result);
    else task?.reject(new Error(error));
  });
  worker.on('error', failAll);
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      failAll(new Error('a thread for password hashes has ended'));
      resolve();
    });
  });
  return { worker, tasks, ended };
}
