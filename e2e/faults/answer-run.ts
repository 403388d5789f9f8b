import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpSession, waitFor } from '@tally/testkit';
import { type BatchSuite, startBatchSuite } from '../fixtures/batch-fixture.js';
import { type DrawnAnswer, drawAnswer } from './answer-kinds.js';
import { randomOf } from './fault-schedule.js';
import { JobLoad, type JobRecord } from './job-load.js';

export interface AnswerRunOptions {
  /** At least: jobs flow until there were as many, and as many answers. */
  readonly jobs: number;
  readonly answers: number;
  readonly seed: number;
  readonly atOnce: number;
}

export interface AnswerReport {
  readonly options: AnswerRunOptions;
  readonly answers: readonly DrawnAnswer[];
  readonly jobs: readonly JobRecord[];
  readonly violations: readonly string[];
}

/** An answer that nothing asks for is taken back. */
const ASKED_WITHIN_MS = 5_000;
const SILENT_MS_MAX = 60_000;
const CLEARED_TIMEOUT_MS = 180_000;
/** Where sshd finds the SFTP server that a login shell starts, behind its script. */
const SFTP_SERVER = '/usr/lib/openssh/sftp-server';

/** Jobs flow to a cluster that answers anything, chosen by a seed; then it answers well, and what came of it is looked at. */
export async function runWithAnswers(options: AnswerRunOptions): Promise<AnswerReport> {
  const random = randomOf(options.seed);
  const suite = await startBatchSuite({ cluster: { nodes: 2, cpusPerNode: 4 } });
  try {
    await transferByLoginShell(suite);
    const user = await suite.newSsoSession();
    const login = async () => {
      await user.send('POST', '/auth/sso', { body: { sso_token: await suite.ssoToken() } });
    };
    const silence = watchSilence(suite);
    const load = new JobLoad(user, { login, onStatus: silence.onStatus });
    await load.learnTruth();
    const answers: DrawnAnswer[] = [];
    let jobCount = 0;
    const isBusy = () => jobCount < options.jobs || answers.length < options.answers;
    const submitter = async () => {
      while (isBusy()) {
        const number = ++jobCount;
        const note = (err: unknown) => load.violations.push(`job ${number}: ${String(err)}`);
        await load.run(number, 'batch').catch(note);
      }
    };
    const submitters = Promise.all(Array.from({ length: options.atOnce }, submitter));
    while (isBusy()) {
      const answer = drawAnswer(random);
      if (await give(suite, answer)) answers.push(answer);
    }
    await submitters;
    await deleteAll(user);
    const left = await leftOn(suite);
    const violations = [
      ...load.violations,
      ...silence.violations,
      ...left.map((what) => `left on the cluster: ${what}`),
    ];
    return { options, answers, jobs: load.jobs, violations };
  } finally {
    await suite.stop();
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

/** Jobs that are PENDING, not at the scheduler, and do not say why. */
function watchSilence(suite: BatchSuite) {
  const since = new Map<string, number>();
  const violations: string[] = [];
  const onStatus = (jobId: string, status: { job_state: string; waiting_reason?: string | undefined }): void => {
    const isSilent = status.job_state === 'PENDING' && status.waiting_reason === undefined;
    if (!isSilent) return void since.delete(jobId);
    const from = since.get(jobId) ?? performance.now();
    since.set(jobId, from);
    if (performance.now() - from <= SILENT_MS_MAX) return;
    if (!isAtScheduler(suite, jobId)) violations.push(`job ${jobId} waits, and does not say why`);
    since.delete(jobId);
  };
  return { violations, onStatus };
}

/** What the cluster has once all jobs are deleted, after a while in which it may go. */
async function leftOn(suite: BatchSuite): Promise<string[]> {
  const left = () => [
    ...suite.slurm('squeue', '--noheader', '--format=%i %j %T').split('\n').filter(Boolean),
    ...readdirSync(path.join(suite.home, 'tally')).filter((name) => name !== '.tally'),
  ];
  await waitFor(() => left().length === 0, { what: 'an empty cluster', timeoutMs: CLEARED_TIMEOUT_MS }).catch(() => {});
  return left();
}
