import type { NativePage } from '../../output/native-page.js';
import type { OutputReport } from '../../output/output-report.js';

/** What a file stands for. */
export interface ScoreFileContext {
  /** `PageSource.file` of its pages. */
  readonly file: string;
  readonly report: OutputReport;
}

/** What it holds. */
export interface ScoreFile {
  readonly pages: readonly NativePage[];
  /** It has sums of squares of single histories; else the whole run is one batch. */
  readonly hasSquares: boolean;
}
