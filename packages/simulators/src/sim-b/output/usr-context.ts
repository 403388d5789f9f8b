import type { ByteReader } from '../../output/byte-reader.js';
import type { FortranRecords } from '../../output/fortran-records.js';
import type { NativeAxis } from '../../output/native-page.js';
import type { OutputReport } from '../../output/output-report.js';

/** What the file of one logical unit stands for. */
export interface UsrFileContext {
  readonly fileName: string;
  /** `PageSource.file` of its pages. */
  readonly file: string;
  readonly report: OutputReport;
}

/** A detector's header, of which number and name have been read, and the records that follow it. */
export interface DetectorContext extends UsrFileContext {
  readonly records: FortranRecords;
  readonly header: ByteReader;
  readonly item: string;
}

/** What a header says. */
export interface Detector {
  readonly title: string;
  /** Without "per primary" and without units of differential axes. */
  readonly unit: string;
  /** From the file's numbers to `unit`. */
  readonly factor: number;
  readonly axes: readonly NativeAxis[];
  readonly differentialAxes: number;
  /** Low-energy neutrons are in groups of their own; `isNeutron`: nothing else is scored. */
  readonly groups?: { readonly isNeutron: boolean };
}
