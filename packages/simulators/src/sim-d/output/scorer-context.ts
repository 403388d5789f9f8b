import type { OutputReport } from '../../output/output-report.js';

/** What a scorer's file stands for. */
export interface ScorerContext {
  /** `PageSource.file` of its pages. */
  readonly file: string;
  /** Of the task. */
  readonly primaries: number;
  readonly report: OutputReport;
}
