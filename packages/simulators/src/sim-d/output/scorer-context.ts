import type { OutputReport } from '../../output/output-report.js';

/** What a scorer's file stands for. */
export interface ScorerContext {
  /** `PageSource.file` of its pages. */
  readonly file: string;
  /** Of the task. */
  readonly primaries: number;
  /** What the simulator calls histories: in each every source that is not done yet has one. */
  readonly events: number;
  readonly report: OutputReport;
}
