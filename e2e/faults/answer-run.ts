import { AnswerCampaign, type GivenAnswer } from './answer-campaign.js';
import { startAnsweringServers } from './answering-servers.js';
import type { JobRecord } from './job-load.js';

export interface AnswerRunOptions {
  /** At least: jobs flow until there were as many, and as many answers. */
  readonly jobs: number;
  readonly answers: number;
  readonly seed: number;
  readonly atOnce: number;
}

export interface AnswerReport {
  readonly options: AnswerRunOptions;
  readonly answers: readonly GivenAnswer[];
  readonly jobs: readonly JobRecord[];
  readonly signIns: number;
  readonly violations: readonly string[];
}

/** Jobs flow while servers answer anything, chosen by a seed; then they answer well, and what came of it is looked at. */
export async function runWithAnswers(options: AnswerRunOptions): Promise<AnswerReport> {
  const { seed, atOnce } = options;
  const servers = await startAnsweringServers();
  try {
    const campaign = await AnswerCampaign.prepare(servers);
    const isBusy = () => campaign.jobCount < options.jobs || campaign.answers.length < options.answers;
    await campaign.run({ seed, atOnce, isBusy });
    const violations = await campaign.end();
    return { options, answers: campaign.answers, jobs: campaign.jobs, signIns: campaign.signInCount, violations };
  } finally {
    await servers.stop();
  }
}
