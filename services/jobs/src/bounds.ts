import { PROJECT_BYTES_MAX } from '@tally/contracts';

/*
 * Bounds that no site needs otherwise. Those that a site chooses are settings (config.ts); tests start jobs with smaller ones.
 */
export const BOUNDS = {
  /** A runner that has not reported for this long does not count any more, milliseconds: four of its reports. */
  runnerExpiryMs: 60_000,
  /** Projects and decks that may wait for the thread that converts them; one more of whoever has most is refused (429), so that none waits for minutes. */
  conversionsWaitingMax: 32,
  /** How long a conversion in the thread may take, milliseconds: the largest project takes a few seconds. */
  conversionTimeoutMs: 20_000,
  /** Heap of the thread that converts it, bytes: what the largest project becomes as objects. */
  conversionHeapBytesMax: 384_000_000,
  /** Longest JSON text of a project that is kept, bytes: it travels in one message. */
  projectBytesMax: PROJECT_BYTES_MAX,
  /** How long an Idempotency-Key is remembered, hours: a client that repeats a request does so within a day. */
  idempotencyKeyHours: 24,
  /** How often to look for messages that another copy of the service left, milliseconds; own ones wake the dispatcher. */
  dispatchIntervalMs: 500,
  /** How long a publish may take before its messages are due again, milliseconds: a broker that is well confirms within a few. */
  publishTimeoutMs: 5_000,
  /** A message that nobody claims for this long is published again, milliseconds; doubles each time. It may only wait its turn. */
  redispatchAfterMs: 60_000,
  /** Longest time between two publications of an unclaimed message, milliseconds. */
  redispatchAfterMaxMs: 900_000,
  /** How often workers may hand a task back before each hand-back counts as a failed attempt: more than a day has upgrades. */
  releasesMax: 20,
  /** How often to look for lost workers and for duties that another copy left, milliseconds; own duties wake their loop. */
  sweepIntervalMs: 1_000,
  /** A job on the direct platform of which no task has run for this long says what it waits for, milliseconds: before its owner wonders. */
  waitToldAfterMs: 30_000,
  /** How often to look for such jobs, milliseconds: each look reads a little of all that are open. */
  waitTellIntervalMs: 5_000,
  /** How often to look for expired keys, milliseconds: nobody waits for them. */
  cleanUpIntervalMs: 30_000,
  /** How often to look for what rules of retention remove, milliseconds: their unit is days, and a look reads all jobs that have ended so long ago. */
  retentionIntervalMs: 600_000,
  /** A submission that has not become a job after this long has failed, and its input is removed, milliseconds: longer than the gateway gives one. */
  submissionTimeoutMs: 300_000,
  /** Longest pause between two tries of a duty, milliseconds: results is back within it. */
  dutyRetryMaxMs: 10_000,
  /** How long a submission waits for its cluster before it is answered all the same, milliseconds: Slurm may take half a minute. */
  batchSubmitWaitMs: 40_000,
  /** How often batch-bridge is told again of a job that is open, milliseconds: its database may have been restored. */
  submitRepeatMs: 600_000,
  /** How long events of mere progress are kept, milliseconds: newer ones say more. */
  eventProgressRetentionMs: 600_000,
  /** How often to look for events whose notification was not heard, milliseconds. */
  eventPollIntervalMs: 5_000,
};
export type JobsBounds = Readonly<typeof BOUNDS>;
