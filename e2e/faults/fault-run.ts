import { waitFor } from '@tally/testkit';
import { EventFollower } from '../fixtures/event-follower.js';
import { keepEvidence } from './fault-evidence.js';
import { FAULT_KINDS } from './fault-kinds.js';
import { type FaultRecord, injectFaults, randomOf } from './fault-schedule.js';
import { startFaultySuite } from './faulty-suite.js';
import { JobLoad, type JobRecord, type Platform } from './job-load.js';
import { findLeftovers, judgeEvents } from './leftovers.js';
import { judgeWord, startWordServers, subscribe } from './word-judge.js';

export interface FaultRunOptions {
  /** At least: jobs flow until there were as many, and as many faults. */
  readonly jobs: number;
  readonly faults: number;
  readonly seed: number;
  /** Copies of each service, runners among them. */
  readonly copies: number;
  readonly atOnce: number;
  /** With jobs of the batch platform, on a real Slurm. */
  readonly hasCluster: boolean;
  /** The user is told of every end, by mail and by webhook. */
  readonly hasWord?: boolean;
  /** Only kinds with this in their name. */
  readonly only?: string;
}

export interface FaultReport {
  readonly options: FaultRunOptions;
  readonly faults: readonly FaultRecord[];
  readonly jobs: readonly JobRecord[];
  readonly violations: readonly string[];
  /** From the mending of the last fault until the last job had ended. */
  readonly msToLastEnd: number;
}

const CREDENTIALS = { username: 'user-1', password: 'correct horse battery' };
const EVENTS_TIMEOUT_MS = 60_000;
const TELL_INTERVAL_MS = 60_000;

/** Jobs flow while one thing after another breaks; then everything is well, and what came of it is looked at. */
export async function runWithFaults(options: FaultRunOptions): Promise<FaultReport> {
  const random = randomOf(options.seed);
  const word = options.hasWord === true ? await startWordServers() : undefined;
  const on = await startFaultySuite({ ...options, random, word });
  try {
    const user = await (on.cluster?.newSsoSession() ?? on.suite.newUser());
    const login = async () => {
      const path = on.cluster === undefined ? '/auth/login' : '/auth/sso';
      const body = on.cluster === undefined ? CREDENTIALS : { sso_token: await on.cluster.ssoToken() };
      await user.send('POST', path, { body });
    };
    const load = new JobLoad(user, { login });
    const follower = new EventFollower(user);
    await waitFor(() => follower.isConnected, { what: 'the listener to be connected' });
    if (word !== undefined) await subscribe(user, word, on.databases.auth);
    await load.learnTruth();
    const { faults, msToLastEnd } = await loadAndBreak();
    const left = await findLeftovers(on, load.jobs);
    const unheard = await waitFor(async () => (await judgeEvents(on, follower)).length === 0, {
      timeoutMs: EVENTS_TIMEOUT_MS,
      intervalMs: 500,
    }).then(
      () => [],
      () => judgeEvents(on, follower),
    );
    await follower.close();
    const untold = word === undefined ? [] : await judgeWord(word, load.jobs);
    const violations = [...load.violations, ...untold, ...left.map((what) => `left: ${what}`), ...unheard];
    if (violations.length > 0) process.stdout.write(`what was logged is kept in ${keepEvidence(on, options.seed)}\n`);
    return { options, faults, jobs: load.jobs, violations, msToLastEnd };

    async function loadAndBreak() {
      let jobCount = 0;
      let faultCount = 0;
      const isBusy = () => jobCount < options.jobs || faultCount < options.faults;
      const submitter = (platform: Platform) => async () => {
        while (isBusy()) {
          const number = ++jobCount;
          const note = (err: unknown) => load.violations.push(`job ${number} (${platform}): ${String(err)}`);
          await load.run(number, platform).catch(note);
        }
      };
      // each has submitters of its own: a cluster without its controller does not hold up the others
      const batchAtOnce = options.hasCluster ? Math.ceil(options.atOnce / 4) : 0;
      const workers = Promise.all([
        ...Array.from({ length: batchAtOnce }, submitter('batch')),
        ...Array.from({ length: options.atOnce - batchAtOnce }, submitter('direct')),
      ]);
      const onFault = () => void faultCount++;
      const telling = setInterval(() => {
        const { jobs, violations } = load;
        const last = violations.length === 0 ? '' : `, the last one: ${violations.at(-1)}`;
        process.stdout.write(`${jobs.length} jobs, ${faultCount} faults, ${violations.length} violations${last}\n`);
      }, TELL_INTERVAL_MS);
      const kinds = FAULT_KINDS.filter(({ name }) => name.includes(options.only ?? ''));
      try {
        const faults = await injectFaults(on, { kinds, load, follower, random, isBusy, onFault });
        const healedAt = performance.now();
        await workers;
        return { faults, msToLastEnd: performance.now() - healedAt };
      } finally {
        clearInterval(telling);
      }
    }
  } catch (err) {
    process.stdout.write(`what was logged is kept in ${keepEvidence(on, options.seed)}\n`);
    throw err;
  } finally {
    await on.stop();
    await word?.stop();
  }
}
