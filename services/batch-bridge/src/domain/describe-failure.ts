import { ServiceError } from '@tally/service-kit';

const CHARACTERS_MAX = 1_000;

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

/** What went wrong, with the words of SSH or of the scheduler, on one line, for the owner of the job. */
export function describeFailure(err: ServiceError): string {
  const { cause } = err;
  const words = cause instanceof Error && !(cause instanceof ServiceError) ? oneLine(cause.message) : '';
  return oneLine(words === '' ? err.message : `${err.message}: ${words}`).slice(0, CHARACTERS_MAX);
}
