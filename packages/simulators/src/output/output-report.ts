import { joinWarnings, type OutputWarning, WARNING_MESSAGE_CHARACTERS_MAX } from '@tally/merge';

/**
 * What a reader may say of a file that is sound, and that it does not fully understand.
 * - `OUTPUT_UNNAMED`: a quantity, unit or axis is not known here, and stands under its number or in counted bins;
 * - `OUTPUT_ASSUMED`: what is shown rests on an assumption, which the message names;
 * - `OUTPUT_LEFT_OUT`: a part of the output is not shown;
 * - `SIMULATOR_WARNING`: the simulator itself warns, in its file.
 */
export type OutputWarningCode = 'OUTPUT_UNNAMED' | 'OUTPUT_ASSUMED' | 'OUTPUT_LEFT_OUT' | 'SIMULATOR_WARNING';

/** Warnings of the files of a task while they are read: what a simulator really writes never fails a finished run. */
export interface OutputReport {
  /** @param message - without the file's name; equal in all tasks of a job, so that it is shown once */
  warn(code: OutputWarningCode, fileName: string, message: string): void;
  warnings(): OutputWarning[];
}

export function createOutputReport(): OutputReport {
  const warnings: OutputWarning[] = [];
  return {
    warn(code, fileName, message) {
      const line = `${fileName}: ${message}`.replaceAll(/\p{Cc}+/gu, ' ').slice(0, WARNING_MESSAGE_CHARACTERS_MAX);
      warnings.push({ code, message: line });
    },
    warnings: () => joinWarnings([warnings]),
  };
}
