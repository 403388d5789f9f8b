// What a test calls `process` is jest's copy, which hears of no signal: let listeners of signals be the real one's.
import process from 'node:process';
import { runInThisContext } from 'node:vm';

const real = runInThisContext('process');
for (const method of ['on', 'once', 'off', 'removeListener']) {
  const own = process[method];
  process[method] = function listen(event, listener) {
    if (!String(event).startsWith('SIG')) return own.call(this, event, listener);
    real[method](event, listener);
    return this;
  };
}
