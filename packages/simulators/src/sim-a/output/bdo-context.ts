import type { NativePage } from '../../output/native-page.js';
import type { OutputReport } from '../../output/output-report.js';

/** What the file of an estimator stands for. */
export interface BdoContext {
  readonly fileName: string;
  /** `PageSource.file` of its pages. */
  readonly file: string;
  readonly report: OutputReport;
}

/** What it holds. */
export interface BdoFile {
  /** Undefined: the file has maps of the geometry alone, for which nothing need be simulated. */
  readonly primaries: number | undefined;
  readonly pages: readonly NativePage[];
}
