import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpSession, waitFor } from '@tally/testkit';
import type { BatchSuite } from '../fixtures/batch-fixture.js';
import { type DrawnAnswer, drawAnswer } from './answer-kinds.js';
import { type AnsweringServers, startAnsweringServers } from './answering-servers.js';
import { drawBrokerAnswer, giveBrokerAnswer } from './broker-answers.js';
import { randomOf } from './fault-schedule.js';
import { drawHttpAnswer, HTTP_KINDS, REALM_KINDS } from './http-answers.js';
import { JobLoad, type JobRecord, type Platform } from './job-load.js';
import { openRows } from './leftovers.js';

export interface AnswerRunOptions {
  /** At least: jobs flow until there were as many, and as many answers. */
  readonly jobs: number;
  readonly answers: number;
  readonly seed: number;
  readonly atOnce: number;
}

export interface GivenAnswer {
  readonly server: Server;
  readonly kind: string;
}

export interface AnswerReport {
  readonly options: AnswerRunOptions;
  readonly answers: readonly GivenAnswer[];
  readonly jobs: readonly JobRecord[];
  readonly signIns: number;
  readonly violations: readonly string[];
}

/** An answer that nothing asks for is taken back. */
const ASKED_WITHIN_MS = 5_000;
const SILENT_MS_MAX = 60_000;
const CLEARED_TIMEOUT_MS = 180_000;
/** Where sshd finds the SFTP server that a login shell starts, behind its script. */
const SFTP_SERVER = '/usr/lib/openssh/sftp-server';

/** Who answers anything. */
export const SERVERS = ['cluster', 'identity provider', 'object store', 'broker'] as const;
type Server = (typeof SERVERS)[number];
/** Of jobs that flow at once: the others run on the machine, by the broker. */
const BATCH_SHARE = 0.5;
const SIGN_IN_PAUSE_MS = 200;
/** In which a server answers well: it is nobody's promise to finish anything with one that never does. */
const [PAUSE_MS_MIN, PAUSE_MS_MAX] = [500, 2_500];
const TELL_INTERVAL_MS = 60_000;

/** Jobs flow while servers answer anything, chosen by a seed; then they answer well, and what came of it is looked at. */
export async function runWithAnswers(options: AnswerRunOptions): Promise<AnswerReport> {
  const random = randomOf(options.seed);
  const servers = await startAnsweringServers();
  const { suite } = servers;
  try {
    await transferByLoginShell(suite);
    const user = await suite.newSsoSession();
    const login = async () => {
      await user.send('POST', '/auth/sso', { body: { sso_token: await suite.ssoToken() } });
    };
    const silence = watchSilence(suite);
    const load = new JobLoad(user, { login, onStatus: silence.onStatus });
    await load.learnTruth();
    const answers: GivenAnswer[] = [];
    let jobCount = 0;
    const isBusy = () => jobCount < options.jobs || answers.length < options.answers;
    const submitter = (platform: Platform) => async () => {
      while (isBusy()) {
        const number = ++jobCount;
        const note = (err: unknown) => load.violations.push(`job ${number} (${platform}): ${String(err)}`);
        await load.run(number, platform).catch(note);
      }
    };
    const batchAtOnce = Math.ceil(options.atOnce * BATCH_SHARE);
    const givers = giversOf(servers, options.seed);
    const signIns = new SignIns(suite, isBusy);
    const telling = setInterval(() => {
      const last = load.violations.at(-1) ?? '';
      process.stdout.write(
        `${load.jobs.length} jobs, ${answers.length} answers, ${load.violations.length} violations ${last}\n`,
      );
    }, TELL_INTERVAL_MS);
    await Promise.all([
      ...Array.from({ length: batchAtOnce }, submitter('batch')),
      ...Array.from({ length: options.atOnce - batchAtOnce }, submitter('direct')),
      ...SERVERS.map(async (server) => {
        while (isBusy()) {
          const kind = await givers[server]();
          if (kind === undefined) continue;
          answers.push({ server, kind });
          await sleep(PAUSE_MS_MIN + random() * (PAUSE_MS_MAX - PAUSE_MS_MIN));
        }
      }),
      signIns.done,
    ]).finally(() => clearInterval(telling));
    await deleteAll(user);
    const violations = [
      ...load.violations,
      ...silence.violations,
      ...signIns.violations,
      ...(await leftOn(servers)).map((what) => `left: ${what}`),
    ];
    return { options, answers, jobs: load.jobs, signIns: signIns.count, violations };
  } finally {
    await servers.stop();
  }
}

/** Each draws an answer and gives it; resolves to its kind, if it was heard. A server that there is not gives none. */
function giversOf(servers: AnsweringServers, seed: number): Record<Server, () => Promise<string | undefined>> {
  const { suite, realm, objectStore, broker } = servers;
  const [ofCluster, ofRealm, ofStore, ofBroker] = SERVERS.map((_, i) => randomOf(seed * SERVERS.length + i));
  const never = async () => {
    await sleep(ASKED_WITHIN_MS);
    return undefined;
  };
  const options = { timeoutMs: ASKED_WITHIN_MS };
  return {
    cluster: async () => {
      const answer = drawAnswer(ofCluster ?? Math.random);
      return (await give(suite, answer)) ? answer.kind : undefined;
    },
    'identity provider': async () => {
      const { kind, give } = drawHttpAnswer(REALM_KINDS, ofRealm ?? Math.random);
      return (await realm.answer(give, { ...options, isWanted: isOfRealm })) ? kind : undefined;
    },
    'object store': async () => {
      if (objectStore === undefined) return never();
      const { kind, give } = drawHttpAnswer(HTTP_KINDS, ofStore ?? Math.random);
      return (await objectStore.proxy.answer(give, options)) ? kind : undefined;
    },
    broker: async () => {
      const answer = drawBrokerAnswer(ofBroker ?? Math.random);
      return (await giveBrokerAnswer(broker, answer, ASKED_WITHIN_MS)) ? answer.kind : undefined;
    },
  };
}

/** What services ask a realm; the rest is for browsers. */
const isOfRealm = ({ url }: { readonly url: string }): boolean =>
  ['/.well-known/', '/jwks', '/token'].some((start) => url.startsWith(start));

/** A user who signs in again and again, by a token of the realm and by a code. */
class SignIns {
  readonly violations: string[] = [];
  count = 0;
  readonly done: Promise<unknown>;

  constructor(
    private readonly suite: BatchSuite,
    isBusy: () => boolean,
  ) {
    const ways = [() => this.#byToken(), () => this.#byCode()];
    this.done = Promise.all(
      ways.map(async (way) => {
        while (isBusy()) {
          await this.#signIn(way);
          await sleep(SIGN_IN_PAUSE_MS);
        }
      }),
    );
  }

  /** Until it works. An answer that the document does not allow is an error of the session. */
  async #signIn(way: () => Promise<number>): Promise<void> {
    let last: unknown;
    const isIn = async () => {
      last = await way().catch((err: unknown) => String(err));
      if (String(last).includes('not as the OpenAPI')) this.violations.push(`a sign-in: ${String(last)}`);
      return last === 202;
    };
    await waitFor(isIn, { what: 'a sign-in', timeoutMs: SILENT_MS_MAX, intervalMs: SIGN_IN_PAUSE_MS }).then(
      () => this.count++,
      () => this.violations.push(`nobody can sign in: ${String(last)}`),
    );
  }

  async #byToken(): Promise<number> {
    const body = { sso_token: await this.suite.ssoToken() };
    return (await this.suite.newSession().send('POST', '/auth/sso', { body })).status;
  }

  async #byCode(): Promise<number> {
    const { code, codeVerifier, redirectUri, nonce } = await this.suite.ssoCode();
    const body = { code, code_verifier: codeVerifier, redirect_uri: redirectUri, nonce };
    return (await this.suite.newSession().send('POST', '/auth/sso/code', { body })).status;
  }
}

/** Those that were refused, too: their folders are kept until then. */
async function deleteAll(user: HttpSession): Promise<void> {
  for (;;) {
    const { simulations } = await user.request('GET', '/user/simulations');
    if (simulations.length === 0) return;
    for (const { job_id: jobId } of simulations)
      await user.request('DELETE', '/user/simulations', { query: { job_id: jobId } });
  }
}

async function transferByLoginShell({ cluster }: BatchSuite): Promise<void> {
  const config = path.join(cluster.facts.dir, 'ssh/sshd_config');
  writeFileSync(config, readFileSync(config, 'utf8').replace('sftp internal-sftp', `sftp ${SFTP_SERVER}`));
  await cluster.fault('crash', 'sshd');
  await cluster.fault('start', 'sshd');
}

/** Whether the answer was heard. */
async function give(suite: BatchSuite, { target, script, heldMs }: DrawnAnswer): Promise<boolean> {
  if (target !== 'login') return suite.answer(target, script, ASKED_WITHIN_MS);
  suite.setLoginScript(script);
  await sleep(heldMs);
  suite.setLoginScript('');
  return true;
}

/** Whether the scheduler has anything of a job, ended or not. */
const isAtScheduler = (suite: BatchSuite, jobId: string): boolean =>
  suite.slurm('squeue', '--noheader', '--states=all', '--format=%j').includes(`tally-${jobId}-`);

interface SeenStatus {
  readonly job_state: string;
  readonly waiting_reason?: string | undefined;
}

/** Jobs of which nothing is heard: no word why they wait, and nothing in their status that changes. */
function watchSilence(suite: BatchSuite) {
  const seen = new Map<string, { text: string; since: number }>();
  const violations: string[] = [];
  const onStatus = (jobId: string, status: SeenStatus): void => {
    const text = JSON.stringify(status);
    const now = performance.now();
    const before = seen.get(jobId);
    const since = before?.text === text && status.waiting_reason === undefined ? before.since : now;
    seen.set(jobId, { text, since });
    if (now - since <= SILENT_MS_MAX || isAtScheduler(suite, jobId)) return;
    violations.push(`job ${jobId} is silent: ${text}`);
    seen.delete(jobId);
  };
  return { violations, onStatus };
}

/** What is left once all jobs are deleted, after a while in which it may go. */
async function leftOn({ suite, objectStore, messages }: AnsweringServers): Promise<string[]> {
  const left = async () => [
    ...suite.slurm('squeue', '--noheader', '--format=%i %j %T').split('\n').filter(Boolean),
    ...readdirSync(path.join(suite.home, 'tally')).filter((name) => name !== '.tally'),
    ...(objectStore?.server.keys() ?? []),
    ...(await openRows(suite.databases.jobs)),
    ...(await messages()),
  ];
  const isEmpty = async () => (await left()).length === 0;
  await waitFor(isEmpty, { what: 'nothing left', timeoutMs: CLEARED_TIMEOUT_MS, intervalMs: 500 }).catch(() => {});
  return left();
}
