import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLauncher, startFault } from '@tally/launcher';
import { silentLogger } from '@tally/service-kit';
import { VERSION_PROBES } from '@tally/simulators/run';
import { type DetectionOptions, detectExecutables, findExecutables } from './detect-executables.js';
import type { ConfiguredExecutable } from './read-executables.js';

const launcher = createLauncher({ checkIntervalMs: 500 });
let workDir: string;
beforeEach(async () => {
  workDir = await mkdtemp(path.join(tmpdir(), 'tally-detect-'));
});
afterEach(async () => {
  // nothing of the trial is left in the working folder
  expect((await readdir(workDir)).filter((name) => name.startsWith('version-'))).toEqual([]);
  await rm(workDir, { recursive: true });
});

async function script(name: string, text: string, mode = 0o755): Promise<string> {
  const file = path.join(workDir, name);
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, mode);
  return file;
}

function configured(executable: string, overrides: Partial<ConfiguredExecutable> = {}): ConfiguredExecutable {
  return {
    config: { executable, args: ['first'], env: { WHO: 'shield' } },
    readOnlyPaths: [],
    limits: {},
    version: '',
    probe: VERSION_PROBES.simA,
    ...overrides,
  };
}

const options = (timeoutMs: number): DetectionOptions => ({
  launcher,
  findFault: async (file) => startFault(file),
  slotsMax: undefined,
  makeFolder: () => mkdtemp(path.join(workDir, 'version-')),
  timeoutMs,
  logger: silentLogger,
});
const detect = (executable: ConfiguredExecutable, timeoutMs = 10_000) =>
  detectExecutables(new Map([['simA', executable]]), options(timeoutMs));

describe('executables that were not found', () => {
  it('are tried again after pauses that double up to a bound, until they say their version', async () => {
    const file = await script('sim', `echo >> ${workDir}/asked`);
    const asked = async () => (await readFile(path.join(workDir, 'asked'), 'utf8')).length;
    let nowMs = 0;
    const clock = { monotonicMs: () => nowMs };
    const pauses = { probePauseMs: 10, probePauseMsMax: 30, clock };
    const found = await findExecutables(new Map([['simA', configured(file)]]), { ...options(10_000), ...pauses });
    const times: number[] = [];
    for (nowMs = 1; nowMs < 125; nowMs++) {
      const before = await asked();
      await found.probeAgain();
      if ((await asked()) > before) times.push(nowMs);
    }
    expect(times).toEqual([10, 30, 60, 90, 120]);
    expect(found.executables).toEqual(new Map([['simA', '']]));
    await script('sim', `echo >> ${workDir}/asked; echo "Version: 7"`);
    for (; nowMs < 200; nowMs++) await found.probeAgain();
    expect(found.executables).toEqual(new Map([['simA', '7']]));
    expect(await asked()).toBe(7);
  });
});

describe('detection of executables', () => {
  it('asks with the configured arguments and environment, and reads what is printed anywhere', async () => {
    const file = await script('sim', 'echo "$@" "$WHO"; echo "Version: v1.2.3" >&2; exit 2');
    expect(await detect(configured(file))).toEqual(new Map([['simA', '1.2.3']]));
    const pattern = /first (\S+) shield/;

    expect(await detect(configured(file, { probe: { args: ['4.5'], pattern } }))).toEqual(new Map([['simA', '4.5']]));
  });

  it('does not start what has a configured version', async () => {
    const file = await script('sim', `echo started > ${workDir}/started`);
    expect(await detect(configured(file, { version: '9' }))).toEqual(new Map([['simA', '9']]));
    expect(await readdir(workDir)).toEqual(['sim']);
  });

  it.each(['', '9'])(
    'leaves out what is not there or not executable, with the configured version "%s"',
    async (version) => {
      expect(await detect(configured(path.join(workDir, 'nothing'), { version }))).toEqual(new Map());
      expect(await detect(configured(await script('sim', 'exit 0', 0o644), { version }))).toEqual(new Map());
    },
  );

  it('leaves out what the system cannot start', async () => {
    const file = path.join(workDir, 'broken');
    await writeFile(file, '#!/does/not/exist\n');
    await chmod(file, 0o755);
    expect(await detect(configured(file))).toEqual(new Map());
  });

  it('stops what does not answer in time, with all that it has started, and takes it without a version', async () => {
    const file = await script('sim', 'sleep 600 & sleep 600');
    const startedAt = performance.now();
    expect(await detect(configured(file), 200)).toEqual(new Map([['simA', '']]));
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });

  it('reads no more of a flood than it needs', async () => {
    const file = await script('sim', 'echo "Version: 7"; yes');
    expect(await detect(configured(file), 300)).toEqual(new Map([['simA', '7']]));
  });
});
