// Asks the probes of running processes (probe.mjs).
import { request } from 'node:http';
import path from 'node:path';

/** Flags and environment with which Node starts a service with a probe. */
export function probeOptions(directory) {
  const file = path.join(import.meta.dirname, 'probe.mjs');
  return { flags: ['--import', file], env: { BENCH_PROBE_DIRECTORY: directory } };
}

export function askProbe(directory, pid, command) {
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath: path.join(directory, `${pid}`), path: command }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => resolve(JSON.parse(Buffer.concat(pieces).toString())));
    });
    asking.on('error', reject).end();
  });
}
