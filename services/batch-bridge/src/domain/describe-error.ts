import { ServiceError } from '@tally/service-kit';

const CHARACTERS_MAX = 1_000;

/**
 * Message of an error of a library. One that stands for several (a name with several addresses, none of which answers) has
 * none of its own; an error of ours, such as the one that began a pause, has that of its cause.
 */
function messageOf(cause: unknown): string {
  if (cause instanceof ServiceError) return messageOf(cause.cause);
  if (typeof cause !== 'object' || cause === null) return '';
  if ('message' in cause && typeof cause.message === 'string' && cause.message !== '') return cause.message;
  return 'errors' in cause && Array.isArray(cause.errors) ? cause.errors.map(messageOf).join('; ') : '';
}

/** An error with the message of SSH or of the scheduler, on one line, for the owner of the job. */
export function describeError(err: ServiceError): string {
  const detail = messageOf(err.cause);
  const text = detail === '' ? err.message : `${err.message}: ${detail}`;
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, CHARACTERS_MAX);
}
