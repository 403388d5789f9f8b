import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { askAwkwardly, isOurFault, type SentRequest } from '../../attacks/awkward/awkward-user.js';
import { standInSettings } from '../../attacks/awkward/stand-ins.js';
import { AnswerCampaign, type GivenAnswer } from '../answer-campaign.js';
import { type AnsweringServers, startAnsweringServers } from '../answering-servers.js';
import { deleteAll } from '../delete-all.js';
import { randomOf } from '../fault-schedule.js';
import type { JobRecord } from '../job-load.js';
import { type HonestAnswers, judgeHonestAnswers } from './honest-answers.js';
import { HonestUsers } from './honest-users.js';
import { shareProcessors } from './share-processors.js';

export interface BesideOptions {
  /** Of both phases. */
  readonly seconds: number;
  readonly seed: number;
  /** Jobs of the campaign of answers. */
  readonly atOnce: number;
}

export interface BesideReport {
  readonly options: BesideOptions;
  readonly honest: HonestAnswers;
  readonly awkward: readonly SentRequest[];
  readonly answers: readonly GivenAnswer[];
  readonly jobs: readonly JobRecord[];
  readonly signIns: number;
  readonly violations: readonly string[];
}

export const HONEST_USERS = 20;
const AWKWARD_USERS = 2;
const QUIET_SHARE = 0.2;

/** Honest users work alone, then beside servers that answer anything and users who ask awkwardly: what became of them. */
export async function runBeside(options: BesideOptions): Promise<BesideReport> {
  // simA is the engine here and on the cluster: jobs give the same values on both
  const servers = await startAnsweringServers({
    runner: standInSettings(['simB', 'simC', 'simD']),
    clusterYields: true,
  });
  let honest: HonestUsers | undefined;
  try {
    const campaign = await AnswerCampaign.prepare(servers);
    honest = await HonestUsers.enter(servers.suite.gatewayUrl, HONEST_USERS);
    shareOut(servers);
    honest.begin('quiet');
    await sleep(QUIET_SHARE * 1_000 * options.seconds);
    honest.begin('loaded');
    const loadedMs = (1 - QUIET_SHARE) * 1_000 * options.seconds;
    const untilMs = performance.now() + loadedMs;
    const isBusy = () => performance.now() < untilMs;
    const [asked, awkward] = await Promise.all([
      endAfter(honest, loadedMs),
      sendAwkwardly(servers, options.seed, isBusy),
      campaign.run({ ...options, isBusy }),
    ]);
    const { answers, jobs, signInCount } = campaign;
    const answered = judgeHonestAnswers(asked);
    const violations = [
      ...answered.violations,
      ...awkward.filter(isOurFault).map(({ what, path, status, detail }) => `${what} (${path}) → ${status} ${detail}`),
      ...(await campaign.end()),
    ];
    return { options, honest: answered, awkward, answers, jobs, signIns: signInCount, violations };
  } finally {
    honest?.stop();
    await servers.stop();
  }
}

/**
 * The test stands for other machines, and yields; the gateway comes first, as its weight has it where it is deployed. A session that
 * has had more than its share waits for all others: PostgreSQL has a session for each connection.
 */
function shareOut({ suite }: AnsweringServers): void {
  shareProcessors(process.pid, 10);
  if (process.getuid?.() === 0) shareProcessors(suite.process('gateway').pid, -10);
}

async function endAfter(honest: HonestUsers, ms: number) {
  await sleep(ms);
  return honest.end();
}

async function sendAwkwardly({ suite }: AnsweringServers, seed: number, isBusy: () => boolean): Promise<SentRequest[]> {
  const users = await Promise.all(Array.from({ length: AWKWARD_USERS }, () => suite.newUser()));
  const asking = users.map((user, at) =>
    askAwkwardly(user, suite.gatewayUrl, randomOf(seed * AWKWARD_USERS + at), isBusy),
  );
  const sent = (await Promise.all(asking)).flat();
  await Promise.all(users.map(deleteAll));
  return sent;
}
