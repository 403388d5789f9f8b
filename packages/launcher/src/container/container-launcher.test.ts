import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createPodFolders,
  hasBubblewrap,
  POD_IDS,
  type PodFolders,
  startSimulatorHost,
  type TestSimulatorHost,
  waitFor,
} from '@tally/testkit';
import { removeFolder } from '../files/small-file.js';
import type { LaunchedCommand, LaunchRequest } from '../process/launcher.js';
import type { ProcessLimits } from '../process/limit-watch.js';
import { strayProcesses } from '../process/process-table.js';
import { controlPlaces } from './control-folder.js';
import { encodeFrame } from './frames.js';
import { type ContainerLauncher, openContainerLauncher } from './open-container-launcher.js';

const MIB = 2 ** 20;
const LIMITS: ProcessLimits = {
  timeLimitMs: 60_000,
  memoryBytesMax: 2 ** 31,
  processCountMax: 200,
  folderBytesMax: 2 ** 30,
};

const isHere = hasBubblewrap();
if (!isHere) process.stderr.write('no bubblewrap that works here: simulator hosts are not tested\n');

let folders: PodFolders;
let host: TestSimulatorHost;
let launcher: ContainerLauncher;
let attemptId: string;
let folder: string;
let lines: string[];
beforeAll(async () => {
  if (!isHere) return;
  folders = createPodFolders();
  host = startSimulatorHost({ folders, readOnlyPaths: [], temporaryBytesMax: 16 * MIB });
  launcher = await openContainerLauncher(options());
});
beforeEach(() => {
  if (!isHere) return;
  attemptId = crypto.randomUUID();
  lines = [];
  folder = path.join(folders.tasks, attemptId);
  mkdirSync(folder);
  chmodSync(folder, 0o2770);
});
afterEach(async () => {
  if (!isHere) return;
  await removeFolder(folder);
  expect(await strayProcesses(attemptId, undefined)).toEqual([]);
});
afterAll(async () => {
  if (!isHere) return;
  launcher.close();
  await host.stop();
  folders.remove();
});

const options = () => ({
  controlFolder: folders.control,
  checkIntervalMs: 20,
  startTimeoutMs: 30_000,
  pauseMs: 200,
});
const run = (command: LaunchRequest['command'], request: Partial<LaunchRequest> = {}): LaunchedCommand =>
  launcher.launch({
    command,
    attemptId,
    folder,
    lineBytesMax: 1_000,
    followedFile: undefined,
    onLine: (line) => lines.push(line),
    onFault: (err) => lines.push(String(err)),
    ...request,
  });
const shell = (script: string, request: Partial<LaunchRequest> = {}) =>
  run({ executable: '/bin/bash', args: ['-c', script], env: {} }, request);

(isHere ? describe : describe.skip)('a command in a simulator host', () => {
  it('works in its folder, with its environment, and ends with its exit code', async () => {
    writeFileSync(path.join(folder, 'deck'), 'of the runner\n', { mode: 0o660 });
    const ended = await shell('echo "$TALLY_ATTEMPT_ID"; cat deck; echo oops >&2; echo result > out; exit 3').ended;
    expect(ended).toEqual({ kind: 'exited', exitCode: 3 });
    expect(lines.sort()).toEqual([attemptId, 'of the runner', 'oops'].sort());
    expect(readFileSync(path.join(folder, 'out'), 'utf8')).toBe('result\n');
  });

  it('that cannot be started says why', async () => {
    expect(await run({ executable: '/nonexistent', args: [], env: {} }).ended).toEqual({
      kind: 'unstartable',
      message: 'ENOENT',
    });
    expect(await launcher.findFault('/usr')).toBe('EACCES');
    expect(await launcher.findFault('/bin/bash')).toBeUndefined();
  });

  it('may be the built-in engine, which was put beside the simulators', async () => {
    const { executable, args, folder: tools } = launcher.tools;
    await run({ executable, args: [...args, path.join(tools, 'tally-engine.mjs')], env: {} }).ended;
    expect(lines.join('\n')).toContain('Usage: tally-engine');
  });

  it('that crashes ends with the signal', async () => {
    expect(await shell('kill -SEGV $$').ended).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
  });

  it('has another user than the runner, no capability, and sees no process but its own and the first', async () => {
    await shell(`id -u; grep -E '^(CapEff|NoNewPrivs)' /proc/self/status; ls -d /proc/[0-9]* | wc -l; [ $(id -u) -ne 0 ] && echo $(cat /proc/[0-9]*/environ 2> /dev/null | tr '\\0' '\\n' | grep -c ^JEST)`).ended; // biome-ignore format: one line
    const [uid, capabilities, privileges, processes, variables] = lines;
    if (process.getuid?.() === 0) expect(uid).toBe(String(POD_IDS.simulatorHost));
    expect(capabilities).toMatch(/^CapEff:\s+0+$/);
    expect(privileges).toMatch(/^NoNewPrivs:\s+1$/);
    expect(Number(processes)).toBeLessThan(7);
    expect(variables).toBe('0');
  });

  it('gets neither at the memory nor at the connection of the launcher, nor stops it, nor opens its debugger', async () => {
    const before = host.pid;
    const ended = await shell(`
      for place in environ mem maps fd root cwd exe; do (cat /proc/1/$place || ls /proc/1/$place/) > /dev/null 2>&1 && echo "read $place"; done
      (exec 5<> /proc/1/fd/20) 2> /dev/null && echo 'opened a file of it'
      for signal in KILL STOP USR1 TERM INT HUP QUIT PIPE; do kill -$signal 1; done
      sleep 0.5
      (exec 3<> /dev/tcp/127.0.0.1/9229) 2> /dev/null && echo 'opened its debugger'
      echo over`).ended;
    expect(ended).toEqual({ kind: 'exited', exitCode: 0 });
    expect(lines).toEqual(['over']);
    expect(await shell('exit 0').ended).toEqual({ kind: 'exited', exitCode: 0 });
    expect(host.pid).toBe(before);
  });

  it('finds no socket to connect to the runner, and makes nothing where it would be', async () => {
    await shell(`ls ${folders.control}; (echo x > ${folders.control}/host.sock || rm ${folders.control}/alive || mv ${folders.control} /tmp) 2> /dev/null && echo changed`).ended; // biome-ignore format: one line
    expect(lines).toEqual(['alive']);
  });

  it('leaves nothing to the next', async () => {
    const mark = `tally-left-${attemptId}`;
    const next = crypto.randomUUID();
    await shell(`
      for i in 1 2 3; do (env -i setsid bash -c "trap '' TERM HUP; exec -a ${mark} sleep 1000" > /dev/null 2>&1 &); done
      for place in /tmp /dev/shm ..; do mkdir -p $place/left/deep; echo secret > $place/left/deep/secret; chmod 0 $place/left/deep; done
      ipcmk -M 4096 > /dev/null; ipcmk -S 1 > /dev/null; ipcmk -Q > /dev/null; echo secret > secret; chmod 0 secret`)
      .ended;
    const nextFolder = path.join(folders.tasks, next);
    mkdirSync(nextFolder);
    chmodSync(nextFolder, 0o2770);
    lines = [];
    await shell(`ls /tmp /dev/shm .. -A; grep -l ^${mark} /proc/[0-9]*/cmdline; cat /proc/sysvipc/* | wc -l; ls ${folder} 2>&1`, { folder: nextFolder, attemptId: next }).ended; // biome-ignore format: one line
    expect(lines.join('\n')).toBe(
      `..:\n${next}\n\n/dev/shm:\n\n/tmp:\n3\nls: cannot access '${folder}': No such file or directory`,
    );
    await removeFolder(nextFolder);
  });

  it('gives the runner what it has written, whatever modes that has', async () => {
    await shell('umask 777; mkdir closed; chmod 700 closed; (umask 777; echo result > closed/out); chmod 0 closed')
      .ended;
    const mode = (name: string) => statSync(path.join(folder, name)).mode & 0o777;
    expect([mode('closed'), mode('closed/out')]).toEqual([0o770, 0o660]);
    if (process.getuid?.() === 0) expect(statSync(path.join(folder, 'closed/out')).gid).toBe(POD_IDS.group);
  });

  it('leaves nothing that is deeper than a path can name, and the host goes on', async () => {
    const before = host.pid;
    const script = 'echo result > out; for i in {1..40}; do mkdir $(printf "d%.0s" {1..200}); cd d*; done; exit 3';
    expect(await shell(script).ended).toEqual({ kind: 'exited', exitCode: 3 });
    expect(readdirSync(folder)).toEqual(['out']);
    expect(await shell('exit 4').ended).toEqual({ kind: 'exited', exitCode: 4 });
    expect(host.pid).toBe(before);
  });

  it('says all that it prints, however much', async () => {
    const { ended } = shell('head -c 5000000 /dev/zero | tr "\\0" x | fold -w 100; echo; echo last');
    await ended;
    expect(lines.filter((line) => line.length === 100)).toHaveLength(50_000);
    expect(lines.at(-1)).toBe('last');
  });

  it('waits for its turn: one runs at a time', async () => {
    const first = shell('sleep 0.3; echo first');
    const second = shell('echo second');
    await Promise.all([first.ended, second.ended]);
    expect(lines).toEqual(['first', 'second']);
  });

  it('is asked by SIGTERM first', async () => {
    const launched = shell(`trap 'echo asked; exit 5' TERM; echo up; while :; do sleep 0.05; done`);
    await waitFor(() => lines.includes('up'));
    launched.stop(10_000);
    expect(await launched.ended).toEqual({ kind: 'exited', exitCode: 5 });
    expect(lines).toContain('asked');
  });

  it('ends with all that it started when it does not go by itself', async () => {
    const launched = shell(
      `trap '' TERM; (env -i setsid bash -c "trap '' TERM; sleep 1000" &); echo up; while :; do sleep 1; done`,
    );
    await waitFor(() => lines.includes('up'));
    launched.stop(200);
    expect(await launched.ended).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
  });

  it('is not reached by the stop of an earlier one', async () => {
    for (let round = 0; round < 30; round += 1) {
      const stopped = shell('sleep 1000 & sleep 1000 & echo up; wait', { attemptId: `${attemptId}-${round}` });
      await waitFor(() => lines.length > round);
      for (let times = 0; times < 3; times += 1) stopped.stop(round % 2);
      await stopped.ended;
      expect(await shell('sleep 0.15; exit 7').ended).toEqual({ kind: 'exited', exitCode: 7 });
    }
  });

  it.each([
    ['time-limit', 'sleep 1000', { timeLimitMs: 300 }],
    // in a child of a session of its own
    ['memory-limit', `env -i setsid bash -c 'x=$(head -c 90000000 /dev/zero | tr "\\0" x); sleep 1000' & sleep 1000`, { memoryBytesMax: 80 * MIB }], // biome-ignore format: one line
    ['process-limit', 'for i in {1..300}; do sleep 1000 & done; wait', {}],
    ['output-limit', 'head -c 2M /dev/zero > large; sleep 1000', { folderBytesMax: MIB }],
    ['output-limit', 'head -c 2M /dev/zero > ../beside; sleep 1000', { folderBytesMax: MIB }],
  ])('breaks its %s', async (limit, script, limits) => {
    const launched = shell(script, { limits: { ...LIMITS, ...limits } });
    await waitFor(() => launched.limitBroken.aborted);
    expect(launched.limitBroken.reason).toBe(limit);
    launched.stop(0);
    await launched.ended;
  });

  it('ends with its host, which is started again', async () => {
    const launched = shell('echo up; sleep 1000');
    await waitFor(() => lines.includes('up'));
    const before = host.pid;
    host.kill();
    expect(await launched.ended).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    expect(lines).toEqual(['up', 'Error: the simulator host has ended while a command ran in it']);
    await expect(launcher.requireReady()).rejects.toThrow('the simulator host is not there');
    expect(await shell('exit 4').ended).toEqual({ kind: 'exited', exitCode: 4 }); // the next one waits for it
    expect(host.pid).not.toBe(before);
  });

  it('does not wait for a host when it is stopped', async () => {
    host.kill();
    await waitFor(() => launcher.requireReady().then(() => false, () => true)); // biome-ignore format: one line
    const launched = shell('echo up');
    launched.stop(0);
    expect(await launched.ended).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
    expect(lines).toEqual([]);
  });

  it('cannot pretend to be the host when the runner is started again, and ends before a new host comes', async () => {
    const { tools } = launcher;
    const script = `
      const net = require('node:net');
      const tryIt = () => net.connect('${folders.control}/host.sock')
        .on('connect', () => require('node:fs').writeFileSync('connected', ''))
        .on('error', () => setTimeout(tryIt, 1));
      tryIt(); console.log('up');`;
    run({ executable: tools.executable, args: [...tools.args, '--eval', script], env: {} });
    await waitFor(() => lines.includes('up'));
    launcher.close(); // as if this runner had crashed
    launcher = await openContainerLauncher(options());
    expect(await shell('ls; exit 6', { attemptId: 'of the new runner' }).ended).toEqual({
      kind: 'exited',
      exitCode: 6,
    });
    expect(lines).not.toContain('connected');
  });
});

(isHere ? it : it.skip)('what connects first and is no host gets nothing, and the host gets its turn', async () => {
  const others = createPodFolders();
  const opening = openContainerLauncher({ ...options(), controlFolder: others.control });
  const { socket } = controlPlaces(others.control);
  await waitFor(() => existsSync(socket));
  const impostor = connect(socket);
  const heard: Buffer[] = [];
  impostor.on('data', (chunk: Buffer) => heard.push(chunk)).on('error', () => {});
  // what is said before it is asked counts for nothing
  impostor.write(encodeFrame('message', JSON.stringify({ type: 'hello', nonce: '', tools: { executable: '', args: [], folder: '' } }))); // biome-ignore format: one line
  await waitFor(() => impostor.readyState === 'open');
  impostor.destroy(); // as a simulator that dies with its host
  const another = startSimulatorHost({ folders: others, readOnlyPaths: [], temporaryBytesMax: MIB });
  const opened = await opening;
  expect(heard).toEqual([]);
  expect(opened.tools.folder).toBe('/opt/tally');
  opened.close();
  await another.stop();
  others.remove();
});
