import type { Reply, TaskName, Tasks } from './messages.js';

let worker: Worker | undefined;
let nextId = 0;
const waiting = new Map<number, { resolve: (answer: never) => void; reject: (err: Error) => void }>();

function start(): Worker {
  const started = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' });
  const end = (why: string): void => {
    worker = undefined; // the next question starts another
    started.terminate();
    const all = [...waiting.values()];
    waiting.clear();
    for (const { reject } of all) reject(new Error(why));
  };
  started.addEventListener('error', (event) => end(event.message));
  started.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const { resolve, reject } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if ('fault' in data) reject?.(new Error(data.fault));
    else resolve?.(data.answer as never); // the worker answers each task as Tasks says
  });
  return started;
}

/** Asks the worker of the checks; it is started by the first question. */
export function ask<K extends TaskName>(task: K, asked: Tasks[K]['asked']): Promise<Tasks[K]['answer']> {
  worker ??= start();
  const id = nextId;
  nextId += 1;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker?.postMessage({ id, task, asked }, []);
  });
}
