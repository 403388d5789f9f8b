import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpSession, waitFor } from '@tally/testkit';
import type { BatchSuite } from '../fixtures/batch-fixture.js';
import { type DrawnAnswer, drawAnswer } from './answer-kinds.js';
import type { AnsweringServers } from './answering-servers.js';
import { drawBrokerAnswer, giveBrokerAnswer } from './broker-answers.js';
import { deleteAll } from './delete-all.js';
import { randomOf } from './fault-schedule.js';
import { drawHttpAnswer, HTTP_KINDS, REALM_KINDS } from './http-answers.js';
import { JobLoad, type JobRecord, type Platform } from './job-load.js';
import { openRows } from './leftovers.js';

export interface GivenAnswer {
  readonly server: Server;
  readonly kind: string;
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

export interface CampaignOptions {
  readonly seed: number;
  /** Jobs that flow at a time. */
  readonly atOnce: number;
  /** Nothing more is begun once it is false. */
  readonly isBusy: () => boolean;
}

/** Jobs flow and users sign in while servers answer anything, chosen by a seed. */
export class AnswerCampaign {
  readonly answers: GivenAnswer[] = [];
  jobCount = 0;
  #signIns: SignIns | undefined;

  private constructor(
    private readonly servers: AnsweringServers,
    private readonly user: HttpSession,
    private readonly load: JobLoad,
    private readonly silence: ReturnType<typeof watchSilence>,
  ) {}

  /** Has a user submit each kind of job once while all servers answer well. */
  static async prepare(servers: AnsweringServers): Promise<AnswerCampaign> {
    const { suite } = servers;
    await transferByLoginShell(suite);
    const user = await suite.newSsoSession();
    const login = async () => {
      await user.send('POST', '/auth/sso', { body: { sso_token: await suite.ssoToken() } });
    };
    const silence = watchSilence(suite);
    const load = new JobLoad(user, { login, onStatus: silence.onStatus });
    await load.learnTruth();
    return new AnswerCampaign(servers, user, load, silence);
  }

  get jobs(): readonly JobRecord[] {
    return this.load.jobs;
  }

  get signInCount(): number {
    return this.#signIns?.count ?? 0;
  }

  async run({ seed, atOnce, isBusy }: CampaignOptions): Promise<void> {
    const batchAtOnce = Math.ceil(atOnce * BATCH_SHARE);
    const signIns = new SignIns(this.servers.suite, isBusy);
    this.#signIns = signIns;
    const telling = setInterval(() => this.#tell(), TELL_INTERVAL_MS);
    await Promise.all([
      ...Array.from({ length: batchAtOnce }, () => this.#submit('batch', isBusy)),
      ...Array.from({ length: atOnce - batchAtOnce }, () => this.#submit('direct', isBusy)),
      this.#giveAnswers(seed, isBusy),
      signIns.done,
    ]).finally(() => clearInterval(telling));
  }

  /** Deletes all its jobs; resolves to what was not as promised, with what is left of any job of the suite. */
  async end(): Promise<string[]> {
    await deleteAll(this.user);
    return [
      ...this.load.violations,
      ...this.silence.violations,
      ...(this.#signIns?.violations ?? []),
      ...(await leftOn(this.servers)).map((what) => `left: ${what}`),
    ];
  }

  async #submit(platform: Platform, isBusy: () => boolean): Promise<void> {
    while (isBusy()) {
      const number = ++this.jobCount;
      const note = (err: unknown) => this.load.violations.push(`job ${number} (${platform}): ${String(err)}`);
      await this.load.run(number, platform).catch(note);
    }
  }

  async #giveAnswers(seed: number, isBusy: () => boolean): Promise<void> {
    const random = randomOf(seed);
    const givers = giversOf(this.servers, seed);
    const give = async (server: Server) => {
      while (isBusy()) {
        const kind = await givers[server]();
        if (kind === undefined) continue;
        this.answers.push({ server, kind });
        await sleep(PAUSE_MS_MIN + random() * (PAUSE_MS_MAX - PAUSE_MS_MIN));
      }
    };
    await Promise.all(SERVERS.map(give));
  }

  #tell(): void {
    const { jobs, violations } = this.load;
    process.stdout.write(
      `${jobs.length} jobs, ${this.answers.length} answers, ${violations.length} violations ${violations.at(-1) ?? ''}\n`,
    );
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
