// Starts what floors are measured with, and a meter that sees nothing else.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { serviceNode } from '../../packages/testkit/dist/src/index.js';
import { Meter } from '../load/meter.mjs';
import { ProcessGroup } from '../load/processes.mjs';

const SERVER = path.join(import.meta.dirname, 'floor-server.mjs');

/** Starts `floor-server.mjs`, measures and ends it; see startFloor. */
export async function withFloor(mode, argument, options, measure) {
  const started = await startFloor(mode, argument, options);
  try {
    await measure(started);
  } finally {
    started.child.kill();
  }
}

/**
 * Starts `floor-server.mjs` in a mode; `{said, child, url}`: the first thing it says is its port, or that it is ready.
 * @param options - `env`: more of it; `flags`: for Node
 */
async function startFloor(mode, argument, { env = {}, flags = [] }) {
  const child = fork(SERVER, [mode, argument], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    execArgv: flags,
    execPath: serviceNode(),
  });
  const said = await messageOf(child);
  return { child, said, url: `http://127.0.0.1:${said}` };
}

/** What a started process says next; it must not end before. */
async function messageOf(child) {
  const ended = new AbortController();
  const [said] = await Promise.race([
    once(child, 'message', { signal: ended.signal }),
    once(child, 'exit', { signal: ended.signal }).then(([code]) => {
      throw new Error(`a process of the floor ended with ${code}`);
    }),
  ]);
  ended.abort();
  return said;
}

/** A meter of what was started here, and of `servers` (`{name: server}`) where they take part. */
export function meterOf({ meter }, started, servers = {}) {
  const roots = Object.fromEntries(
    started.map(({ child }, i) => [i === 0 ? 'floor' : `floor service ${i}`, child.pid]),
  );
  for (const [name, server] of Object.entries(servers)) {
    if (server?.processId !== undefined) roots[name] = server.processId();
  }
  const world = {
    ...meter.world,
    processes: new ProcessGroup(() => roots, meter.world.processes.findRoots),
    profiler: undefined,
  };
  const own = new Meter(world, meter.settings, meter.onLoad);
  own.loads = meter.loads;
  return own;
}

/** A round of work, which a started process does when it is told how much, or which job. */
export async function work({ child }, units) {
  child.send(units);
  await messageOf(child);
  return { units };
}
