/*
 * Bounds that no site needs otherwise. Those that a site chooses are settings (config.ts); tests start a runner with smaller ones.
 */
export const BOUNDS = {
  /** Finished tasks that are delivered at once while their slots run others; with more, slots wait: their outputs are on the disk. */
  deliveriesMax: 16,
  /**
   * How long a prefetched task waits for a slot before it is handed back, milliseconds. Tasks are prefetched only while they are
   * shorter: for longer ones the next task comes early enough.
   */
  prefetchHoldMsMax: 1_000,
  /** How often the executables of this runner are reported to jobs, milliseconds; jobs forgets a runner after four times this. */
  reportMs: 15_000,
  /**
   * How long after a start an executable that could not be started, or did not say its version, is probed once more, milliseconds; doubles.
   * An image that is being pulled or a disk that is being mounted is there by then.
   */
  probePauseMs: 15_000,
  /** Longest such pause, milliseconds: each try starts the program. */
  probePauseMsMax: 15 * 60_000,
  /** How often memory, processes and folder size of a simulator are looked at, milliseconds: each look reads /proc. */
  limitCheckMs: 500,
  /** Time between SIGTERM and SIGKILL to a simulator that broke a limit, milliseconds: it may write what it has. */
  stopGraceMs: 10_000,
  /** The same for a simulator whose output nobody wants: its attempt is revoked, or the runner hands it back as it stops. */
  cancelGraceMs: 1_500,
  /** Longest line taken from a simulator, bytes; longer ones are broken. */
  logLineBytesMax: 16_384,
  /** How often new log text is sent to results, milliseconds: a user who follows a log sees it so late. */
  logShipMs: 1_000,
  /** First pause before something that could not be sent is sent again, milliseconds; doubles. */
  retryPauseMs: 500,
  /** Longest such pause, milliseconds: so late a service that is back is noticed. */
  retryPauseMsMax: 5_000,
  /** How often a service may answer with a fault of its own (INTERNAL) before a delivery is given up: ten minutes of pauses. */
  faultCountMax: 120,
  /** How long a message is held while jobs does not answer the claim, milliseconds; the broker takes it back after 30 minutes. */
  claimTimeLimitMs: 600_000,
  /** Time limit of one upload of an output or one download of a deck, milliseconds: a gigabyte at 4 MB/s. */
  transferTimeoutMs: 300_000,
  /** Memory for decks of jobs, bytes; each is fetched once for all tasks of its job. */
  deckCacheBytesMax: 32 * 1024 * 1024,
};
export type RunnerBounds = Readonly<typeof BOUNDS>;
