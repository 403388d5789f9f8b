// A worker of jest whose parent was killed would go on for ever, with the services and servers of its tests. It looks for
// its parent: a listener of `disconnect` would keep the worker from ending by itself.
import { setInterval } from 'node:timers';
import { runInThisContext } from 'node:vm';

const INTERVAL_MS = 1_000;
const real = runInThisContext('process');
const isWatched = Symbol.for('tally.end-with-parent');
if (real.connected && !real[isWatched]) {
  real[isWatched] = true;
  // as by hand: what it started ends with it
  setInterval(() => real.connected || real.kill(real.pid, 'SIGTERM'), INTERVAL_MS).unref();
}
