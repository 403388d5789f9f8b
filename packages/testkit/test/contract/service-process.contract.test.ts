import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { processExists } from '../../src/process/process-identity.js';
import { cleanUpLeftovers, createRunDirectory, removeRunDirectory } from '../../src/process/run-directory.js';
import { ServiceProcess } from '../../src/process/service-process.js';
import { waitFor } from '../../src/wait-for.js';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

let directory: string;
let file: string;
beforeEach(() => {
  directory = createRunDirectory('service');
  file = path.join(directory, 'starts');
  writeFileSync(file, '');
});
afterEach(() => removeRunDirectory(directory));

/** What the children have written: never a second start before the first one's end. */
function lifeOf(text: string) {
  const events = text.trim().split('\n').filter(Boolean);
  let living = 0;
  let livingMax = 0;
  for (const event of events) {
    living += event.startsWith('start') ? 1 : -1;
    livingMax = Math.max(livingMax, living);
  }
  return { starts: events.filter((event) => event.startsWith('start')).length, living, livingMax };
}

describe('a supervised service process', () => {
  const startCrashing = async (crashes: number) => {
    const said: string[] = [];
    const service = new ServiceProcess({
      service: 'jobs',
      name: 'jobs',
      directory,
      env: { TEST_LISTEN_ADDRESS: '', FILE: file, CRASHES: String(crashes) },
      command: () => [process.execPath, fixture('crashing-service.mjs')],
      isSupervised: true,
      onCrash: (line) => said.push(line),
    });
    await service.start();
    return { service, said };
  };

  it('is started again until it stays up, one child at a time', async () => {
    const { service, said } = await startCrashing(2);
    await waitFor(() => lifeOf(readFileSync(file, 'utf8')).starts === 4 && service.isRunning());
    expect(lifeOf(readFileSync(file, 'utf8'))).toEqual({ starts: 4, living: 1, livingMax: 1 });
    expect(said.length).toBe(3);
    await service.close();
    expect(lifeOf(readFileSync(file, 'utf8')).living).toBe(0);
  });

  it('stays ended once its end is wanted, also between two starts', async () => {
    const { service, said } = await startCrashing(99);
    await waitFor(() => said.length >= 1);
    await service.close();
    const { starts, living } = lifeOf(readFileSync(file, 'utf8'));
    expect(living).toBe(0);
    await waitFor(() => !service.isRunning());
    expect(lifeOf(readFileSync(file, 'utf8')).starts).toBe(starts);
  });
});

describe('the child of a program that is killed', () => {
  it('ends with it', async () => {
    const program = spawn(process.execPath, [fixture('own-service.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, FILE: file },
    });
    const [said] = await once(program.stdout.setEncoding('utf8'), 'data');
    const pid = Number(said);
    expect(processExists(pid)).toBe(true);
    program.kill('SIGKILL');
    await waitFor(() => !processExists(pid));
    cleanUpLeftovers();
  });
});
