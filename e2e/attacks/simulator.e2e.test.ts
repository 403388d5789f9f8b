import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  asUser,
  createPodFolders,
  type HttpSession,
  hasBubblewrap,
  POD_IDS,
  type PodFolders,
  STAND_IN_VERSIONS,
  serviceProgram,
  startSimulatorHost,
  type TestSimulatorHost,
  waitFor,
  workspaceRoot,
} from '@tally/testkit';
import {
  ended,
  exampleProject,
  jobStatus,
  reached,
  startTestSuite,
  type TestSuite,
} from '../fixtures/suite-fixture.js';

/*
 * A simulator that does what a file of the deck says, in a shell: as a simulator with a hole would, or one whose macros
 * start programs. Users send it through the running suite.
 */
const SIM_TYPES = ['simA', 'simB', 'simC', 'simD'] as const;
const MIB = 2 ** 20;
const standIns = path.join(workspaceRoot(), 'packages/testkit/dist/src/stand-ins');

type Kind = 'bubblewrap' | 'container';
let suite: TestSuite;
let attacker: HttpSession;
let victim: HttpSession;
let programs: string;
let pod: { readonly folders: PodFolders; readonly host: TestSimulatorHost } | undefined;

const isHere = hasBubblewrap();
if (!isHere) process.stderr.write('no bubblewrap that works here: attacks by simulators are not tried\n');

/** Starts the suite, and beside its runner, for a container, a host with the simulators. */
async function startAttacked(kind: Kind): Promise<void> {
  programs = mkdtempSync('/var/tmp/tally-attacks-'); // not below /tmp: a host empties that
  chmodSync(programs, 0o755);
  const attacked = ['simB', 'simC'].map((simType) => {
    const simulator = path.join(programs, simType);
    const standIn = `${standIns}/sim-${simType.slice(-1).toLowerCase()}.js`;
    const script = `#!/bin/bash\n[ -e attack.txt ] && exec /bin/bash ./attack.txt\nexec ${process.execPath} ${standIn} "$@"\n`;
    writeFileSync(simulator, script);
    chmodSync(simulator, 0o755);
    return [simType, simulator] as const;
  });
  const simulators = new Map<string, string>(attacked);
  const ownFolders = [standIns, path.join(standIns, '../../../package.json'), process.execPath];
  const settings = SIM_TYPES.map((simType) => {
    const standIn = path.join(standIns, `sim-${simType.slice(-1).toLowerCase()}.js`);
    const executable = simulators.get(simType);
    const command = executable === undefined ? { executable: process.execPath, args: [standIn] } : { executable };
    return [simType, { ...command, readOnlyPaths: ownFolders }];
  });
  const limits = {
    RUNNER_CONFINEMENT: kind,
    RUNNER_SLOTS: '3',
    RUNNER_TASK_MEMORY_BYTES_MAX: String(256 * MIB),
    RUNNER_TASK_PROCESSES_MAX: kind === 'bubblewrap' ? '200' : '60',
    RUNNER_TASK_OUTPUT_BYTES_MAX: String(64 * MIB),
    RUNNER_TASK_TEMPORARY_BYTES_MAX: String(32 * MIB),
  };
  const env = { RUNNER_SIMULATORS: JSON.stringify(Object.fromEntries(settings)), ...limits };
  const jobs = { JOBS_ATTEMPTS_MAX: '1' };
  const bounds = { limitCheckMs: 100, stopGraceMs: 500 };
  if (kind === 'bubblewrap') {
    suite = await startTestSuite({ env: { 'direct-runner': env, jobs }, bounds: { 'direct-runner': bounds } });
  } else {
    const folders = createPodFolders();
    const readOnlyPaths = [...ownFolders, programs].filter((place) => !place.startsWith('/usr/'));
    pod = { folders, host: startSimulatorHost({ folders, readOnlyPaths, temporaryBytesMax: 32 * MIB }) };
    const places = { RUNNER_WORK_DIR: folders.work, RUNNER_HOST_CONTROL_DIR: folders.control };
    suite = await startTestSuite({
      env: { 'direct-runner': { ...env, ...places }, jobs },
      command(service) {
        if (service !== 'direct-runner') return [process.execPath, ...serviceProgram(service)];
        const [program, ...args] = [...asUser(POD_IDS.runner), process.execPath] as const;
        return [program, ...args, ...serviceProgram(service, bounds)];
      },
    });
  }
  attacker = await suite.newUser();
  victim = await suite.newUser();
  await waitFor(async () => (await offered()).simulators[2]?.engine === `simC ${STAND_IN_VERSIONS.simC}`);
}

async function stopAttacked(): Promise<void> {
  await suite?.stop();
  await pod?.host.stop();
  pod?.folders.remove();
  rmSync(programs, { recursive: true });
}

interface Simulators {
  readonly simulators: { readonly engine: string }[];
  readonly confinement: string[];
}
const offered = () => attacker.call<Simulators>('GET', '/simulators');
const workDir = () => pod?.folders.work ?? path.join(suite.directory, 'direct-runner-1-work');

/** A deck of simC with a script that its simulator runs. */
function deck(script: string): Record<string, string> {
  return { 'geometry.gdml': '<gdml/>', 'run.mac': '/run/beamOn 100\n', 'attack.txt': script };
}

async function submit(user: HttpSession, script: string): Promise<string> {
  const body = { sim_type: 'simC', input_type: 'files', ntasks: 1, sim_data: deck(script) };
  return (await user.call<{ job_id: string }>('POST', '/jobs/direct', body)).job_id;
}

async function logOf(user: HttpSession, jobId: string): Promise<string> {
  const { logfiles } = await user.call<{ logfiles: Record<string, string> }>('GET', `/logfiles?job_id=${jobId}`);
  return logfiles.task_1 ?? '';
}

/** Runs the script to its end; resolves to what it printed, and why its task failed. */
async function attack(script: string): Promise<{ readonly log: string; readonly failure: string }> {
  const jobId = await submit(attacker, script);
  const status = await ended(attacker, jobId);
  return { log: await logOf(attacker, jobId), failure: status.job_tasks_status[0]?.failure ?? '' };
}

/** Numbers of the processes of this machine with the text in their command line. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false; // it has ended
    }
  });
}

(isHere ? describe : describe.skip).each<Kind>(['bubblewrap', 'container'])('confined by %s:', (kind) => {
  const isOwnNamespace = kind === 'bubblewrap';
  beforeAll(() => startAttacked(kind));
  afterAll(stopAttacked);

  describe('a simulator that a deck has taken over', () => {
    it('is confined so, as GET /simulators says', async () => {
      expect((await offered()).confinement).toEqual([kind]);
    });

    it('finds no secret of the runner, no other process and no file but the system and its own', async () => {
      const runner = suite.process('direct-runner-1');
      const { log } = await attack(`
      echo "mine: $(ls | sort | tr '\\n' ' ')"
      echo "secrets: $(cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2> /dev/null | tr '\\0' '\\n' | grep -cE '[R]UNNER_|[a]mqp:|[C]ALLER_TOKEN')"
      echo "processes: $(ls -d /proc/[0-9]* | wc -l)"
      for place in ${workDir()} ${workDir()}/spool ${suite.directory} ${workspaceRoot()}/services ${process.env.HOME} /root /home /var/log /run /sys; do
        echo "seen in $place: $(find $place -type f 2> /dev/null | grep -v "^$PWD/" | wc -l)"
      done
      cat /proc/${runner.pid}/environ /etc/shadow ${runner.logFile} 2> /dev/null && echo "read it"
      kill -9 ${runner.pid} 2> /dev/null && echo "killed it"
      for place in / /usr /etc /dev ${path.dirname(process.execPath)} ${standIns}; do
        (echo x > $place/tally-written) 2> /dev/null && echo "written to $place"
      done
      echo over`);
      expect(log).toContain('mine: attack.txt geometry.gdml run.mac \n');
      expect(log).toContain('secrets: 0\n');
      expect(Number(/processes: (\d+)/.exec(log)?.[1])).toBeLessThan(10);
      expect(log.match(/seen in \S+: 0\n/g)).toHaveLength(10);
      expect(log).not.toMatch(/read it|killed it|written to/);
      expect(log).toContain('over\n');
      expect(runner.isRunning()).toBe(true);
    });

    // the containers of a pod have one network: its policy holds that, and there is nothing here to show
    (isOwnNamespace ? it : it.skip)('reaches nothing by network', async () => {
      const { port } = new URL(suite.gatewayUrl);
      const { log } = await attack(`
      for port in ${port} ${suite.process('jobs').address.split(':')[1]}; do
        (exec 3<> /dev/tcp/127.0.0.1/$port) 2> /dev/null && echo "connected to $port"
      done
      echo "interfaces: $(grep -c : /proc/net/dev)"`);
      expect(log).not.toContain('connected');
      expect(log).toContain('interfaces: 1\n'); // lo, and nobody listens there
    });

    // a host runs one task at a time, and nothing of one is left for the next: packages/launcher tests it
    (isOwnNamespace ? it : it.skip)('cannot look or write into the running task of another user', async () => {
      const running = await submit(
        victim,
        `echo of-the-victim > secret; echo ready; while [ ! -e /tmp/go ]; do sleep 0.2; done`,
      );
      await waitFor(async () => (await logOf(victim, running)).includes('ready'), { what: 'the task of the victim' });
      const own = readdirSync(path.join(workDir(), 'tasks'));
      expect(own).toHaveLength(1);
      const folder = path.join(workDir(), 'tasks', own[0] ?? '');
      const { log } = await attack(`
      cat ${folder}/secret 2> /dev/null; ls -A $(dirname $PWD)
      (echo forged > ${folder}/forged) 2> /dev/null; touch /tmp/go
      echo over`);
      expect(log).not.toContain('of-the-victim');
      expect(log).not.toContain(own[0] ?? '');
      expect(readdirSync(folder)).not.toContain('forged');
      expect((await jobStatus(victim, running)).job_state).toBe('RUNNING');
      await victim.call('DELETE', `/jobs/direct?job_id=${running}`);
    });

    it('leaves no process behind, whatever session or environment that has', async () => {
      const mark = `tally-left-${crypto.randomUUID()}`;
      const { log } = await attack(`
      for i in 1 2 3; do (env -i setsid bash -c "trap '' TERM HUP; exec -a ${mark} sleep 1000" > /dev/null 2>&1 &); done
      sleep 0.3; echo "left: $(grep -lc ${mark} /proc/[0-9]*/cmdline 2> /dev/null | wc -l)"`);
      expect(Number(/left: (\d+)/.exec(log)?.[1])).toBeGreaterThanOrEqual(3);
      expect(processesWith(mark)).toEqual([]);
    });

    it.each([
      // in Kubernetes the kubelet bounds the processes of a pod; there is no kubelet here
      [
        'PROCESS_LIMIT_EXCEEDED',
        isOwnNamespace ? 'bomb() { bomb | bomb & }; bomb; sleep 1000' : 'for i in {1..80}; do sleep 1000 & done; wait',
      ],
      [
        'MEMORY_LIMIT_EXCEEDED',
        `env -i setsid bash -c 'x=$(head -c 200000000 /dev/zero | tr "\\0" x); y=$x$x; sleep 1000' & sleep 1000`,
      ],
      ['OUTPUT_LIMIT_EXCEEDED', 'head -c 200M /dev/zero > large; sleep 1000'],
      [
        'OUTPUT_LIMIT_EXCEEDED',
        'while mkdir -p "$(printf "d%.0s" {1..200})" && cd d*; do head -c 4M /dev/zero > f; done; sleep 1000',
      ],
    ])('is stopped with %s, and others are served meanwhile', async (reason, script) => {
      const jobId = await submit(attacker, script);
      await reached(attacker, jobId, ({ job_tasks_status: [task] }) => task?.task_state !== 'PENDING');
      const sim_data = exampleProject('proton-150mev-water', 500);
      const body = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data };
      const { job_id: other } = await victim.call<{ job_id: string }>('POST', '/jobs/direct', body);
      expect((await ended(victim, other)).job_state).toBe('COMPLETED');
      const status = await ended(attacker, jobId);
      expect(status.job_tasks_status[0]?.failure).toContain(reason);
      await waitFor(() => readdirSync(path.join(workDir(), 'tasks')).length === 0, {
        what: 'the removal of its folder',
      });
    });

    it('keeps no slot by a progress file of a terabyte', async () => {
      const script = 'mkdir fluka_1; truncate -s 1T fluka_1/run_fort.out || echo refused; sleep 1000';
      const sim_data = { 'run.inp': 'START 10.\n', 'attack.txt': script };
      const body = { sim_type: 'simB', input_type: 'files', ntasks: 1, sim_data };
      const { job_id: jobId } = await attacker.call<{ job_id: string }>('POST', '/jobs/direct', body);
      await reached(attacker, jobId, ({ job_tasks_status: [task] }) => task?.task_state !== 'PENDING');
      if (isOwnNamespace) await waitFor(async () => (await logOf(attacker, jobId)).includes('refused'));
      await attacker.call('DELETE', `/jobs/direct?job_id=${jobId}`);
      const { job_state: state, failure = '' } = await ended(attacker, jobId);
      expect(`${state} ${failure}`).toMatch(/^CANCELED|OUTPUT_LIMIT_EXCEEDED/);
      await waitFor(() => readdirSync(path.join(workDir(), 'tasks')).length === 0, {
        what: 'the removal of its folder',
      });
    });

    it('with outputs whose names are not UTF-8 fails for what is missing, and the runner is not at fault', async () => {
      const { log, failure } = await attack(`: > $'\\377\\376.out'; ls | wc -l; echo over`);
      expect(log).toContain('over');
      expect(failure).toMatch(/^OUTPUT_/);
    });

    it('fills no memory by /tmp and /dev/shm', async () => {
      const { log } = await attack(`
      for place in /tmp /dev/shm; do head -c 1G /dev/zero > $place/full 2> /dev/null; echo "$place: $(stat -c %s $place/full)"; done
      (echo x > /run/x || mkdir /x) 2> /dev/null && echo "written elsewhere"`);
      const sizes = [...log.matchAll(/^\/\S+: (\d+)$/gm)].map(([, bytes]) => Number(bytes));
      expect(sizes).toHaveLength(2);
      for (const bytes of sizes) expect(bytes).toBeLessThanOrEqual(32 * MIB);
      expect(log).not.toContain('written elsewhere');
    });
  });

  if (isOwnNamespace)
    describe('a deck', () => {
      it.each([
        [
          'simC',
          { ...deck(''), 'run.mac': '/run/beamOn 10\n/control/shell id\n' },
          '/run.mac',
          /line 2: \/control\/shell/,
        ],
        [
          'simC',
          { ...deck(''), 'run.mac': '/control/execute /etc/passwd\n/run/beamOn 10\n' },
          '/run.mac',
          /line 1: .*execute/,
        ],
        [
          'simC',
          { ...deck(''), 'run.mac': '/run/beamOn 10\n/control/alias a-b "/control//shell id"\n{a-b}\n' },
          '/run.mac',
          /line 3: \/control\/shell/,
        ],
        [
          'simC',
          { 'run.mac': '/run/beamOn 10\n', 'geometry.gdml': '<gdml>\n<file note="a > b" name="/etc/passwd"/></gdml>' },
          '/geometry.gdml',
          /line 2: <file reads \/etc\/passwd/,
        ],
        [
          'simB',
          { 'a.inp': 'START 10.\nOPEN 46. OLD ! SCRATCH\n* its name\n/etc/passwd\n' },
          '/a.inp',
          /line 4: OPEN names \/etc\/passwd/,
        ],
        [
          'simD',
          { 'a.txt': 'i:So/Demo/NumberOfHistoriesInRun = 10\nTs/useqt =\n "True"\n' },
          '/a.txt',
          /line 2: Ts\/useqt waits/,
        ],
        ['simB', { 'a.inp': 'START 10.\nOPEN 46. OLD\n/etc/passwd\n' }, '/a.inp', /line 3: OPEN names \/etc\/passwd/],
        [
          'simD',
          { 'a.txt': 'i:So/Demo/NumberOfHistoriesInRun = 10\nincludeFile = /etc/passwd\n' },
          '/a.txt',
          /line 2: includeFile/,
        ],
      ])(
        'of %s that starts programs or opens foreign files is refused by file, line and command',
        async (sim_type, sim_data, file, why) => {
          const answer = await attacker.send('POST', '/jobs/direct', {
            body: { sim_type, input_type: 'files', ntasks: 1, sim_data },
          });
          expect(answer).toMatchObject({ status: 400, body: { code: 'PROJECT_INVALID' } });
          expect(answer.body.errors).toEqual([
            { field: `/sim_data${file}`.slice(1), message: expect.stringMatching(why) },
          ]);
        },
      );

      it.each(['-rf', '--gdml', '.bashrc'])('with a file called %s is refused', async (name) => {
        const sim_data = { ...deck(''), [name]: '' };
        const body = { sim_type: 'simC', input_type: 'files', ntasks: 1, sim_data };
        const answer = await attacker.send('POST', '/jobs/direct', { body });
        expect(answer).toMatchObject({ status: 400, body: { code: 'PROJECT_INVALID' } });
      });
    });

  describe.each(SIM_TYPES)('a confined stand-in of %s', (sim_type) => {
    it('runs a project to its end', async () => {
      const sim_data = exampleProject('proton-bone-slab', 100);
      const body = { sim_type, input_type: 'editor', ntasks: 2, sim_data };
      const { job_id: jobId } = await victim.call<{ job_id: string }>('POST', '/jobs/direct', body);
      expect((await ended(victim, jobId)).job_state).toBe('COMPLETED');
      expect(await logOf(victim, jobId)).toContain(`engine: ${sim_type} ${STAND_IN_VERSIONS[sim_type]}`);
    });
  });
});
