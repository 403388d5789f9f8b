// tools/setup/: what makes `npm run setup` quick and safe to start twice. Plain modules without types, so each is run
// as its own program.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../src/wait-for.js';
import { workspaceRoot } from '../../src/workspace-root.js';

const toolUrl = (name: string): string => pathToFileURL(path.join(workspaceRoot(), 'tools/setup', name)).href;

let dir: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'setup-test-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

function runModule(source: string): ChildProcess & { output(): string } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  children.push(child);
  return Object.assign(child, { output: () => output });
}

describe('the lock of the set-up', () => {
  /** Takes the lock, says so, and holds it until the file `release` appears. */
  const holder = (): ReturnType<typeof runModule> =>
    runModule(`
      import fs from 'node:fs';
      import { withLock } from ${JSON.stringify(toolUrl('lock.mjs'))};
      const wait = async () => { while (!fs.existsSync(${JSON.stringify(path.join(dir, 'release'))})) await new Promise((r) => setTimeout(r, 20)); };
      await withLock(${JSON.stringify(path.join(dir, 'lock'))}, (pid) => console.log('waiting for ' + pid), async () => {
        console.log('in'); await wait(); console.log('out');
      });
    `);

  it('lets one in at a time', async () => {
    const first = holder();
    await waitFor(() => first.output().includes('in\n'));
    const second = holder();
    await waitFor(() => second.output() === `waiting for ${first.pid}\n`);
    writeFileSync(path.join(dir, 'release'), '');
    await once(second, 'close');
    expect(first.output()).toBe('in\nout\n');
    expect(second.output()).toBe(`waiting for ${first.pid}\nin\nout\n`);
    expect(existsSync(path.join(dir, 'lock'))).toBe(false);
  });

  it('is taken over from one that was killed', async () => {
    const first = holder();
    await waitFor(() => first.output().includes('in\n'));
    first.kill('SIGKILL');
    await once(first, 'exit');
    writeFileSync(path.join(dir, 'release'), '');
    const others = [holder(), holder()];
    await Promise.all(others.map((other) => once(other, 'close')));
    for (const other of others) expect(other.output()).toMatch(/in\nout\n$/);
  });
});

describe('the fingerprint of a step', () => {
  const fingerprint = async (...inputs: string[]): Promise<string> => {
    const child = runModule(`
      import { fingerprint } from ${JSON.stringify(toolUrl('fingerprint.mjs'))};
      process.stdout.write(fingerprint(${JSON.stringify(dir)}, ${JSON.stringify(inputs)}));
    `);
    await once(child, 'close');
    return child.output();
  };

  it('changes with every content, name and new file, and with nothing else', async () => {
    mkdirSync(path.join(dir, 'src/dist'), { recursive: true });
    const write = (name: string, text: string): void => writeFileSync(path.join(dir, 'src', name), text);
    write('a.ts', 'one');
    const seen = [await fingerprint('src')];
    write('dist/a.js', 'built'); // an output is no input
    expect(await fingerprint('src')).toBe(seen[0]);
    write('a.ts', 'two');
    seen.push(await fingerprint('src'));
    write('b.ts', '');
    seen.push(await fingerprint('src'));
    rmSync(path.join(dir, 'src/b.ts'));
    write('c.ts', '');
    seen.push(await fingerprint('src'));
    seen.push(await fingerprint('src', 'missing'));
    expect(new Set(seen.slice(0, 4)).size).toBe(4);
    expect(seen[4]).toBe(seen[3]);
    expect(seen[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});
