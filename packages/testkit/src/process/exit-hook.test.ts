import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const MODULE = path.join(import.meta.dirname, '../../dist/src/process/exit-hook.js');

/** A program that has a hook; it is sent SIGTERM when it says so. */
async function endOf(program: string): Promise<{ readonly said: string; readonly how: unknown[] }> {
  const source = `import { onProcessEnd } from ${JSON.stringify(MODULE)};
    const say = (line) => process.stdout.write(line + '\\n');
    setInterval(() => {}, 1_000);
    ${program}
    say('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
    if (said === 'ready\n') child.kill('SIGTERM');
  });
  return { how: await once(child, 'close'), said };
}

describe('onProcessEnd', () => {
  it('runs the hook and ends the process by the signal, where nobody else listens', async () => {
    expect(await endOf("onProcessEnd(() => say('hook'));")).toEqual({ said: 'ready\nhook\n', how: [null, 'SIGTERM'] });
  });

  it.each(['on', 'once'])('leaves the end to who listens before it by %s; the hook runs then', async (way) => {
    const program = `process.${way}('SIGTERM', () => setTimeout(() => { say('in order'); process.exit(7); }, 10));
      onProcessEnd(() => say('hook'));`;
    expect(await endOf(program)).toEqual({ said: 'ready\nin order\nhook\n', how: [7, null] });
  });
});
