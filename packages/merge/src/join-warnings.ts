import type { OutputWarning } from './task-output.js';

/** Warnings that a task output, or the results of a job, have at most. */
export const WARNINGS_MAX = 100;
/** Characters of a warning's sentence at most. */
export const WARNING_MESSAGE_CHARACTERS_MAX = 1_000;
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Each warning once, in the order in which they came first; the first {@link WARNINGS_MAX}. */
export function joinWarnings(lists: Iterable<readonly OutputWarning[]>): OutputWarning[] {
  const joined = new Map<string, OutputWarning>();
  for (const list of lists) {
    for (const { code, message } of list) {
      if (joined.size < WARNINGS_MAX) joined.set(JSON.stringify([code, message]), { code, message });
    }
  }
  return [...joined.values()];
}

/** Whether results can hold it: a code and one line of text. */
export function isWarning({ code, message }: OutputWarning): boolean {
  return CODE.test(code) && message.length <= WARNING_MESSAGE_CHARACTERS_MAX && !/\p{Cc}/u.test(message);
}
