import { type Clock, ServiceError } from '@tally/service-kit';
import type { JobId, UserId } from '../job.js';
import { isTerminal } from '../job-state.js';
import { bodyOf, hashNoticeId, jobNotice, type Notice, readSweepTitles, sweepNotice } from './notice.js';
import { type Channels, type SubscriptionScope, type SubscriptionStore, subscriptionKey } from './subscription.js';
import type { Sweep } from './sweep.js';
import type { ToldJob } from './told-job.js';

/** Who wants to be told of a job. */
export interface Watcher extends Channels {
  readonly userId: UserId;
  readonly scope: SubscriptionScope;
}

/** Who is told by what. */
interface Receiver extends Channels {
  readonly userId: UserId;
  /** That the user must be in when he is told; undefined: the job is his own. */
  readonly groupId: string | undefined;
}

/** Of some users those who may be told anything, and those who are in a group. */
export type FindReceivers = (
  userIds: readonly UserId[],
  groupId: string | undefined,
) => Promise<{ readonly active: ReadonlySet<UserId>; readonly members: ReadonlySet<UserId> }>;

/** Reads whom to tell what. */
export interface NoticeStore {
  /** Undefined: it was deleted. */
  findJob(jobId: JobId): Promise<
    | {
        readonly job: ToldJob;
        readonly sweep: Sweep | null;
        readonly groupId: string | null;
        readonly watchers: readonly Watcher[];
      }
    | undefined
  >;
  /** Jobs of a sweep, in the order of their submission, and the largest size that one of them has told. */
  findSweep(ownerId: UserId, sweepId: string): Promise<{ readonly jobs: readonly ToldJob[]; readonly size: number }>;
}

/** Draws the first curve of jobs over each other. */
export type DrawCurves = (
  ownerId: UserId,
  jobs: readonly { readonly jobId: JobId; readonly label: string }[],
) => Promise<{ readonly picture: Uint8Array; readonly words: string } | undefined>;

export interface NotifyPorts {
  readonly notices: NoticeStore;
  readonly drawCurves: DrawCurves;
  readonly subscriptions: Pick<SubscriptionStore, 'remove'>;
  /** Sends a mail, once for each notice id; undefined: this deployment sends no mail. */
  readonly sendMail: ((receiver: Omit<Receiver, keyof Channels>, notice: Notice) => Promise<void>) | undefined;
  /** Stores what the webhooks of a user are told, once for each notice id. */
  readonly tellWebhooks: (receiver: Omit<Receiver, keyof Channels>, noticeId: string, body: string) => Promise<void>;
  /** Undefined: nobody knows who is in a group, and of its jobs nobody is told. */
  readonly findReceivers: FindReceivers | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** A sweep that has fewer jobs than it says is told of after so long without a change: its client has given it up. */
const SWEEP_IDLE_MS = 60 * 60_000;
/** Between two looks at it. */
const SWEEP_AGAIN_MS = 5 * 60_000;

/**
 * Tells those who want to be told that a job has ended. Who is told of a sweep is told once, when its last job has ended. May be repeated
 * and run twice at once: the same notice has the same id, and is sent once.
 */
export async function notifyEnd(ports: NotifyPorts, jobId: JobId) {
  const found = await ports.notices.findJob(jobId);
  if (found === undefined) return 'done';
  const { job, sweep, groupId } = found;
  const watchers = await keepMembers(ports, groupId, found.watchers);
  const toReceivers = (kept: readonly Watcher[]) => receiversOf(kept, job.ownerId, groupId);
  const isOfSweep = ({ scope }: Watcher) => sweep !== null && scope !== 'job';
  const ofJob = watchers.filter((watcher) => !isOfSweep(watcher));
  // extended meanwhile: its next end is told
  if (job.closedAt !== null && ofJob.length > 0) {
    await tell(ports, toReceivers(ofJob), jobNotice(job, hashNoticeId('job', jobId, job.closedAt.toISOString())), [
      job,
    ]);
  }
  const ofSweep = watchers.filter(isOfSweep);
  return sweep === null || ofSweep.length === 0 ? 'done' : tellSweep(ports, job.ownerId, sweep, toReceivers(ofSweep));
}

async function tellSweep(ports: NotifyPorts, ownerId: UserId, { sweepId }: Sweep, receivers: readonly Receiver[]) {
  const { jobs, size } = await ports.notices.findSweep(ownerId, sweepId);
  if (jobs.some(({ state }) => !isTerminal(state))) return 'done'; // the last one tells
  const lastMs = Math.max(...jobs.map(({ closedAt }) => closedAt?.getTime() ?? 0));
  const isWhole = jobs.length >= size;
  if (!isWhole && ports.clock.now().getTime() - lastMs < SWEEP_IDLE_MS) return { againAfterMs: SWEEP_AGAIN_MS };
  const id = hashNoticeId('sweep', `${ownerId}`, sweepId, `${size}`, isWhole ? 'all' : `${jobs.length}`);
  await tell(ports, receivers, sweepNotice(jobs, { sweepId, size }, id), jobs);
  return 'done';
}

/** Who has left the group of the job is not told of it, and of no other. */
async function keepMembers(
  { findReceivers, subscriptions }: NotifyPorts,
  groupId: string | null,
  watchers: readonly Watcher[],
): Promise<readonly Watcher[]> {
  const asked = watchers.filter(({ scope }) => scope === 'group');
  if (groupId === null || asked.length === 0) return watchers;
  const userIds = asked.map(({ userId }) => userId);
  const { members } = (await findReceivers?.(userIds, groupId)) ?? { members: undefined };
  const left = members === undefined ? [] : userIds.filter((userId) => !members.has(userId));
  for (const userId of left)
    await subscriptions.remove(userId, subscriptionKey(userId, { scope: 'group', target: groupId }));
  return watchers.filter(({ userId, scope }) => scope !== 'group' || members?.has(userId) === true);
}

/** A user with several subscriptions is told once. */
function receiversOf(watchers: readonly Watcher[], ownerId: UserId, groupId: string | null): Receiver[] {
  const users = new Map<UserId, Receiver>();
  for (const { userId, hasMail, hasWebhooks } of watchers) {
    const before = users.get(userId);
    users.set(userId, {
      userId,
      groupId: userId === ownerId ? undefined : (groupId ?? undefined),
      hasMail: hasMail || before?.hasMail === true,
      hasWebhooks: hasWebhooks || before?.hasWebhooks === true,
    });
  }
  return [...users.values()];
}

/** Curves in one picture. */
const CURVES_MAX = 8;

async function tell(
  ports: NotifyPorts,
  receivers: readonly Receiver[],
  notice: Notice,
  jobs: readonly ToldJob[],
): Promise<void> {
  const { sendMail, drawCurves, tellWebhooks } = ports;
  for (const receiver of receivers)
    if (receiver.hasWebhooks) await tellWebhooks(receiver, notice.id, bodyOf(notice, jobs));
  const mailed = receivers.filter(({ hasMail }) => hasMail);
  const [first] = jobs;
  if (sendMail === undefined || mailed.length === 0 || first === undefined) return;
  const { labels } = readSweepTitles(jobs.map(({ title }) => title));
  const drawn = jobs
    .map((job, i) => ({ ...job, label: labels[i] ?? '' }))
    .filter(({ simulatedPrimaries }) => simulatedPrimaries !== null);
  const curves = spread(drawn, CURVES_MAX).map(({ jobId, label }) => ({ jobId, label }));
  const figure = curves.length === 0 ? undefined : await drawnOrNone(drawCurves, first.ownerId, curves);
  for (const receiver of mailed) {
    // the page of a sweep shows one's own jobs
    const isSweepOfOthers = notice.about.type === 'sweep.ended' && receiver.groupId !== undefined;
    const linkPath = isSweepOfOthers ? '/console/?view=group' : notice.linkPath;
    await sendMail(receiver, { ...notice, linkPath, ...(figure === undefined ? {} : { figure }) });
  }
}

/** A picture that cannot be drawn holds no word back; results that is away is waited for. */
async function drawnOrNone(drawCurves: DrawCurves, ...asked: Parameters<DrawCurves>): ReturnType<DrawCurves> {
  try {
    return await drawCurves(...asked);
  } catch (err) {
    if (err instanceof ServiceError && err.status !== 'UNAVAILABLE') return undefined;
    throw err;
  }
}

/** At most so many of a list, the first and the last among them. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from({ length: count }, (_, i) => list[Math.round((i * (list.length - 1)) / (count - 1))]).filter(
    (item) => item !== undefined,
  );
}
