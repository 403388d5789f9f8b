/*
 * Bounds that no site needs otherwise. Those that a site chooses are settings (config.ts); tests start batch-bridge with smaller ones.
 */
export const BOUNDS = {
  /** Time between two checks whether a cluster answers, milliseconds: users see so late that it does. */
  checkIntervalMs: 60_000,
  /** Longest time from the first packet to a cluster to the finished SSH login, milliseconds: PAM of a busy login node is slow. */
  connectTimeoutMs: 15_000,
  /** Time between two keepalive probes of a silent cluster, milliseconds; three unanswered ones end the connection. */
  keepaliveMs: 15_000,
  /** Commands and transfers at once on a connection: below MaxSessions of sshd, which is 10 unless a site lowers it. */
  channelsMax: 4,
  /** Largest output of a command on a cluster, bytes: 100 000 tasks in squeue, of about 150 each. */
  outputBytesMax: 16_000_000,
  /** Longest upload of a file, milliseconds: the Node.js program, about 100 MB, at 350 kB/s. */
  uploadTimeoutMs: 300_000,
  /** A connection without work for this long is closed, milliseconds: three polls. */
  idleMs: 180_000,
  /** Failed connections to a cluster in a row after which none is tried for a while: fail2ban counts to five. */
  failureCountMax: 3,
  /** First pause after failed connections, milliseconds; doubles with each further failure. */
  pauseFirstMs: 5_000,
  /** Longest pause after failed connections, milliseconds: so late a cluster that is back is noticed. */
  pauseMaxMs: 300_000,
  /** How long a copy of the service that stopped answering keeps a cluster from the others, milliseconds. */
  leaseMs: 30_000,
  /** How often the worker of a cluster asks the database for what is due, milliseconds; what is announced is done at once. */
  roundMs: 1_000,
  /** First pause before a failed step is retried, milliseconds; doubles each time. */
  retryFirstMs: 5_000,
  /** Longest pause before a failed step is retried, milliseconds. */
  retryMaxMs: 300_000,
  /** How long the scheduler may not show a job whose sbatch got no answer before it is called again, milliseconds. */
  markerGraceMs: 30_000,
  /** How often a running task on a cluster reports its progress, milliseconds: thousands of tasks report to one gateway. */
  progressIntervalMs: 10_000,
  /** How often a simulator is started again in a task that told no progress; then the task has failed. */
  taskStallRetriesMax: 2,
  /** Time limit of the collect job, seconds: it packs small files. */
  collectWallTimeSeconds: 3_600,
  /** Memory of the collect job, MiB. */
  collectMemoryMib: 1_024,
  /** Largest deck that is uploaded to a cluster, bytes; the gateway takes no larger one. */
  deckBytesMax: 64_000_000,
  /** A cancel on a cluster that has not worked after this is sent again, milliseconds: tasks may take a while to end. */
  cancelRepeatMs: 120_000,
  /** Time between a failure that the scheduler shows and its report, milliseconds: the task's last files may come late over NFS. */
  failureGraceMs: 60_000,
  /** How long one round fetches files for one user, milliseconds; the next round continues, so that users take turns. */
  fetchTimeMs: 60_000,
  /** Tasks of a job whose files are fetched at once: as many as channels. */
  fetchTasksMax: 4,
};
export type BridgeBounds = Readonly<typeof BOUNDS>;
