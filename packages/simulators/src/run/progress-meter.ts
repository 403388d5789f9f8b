/** How far a task is. */
export interface TaskProgress {
  readonly simulatedPrimaries: number;
  /** Absent: unknown. */
  readonly remainingMs?: number;
}

/** Follows a simulator's progress lines and says how long it will still take. */
export interface ProgressMeter {
  /** The simulator starts now: the rate counts from here. */
  begin(): void;
  /** Takes what a line said; progress never goes back and never beyond the task. */
  update(done: number): void;
  read(): TaskProgress;
  /** Since the last progress, or since the start where there is none yet. */
  idleMs(): number;
}

/**
 * @param primaries - of the task
 * @param nowMs - current time
 */
export function createProgressMeter(primaries: number, nowMs: () => number): ProgressMeter {
  let startedAtMs = nowMs();
  let done = 0;
  let updatedAtMs = startedAtMs;
  return {
    begin() {
      startedAtMs = nowMs();
      updatedAtMs = startedAtMs;
    },
    update(reported) {
      const next = Math.min(primaries, Math.floor(reported));
      if (!(next > done)) return;
      done = next;
      updatedAtMs = nowMs();
    },
    idleMs: () => nowMs() - updatedAtMs,
    read() {
      if (done === 0) return { simulatedPrimaries: 0 };
      const msPerPrimary = (updatedAtMs - startedAtMs) / done;
      const remainingMs = Math.max(0, msPerPrimary * (primaries - done) - (nowMs() - updatedAtMs));
      return { simulatedPrimaries: done, remainingMs: Math.round(remainingMs) };
    },
  };
}
