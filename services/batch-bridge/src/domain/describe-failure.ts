import { ServiceError } from '@tally/service-kit';

const CHARACTERS_MAX = 1_000;

/**
 * Words of an error of a library. One that stands for several (a name with several addresses, none of which answers) has
 * none of its own; an error of ours, such as the failure that began a pause, has those of its cause.
 */
function wordsOf(cause: unknown): string {
  if (cause instanceof ServiceError) return wordsOf(cause.cause);
  if (typeof cause !== 'object' || cause === null) return '';
  if ('message' in cause && typeof cause.message === 'string' && cause.message !== '') return cause.message;
  return 'errors' in cause && Array.isArray(cause.errors) ? cause.errors.map(wordsOf).join('; ') : '';
}

/** What went wrong, with the words of SSH or of the scheduler, on one line, for the owner of the job. */
export function describeFailure(err: ServiceError): string {
  const words = wordsOf(err.cause);
  const text = words === '' ? err.message : `${err.message}: ${words}`;
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, CHARACTERS_MAX);
}
