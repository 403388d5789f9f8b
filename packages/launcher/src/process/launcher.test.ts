import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@tally/testkit';
import { createLauncher, type LaunchedCommand, type LaunchRequest } from './launcher.js';
import { openPosixHost } from './posix-host.js';
import { nodeHost, type ProcessHost } from './process-host.js';
import { groupMembers, isAlive, type ProcessIdentity, strayProcesses } from './process-table.js';

let folder: string;
let attemptId: string;
let lines: string[];
let identity: ProcessIdentity | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-launch-'));
  attemptId = crypto.randomUUID();
  lines = [];
  identity = undefined;
});
afterEach(async () => {
  expect(await groupMembers(leader())).toEqual([]);
  expect(await strayProcesses(attemptId, undefined)).toEqual([]);
  rmSync(folder, { recursive: true });
});

/** Number of the process that was started last; one that nobody has if there was none. */
const leader = () => identity?.pid ?? 2 ** 30;
const openDescriptors = () => (existsSync('/proc/self/fd') ? statSync('/proc/self/fd').nlink : 0);

/** For scripts: a child that ignores SIGTERM, `'stray'`: in a session of its own; says that it is there. */
const FORK = `
  const { spawn } = await import('node:child_process');
  const fork = (kind, output = 'ignore') => new Promise((resolve) => {
    const script = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up'); " +
      "require('node:fs').writeSync(3, 'up')";
    const stdio = ['ignore', output, output, 'pipe'];
    const child = spawn(process.execPath, ['-e', script], { stdio, detached: kind === 'stray' });
    child.unref();
    child.stdio[3].once('data', () => resolve(child.stdio[3].destroy()));
  });`;
const HAS_AUTOGROUP = existsSync('/proc/self/autogroup');
const HANG = 'setInterval(() => {}, 1000);';

const posixHost = openPosixHost();
afterAll(() => posixHost?.close());
const HOSTS: [string, ProcessHost | undefined][] = [
  ['Node', nodeHost],
  ['posix_spawn', posixHost],
];

describe.each(HOSTS)('a command started by %s', (_name, host) => {
  if (host === undefined) return it.todo('is not started here: not Linux');
  const run = (request: Partial<LaunchRequest>): LaunchedCommand =>
    createLauncher({ host, checkIntervalMs: 20, niceness: 5 }).launch({
      command: { executable: process.execPath, args: [], env: {} },
      attemptId,
      folder,
      lineBytesMax: 100,
      followedFile: undefined,
      onLine: (line, source) => lines.push(`${source}: ${line}`),
      onStarted: (started) => {
        identity = started;
      },
      onFault: (err) => lines.push(String(err)),
      ...request,
    });
  const start = (script: string, request: Partial<LaunchRequest> = {}): LaunchedCommand => {
    const args = ['--input-type=module', '--eval', script];
    return run({ command: { executable: process.execPath, args, env: { ADDED: 'yes' } }, ...request });
  };

  it('is read line by line and ends with its exit code', async () => {
    const launched = start(`console.log('hello'); console.error('oops'); process.exitCode = 3;`);
    expect(await launched.ended).toEqual({ kind: 'exited', exitCode: 3 });
    expect(lines.sort()).toEqual(['stderr: oops', 'stdout: hello']);
  });

  it('that crashes ends with the signal', async () => {
    const launched = start(`process.kill(process.pid, 'SIGSEGV');`);
    expect(await launched.ended).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
  });

  it.each([
    ['ENOENT', '/nonexistent/simulator'],
    ['EACCES', '/etc/passwd'],
  ])('that cannot be started says %s, and takes no descriptor', async (message, executable) => {
    const before = openDescriptors();
    const launched = run({ command: { executable, args: [], env: {} } });
    expect(await launched.ended).toEqual({ kind: 'unstartable', message });
    launched.stop(0);
    await waitFor(() => openDescriptors() <= before);
  });

  it('is measured: processor time of it and of its children, while it runs and in all', async () => {
    const burn = (ms: number) => `while (process.cpuUsage().user + process.cpuUsage().system < ${1000 * ms});`;
    const child = `(await import('node:child_process')).spawnSync(process.execPath, ['-e', ${JSON.stringify(burn(400))}]);`;
    const launched = start(`${burn(500)} ${child} console.log(process.cpuUsage().user + process.cpuUsage().system);`);
    await waitFor(() => (launched.readCpuMs() ?? 0) > 0, { what: 'a first measurement' });
    await launched.ended;
    const own = Number(lines[0]?.replace('stdout: ', '')) / 1000;
    const measured = launched.readCpuMs() ?? 0;
    expect(measured).toBeGreaterThan(0.99 * (own + 400));
    expect(measured).toBeLessThan(1.02 * (own + 400) + 60); // each may have used some before its start, and at its end
  });

  it('may be a script that does not say what runs it', async () => {
    const executable = path.join(folder, 'script');
    writeFileSync(executable, 'echo "$1"', { mode: 0o755 });
    const launched = run({ command: { executable, args: ['an argument'], env: {} } });
    expect(await launched.ended).toEqual({ kind: 'exited', exitCode: 0 });
    expect(lines).toEqual(['stdout: an argument']);
  });

  it('sees nothing of this process in its environment, signals and descriptors', async () => {
    process.env.RUNNER_CALLER_TOKEN = 'secret-of-the-service';
    const script = [
      `import fs from 'node:fs';`,
      // what a program that is not Node would see: Node makes descriptors and signals of its own
      `fs.writeFileSync('told', JSON.stringify(process.env));`,
    ].join('\n');
    try {
      await start(script).ended;
      const executable = '/bin/sh';
      const shell = 'ls /proc/self/fd | tr "\\n" " "; grep -E "^Sig(Blk|Ign)" /proc/self/status';
      await run({ command: { executable, args: ['-c', shell], env: {} } }).ended;
    } finally {
      delete process.env.RUNNER_CALLER_TOKEN;
    }
    const told = Object.keys(JSON.parse(readFileSync(path.join(folder, 'told'), 'utf8')) as object);
    expect(told.sort()).toEqual(['ADDED', 'HOME', 'LANG', 'PATH', 'TALLY_ATTEMPT_ID', 'TMPDIR', 'TZ']);
    // 3: the folder that ls reads; signals 32 and 33 are the C library's own
    expect(lines.join('\n')).toMatch(/0 1 2 3 SigBlk:\s+0+\n.*SigIgn:\s+0+(?:18)?0+$/);
  });

  it('leads a session of its own in its folder, and lets others go first', async () => {
    const launched = start(`console.log(process.cwd()); ${HANG}`);
    await waitFor(() => lines.length > 0);
    expect(lines).toEqual([`stdout: ${folder}`]);
    const stat = readFileSync(`/proc/${leader()}/stat`, 'utf8').split(') ')[1]?.split(' ');
    expect(stat?.slice(2, 4)).toEqual([String(leader()), String(leader())]); // group and session
    expect(getPriority(leader())).toBe(5);
    if (HAS_AUTOGROUP) expect(readFileSync(`/proc/${leader()}/autogroup`, 'utf8')).toMatch(/ nice 5\n$/);
    expect(readFileSync(`/proc/${leader()}/oom_score_adj`, 'utf8').trim()).toBe('800');
    launched.stop(0);
    await launched.ended;
  });

  it('has ended only when nothing that it started lives and all is read', async () => {
    const launched = start(`${FORK} await fork('child', 'inherit'); await fork('stray', 'inherit'); process.exit(0);`);
    expect(await launched.ended).toEqual({ kind: 'exited', exitCode: 0 });
    expect(lines).toEqual(['stdout: up', 'stdout: up']);
    expect(await strayProcesses(attemptId, undefined)).toEqual([]);
  });

  it('may keep its progress in a file, which is read to its end', async () => {
    const script = `
      import fs from 'node:fs';
      fs.mkdirSync('run_1');
      fs.writeFileSync('run_1/a.out', 'one\\n');
      setTimeout(() => { fs.appendFileSync('run_1/a.out', 'two'); process.exit(0); }, 100);`;
    await start(script, { followedFile: /^run_\d\/a\.out$/ }).ended;
    expect(lines).toEqual(['followed-file: one', 'followed-file: two']);
  });

  it('is asked by SIGTERM first', async () => {
    const launched = start(`console.log('ready'); ${HANG}`);
    await waitFor(() => lines.length > 0);
    launched.stop(10_000);
    expect(await launched.ended).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
  });

  it('ends with its children when it is stopped, even if all ignore SIGTERM', async () => {
    const launched = start(`${FORK} process.on('SIGTERM', () => {});
      await fork('child'); await fork('stray'); console.log('ready'); ${HANG}`);
    await waitFor(() => lines.includes('stdout: ready'));
    expect(await groupMembers(leader())).toHaveLength(2);
    expect(await strayProcesses(attemptId, leader())).toHaveLength(1);
    const stoppedAt = performance.now();
    launched.stop(300);
    expect(await launched.ended).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    expect(performance.now() - stoppedAt).toBeGreaterThan(290);
  });

  it('is told apart from a later process of the same number', async () => {
    const launched = start(`console.log('ready'); ${HANG}`);
    await waitFor(() => lines.length > 0);
    if (identity === undefined) throw new Error('no identity');
    expect(isAlive(identity)).toBe(true);
    expect(isAlive({ ...identity, startTicks: identity.startTicks - 1 })).toBe(false);
    expect(isAlive({ ...identity, bootId: 'another' })).toBe(false);
    launched.stop(0);
    await launched.ended;
    expect(isAlive(identity)).toBe(false);
  });

  it('does not hold up others: twenty at once end with their own exit codes', async () => {
    const ended = Array.from({ length: 20 }, (_, exitCode) => {
      const args = ['-c', `sleep 0.${exitCode % 10}; exit ${exitCode}`];
      return run({ command: { executable: '/bin/sh', args, env: {} }, attemptId: crypto.randomUUID() }).ended;
    });
    expect(await Promise.all(ended)).toEqual(ended.map((_, exitCode) => ({ kind: 'exited', exitCode })));
  });

  const LIMITS = { timeLimitMs: 60_000, memoryBytesMax: 2 ** 33, processCountMax: 1_000, folderBytesMax: 2 ** 30 };
  it.each([
    ['time-limit', HANG, { timeLimitMs: 200 }],
    ['memory-limit', `globalThis.kept = Buffer.alloc(2 ** 28, 1); ${HANG}`, { memoryBytesMax: 2 ** 28 }],
    ['process-limit', `${FORK} await fork('child'); await fork('stray'); ${HANG}`, { processCountMax: 2 }],
    ['output-limit', `import fs from 'node:fs'; fs.writeFileSync('a', Buffer.alloc(2 ** 20)); ${HANG}`, { folderBytesMax: 2 ** 20 }], // biome-ignore format: one line
  ])('breaks its %s, and others do not', async (name, script, limits) => {
    const others = identity;
    const modest = start(HANG, { limits: LIMITS, attemptId: crypto.randomUUID() });
    const launched = start(script, { limits: { ...LIMITS, ...limits } });
    await waitFor(() => launched.limitBroken.aborted);
    expect([launched.limitBroken.reason, modest.limitBroken.aborted, others]).toEqual([name, false, undefined]);
    launched.stop(0);
    modest.stop(0);
    await Promise.all([launched.ended, modest.ended]);
  });
});
