import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hasBubblewrap, waitFor } from '@tally/testkit';
import { type Cgroups, openCgroups } from '../cgroup/cgroups.js';
import { removeFolder } from '../files/small-file.js';
import { createLauncher, type LaunchedCommand, type LaunchRequest } from '../process/launcher.js';
import type { ProcessLimits } from '../process/limit-watch.js';
import { openPosixHost } from '../process/posix-host.js';
import { nodeHost } from '../process/process-host.js';
import { type ProcessIdentity, strayProcesses } from '../process/process-table.js';
import type { Confinement } from './confinement.js';
import { openBubblewrap } from './open-bubblewrap.js';

const MIB = 2 ** 20;
const LIMITS: ProcessLimits = {
  timeLimitMs: 60_000,
  memoryBytesMax: 2 ** 31,
  processCountMax: 200,
  folderBytesMax: 2 ** 30,
};
const HANG = 'setInterval(() => {}, 1000);';

const posixHost = openPosixHost();
const cgroups = openCgroups();
let workDir: string;
let folder: string;
let confinement: Confinement;
let lines: string[];
let attemptId: string;
const isHere = hasBubblewrap();
if (!isHere) process.stderr.write('no bubblewrap that works here: confinement is not tested\n');
beforeAll(async () => {
  if (!isHere) return;
  workDir = mkdtempSync(path.join(tmpdir(), 'tally-confined-'));
  const opened = await openBubblewrap({ host: nodeHost, workDir, temporaryBytesMax: 16 * MIB });
  if ('fault' in opened) throw new Error(opened.fault);
  confinement = opened;
});
beforeEach(() => {
  if (!isHere) return;
  attemptId = crypto.randomUUID();
  lines = [];
  folder = path.join(workDir, attemptId);
  mkdirSync(folder);
});
afterEach(async () => {
  if (!isHere) return;
  await removeFolder(folder);
  expect(await strayProcesses(attemptId, undefined)).toEqual([]);
});
afterAll(() => {
  posixHost?.close();
  cgroups?.close();
  if (isHere) rmSync(workDir, { recursive: true });
});

const VARIANTS: [string, typeof posixHost | typeof nodeHost, Cgroups | undefined][] = [
  ['Node', nodeHost, undefined],
  ['posix_spawn', posixHost, undefined],
  ['posix_spawn and control groups', posixHost, cgroups],
];

(isHere ? describe : describe.skip).each(VARIANTS)(
  'a command confined by bubblewrap, started by %s',
  (name, host, ownCgroups) => {
    if (host === undefined) return it.todo('is not started here: not Linux');
    if (name.includes('control') && ownCgroups === undefined) return it.todo('has no groups: this user may make none');
    const run = (
      command: LaunchRequest['command'],
      request: Partial<LaunchRequest> = {},
      confinedBy = confinement,
    ): LaunchedCommand =>
      createLauncher({
        host,
        checkIntervalMs: 20,
        niceness: 5,
        confinement: confinedBy,
        ...(ownCgroups && { cgroups: ownCgroups }),
      }).launch({
        command,
        attemptId,
        folder,
        lineBytesMax: 1_000,
        readOnlyPaths: [process.execPath],
        followedFile: undefined,
        onLine: (line) => lines.push(line),
        onFault: (err) => lines.push(String(err)),
        ...request,
      });
    const shell = (script: string, request: Partial<LaunchRequest> = {}, confinedBy = confinement) =>
      run({ executable: '/bin/sh', args: ['-c', script], env: {} }, request, confinedBy);
    const node = (script: string, request: Partial<LaunchRequest> = {}) =>
      run({ executable: process.execPath, args: ['--input-type=module', '--eval', script], env: {} }, request);

    it('works in its folder, with its environment, and ends with its exit code', async () => {
      const ended = await shell('echo "$TALLY_ATTEMPT_ID"; echo result > out; exit 3').ended;
      expect(ended).toEqual({ kind: 'exited', exitCode: 3 });
      expect(lines).toEqual([attemptId]);
      expect(readFileSync(path.join(folder, 'out'), 'utf8')).toBe('result\n');
    });

    (host.isReaper ? it : it.skip)('is measured, though what runs outlives the program that confines it', async () => {
      const launched = node(`let sum = 0;
        for (let i = 0; i < 3e8; i += 1) sum += i % 7;
        console.log(process.cpuUsage().user + process.cpuUsage().system);`);
      await launched.ended;
      const own = Number(lines[0]) / 1000;
      expect(own).toBeGreaterThan(100);
      expect(launched.readCpuMs()).toBeGreaterThan(0.99 * own);
      expect(launched.readCpuMs()).toBeLessThan(1.02 * own + 100); // it uses some before its start and at its end
    });

    it.each([
      ['ENOENT', '/nonexistent/simulator'],
      ['EACCES', '/etc/passwd'],
      ['EACCES', '/usr'],
    ])('that cannot be started says %s', async (message, executable) => {
      expect(await run({ executable, args: [], env: {} }).ended).toEqual({ kind: 'unstartable', message });
    });

    (existsSync('/proc/self/autogroup') ? it : it.skip)('lets others go first, as a session', async () => {
      for (let i = 0; i < 3; i += 1)
        expect(await shell('cat /proc/self/autogroup').ended).toEqual({ kind: 'exited', exitCode: 0 });
      expect(lines).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/ nice 5$/)));
    });

    it('writes no file that is longer than all its output may be', async () => {
      const limits = { ...LIMITS, folderBytesMax: MIB };
      const launched = shell('truncate -s 1T holes; ls -s holes; exec head -c 4M /dev/zero > long', { limits });
      expect(await launched.ended).toMatchObject({ kind: 'signalled', signal: 'SIGXFSZ' });
      expect(launched.limitBroken.reason).toBe('output-limit');
      expect(['holes', 'long'].map((file) => statSync(path.join(folder, file)).size)).toEqual([0, MIB]);
    });

    it('that crashes ends with the signal', async () => {
      expect(await node(`process.kill(process.pid, 'SIGSEGV');`).ended).toEqual({
        kind: 'signalled',
        signal: 'SIGSEGV',
      });
    });

    it('sees no other process, no other task, no file of this user, and no capability', async () => {
      const other = path.join(workDir, 'other-task');
      mkdirSync(other, { recursive: true });
      writeFileSync(path.join(other, 'secret'), 'of another task');
      process.env.RUNNER_CALLER_TOKEN = 'secret-of-the-runner';
      const script = `
      cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c RUNNER_
      ls -d /proc/[0-9]* | wc -l
      cat ${other}/secret ${process.env.HOME}/.bashrc /etc/shadow /etc/hostname
      echo $(ls -A ${path.dirname(workDir)}) $(ls -A ${workDir})
      ls -A / | tr '\\n' ' '; echo
      kill -9 ${process.pid}
      grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status
      uname -n; id -u`;
      try {
        await shell(`(${script}) 2> /dev/null`).ended;
      } finally {
        delete process.env.RUNNER_CALLER_TOKEN;
      }
      const [variables, processes, tasks, root, ...rest] = lines;
      expect(variables).toBe('0');
      expect(Number(processes)).toBeLessThan(10);
      expect(tasks).toBe(`${path.basename(workDir)} ${attemptId}`);
      expect(root?.split(' ').sort().join(' ').trim()).toMatch(/^bin dev( etc)?( lib\w*)+ proc sbin tmp usr$/);
      expect(rest.join('; ').replaceAll(/\s+/g, ' ')).toMatch(
        /^CapEff: 0+; CapBnd: 0+; NoNewPrivs: 1; simulator; 65534$/,
      );
    });

    it('writes nowhere else, and into /tmp and /dev/shm only so much', async () => {
      const script = `
      for place in / /usr /etc /dev /proc/sys/kernel ${path.dirname(process.execPath)}; do
        (echo no > $place/tally-written) && echo "written: $place"
      done
      (echo no > ${workDir}/tally-written)
      for place in /tmp /dev/shm; do head -c 64M /dev/zero > $place/full; wc -c < $place/full; done`;
      await shell(`(${script}) 2> /dev/null`).ended;
      expect(lines.map(Number).every((bytes) => bytes > MIB && bytes <= 16 * MIB)).toBe(true);
      expect(lines).toHaveLength(2);
      expect(existsSync(path.join(workDir, 'tally-written'))).toBe(false); // it is in its own /tmp, if anywhere
    });

    it('has no network', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await waitFor(() => server.listening);
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const script = `
      import net from 'node:net';
      import os from 'node:os';
      const socket = net.connect(${port}, '127.0.0.1');
      socket.on('connect', () => console.log('connected')).on('error', (err) => console.log(err.code));
      socket.on('close', () => console.log(Object.values(os.networkInterfaces()).flat().filter((i) => !i.internal).length));`;
      await node(script).ended;
      server.close();
      expect(lines).toEqual(['ECONNREFUSED', '0']);
    });

    it('makes no namespaces, mounts nothing and traces nobody outside', async () => {
      await shell(
        `unshare --user --map-root-user true || echo refused; mount -t tmpfs none /tmp || echo refused; mount --bind /usr "$PWD" || echo refused`,
      ).ended;
      expect(lines.filter((line) => line === 'refused')).toHaveLength(3);
    });

    it('has ended only when nothing that it started lives, whatever it did to leave', async () => {
      const mark = `tally-left-${attemptId}`;
      const script = `for i in 1 2 3; do (env -i setsid sh -c 'exec -a ${mark} sleep 1000' &) ; done; nohup setsid sleep 1000 > /dev/null 2>&1 < /dev/null & exit 0`;
      expect(await run({ executable: '/bin/bash', args: ['-c', script.replaceAll("sh -c 'exec", "bash -c 'exec")], env: {} }).ended).toEqual({ kind: 'exited', exitCode: 0 }); // biome-ignore format: one line
      expectGone(mark);
    });

    it('is asked by SIGTERM first', async () => {
      const launched = node(
        `process.on('SIGTERM', () => { console.log('asked'); process.exit(5); }); console.log('up'); ${HANG}`,
      );
      await waitFor(() => lines.includes('up'));
      launched.stop(10_000);
      expect(await launched.ended).toEqual({ kind: 'exited', exitCode: 5 });
      expect(lines).toEqual(['up', 'asked']);
    });

    it('ends with all that it started when it does not go by itself', async () => {
      const mark = `tally-left-${attemptId}`;
      const script = `trap '' TERM; (trap '' TERM; env -i setsid bash -c "trap '' TERM; exec -a ${mark} sleep 1000" &); echo up; while :; do sleep 1; done`;
      const launched = run({ executable: '/bin/bash', args: ['-c', script], env: {} });
      await waitFor(() => lines.includes('up'));
      launched.stop(200);
      expect(await launched.ended).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
      expectGone(mark);
    });

    it.each([
      ['has not let its child go on', ['--info-fd', '1', '--userns-block-fd', '0']],
      ['makes its mounts', ['--block-fd', '0']],
    ])('whose bwrap is killed while it %s leaves nothing', async (_moment, held) => {
      const slow: Confinement = {
        ...confinement,
        wrap: (...plain) => {
          const wrapped = confinement.wrap(...plain);
          const args = wrapped.args.filter((argument) => argument !== '--disable-userns'); // not beside --userns-block-fd
          return { ...wrapped, args: [...held, ...args] };
        },
      };
      let pid = 0;
      const onStarted = (started: ProcessIdentity) => {
        pid = started.pid;
      };
      const launched = shell('sleep 1000', { onStarted }, slow);
      await waitFor(async () => (await strayProcesses(attemptId, undefined)).length === 2);
      process.kill(pid, 'SIGKILL');
      expect(await launched.ended).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
      expect(lines.filter((line) => line.startsWith('Error'))).toEqual([]);
      expect(await strayProcesses(attemptId, undefined)).toEqual([]);
    });

    it.each([
      ['time-limit', HANG, { timeLimitMs: 300 }],
      // in a child of a session of its own, which has left the process group
      [
        'memory-limit',
        `import { spawn } from 'node:child_process'; spawn(process.execPath, ['-e', 'globalThis.kept = Buffer.alloc(2 ** 28, 1); setInterval(() => {}, 1000)'], { detached: true, env: {} }); ${HANG}`,
        { memoryBytesMax: 2 ** 28 },
      ],
      [
        'output-limit',
        `import fs from 'node:fs'; fs.writeFileSync('a', Buffer.alloc(2 ** 20)); ${HANG}`,
        { folderBytesMax: 2 ** 20 },
      ],
      [
        'output-limit',
        `import fs from 'node:fs'; for (let i = 0; i < 60; i += 1) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); } ${HANG}`,
        {},
      ],
    ])('breaks its %s', async (limit, script, limits) => {
      // biome-ignore format: one line each
      const launched = node(script, { limits: { ...LIMITS, ...limits } });
      await waitFor(() => launched.limitBroken.aborted);
      expect(launched.limitBroken.reason).toBe(limit);
      launched.stop(0);
      await launched.ended;
    });

    // without control groups root could fork until the machine is full
    const isBounded = name.includes('control');
    const fork = isBounded
      ? 'bomb() { bomb | bomb & }; bomb; sleep 1000'
      : 'for i in {1..300}; do sleep 1000 & done; wait';
    it('that starts too many processes is ended whole', async () => {
      const launched = run({ executable: '/bin/bash', args: ['-c', fork], env: {} }, { limits: LIMITS });
      await waitFor(() => launched.limitBroken.aborted);
      expect(launched.limitBroken.reason).toBe('process-limit');
      launched.stop(0);
      expect(await launched.ended).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    });
  },
);

/** No process of this machine has the text in its command line. */
function expectGone(mark: string): void {
  const left = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || !existsSync(`/proc/${pid}/cmdline`)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(mark);
    } catch {
      return false;
    }
  });
  expect(left).toEqual([]);
}
