import { HttpError, TemplateError } from '@tally/client';

/** What a script can tell from the exit code; docs/cli.md has the same table. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  refused: 5,
  unavailable: 6,
  jobFailed: 7,
  jobCanceled: 8,
  interrupted: 130,
} as const;

/** Something that the user has to change: said without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
  constructor(
    message: string,
    readonly exitCode: number = EXIT.usage,
  ) {
    super(message);
  }
}

/** The exit code for what went wrong. */
export function exitCodeOf(err: unknown): number {
  if (err instanceof UserError) return err.exitCode;
  if (err instanceof TemplateError) return EXIT.usage;
  if (err instanceof HttpError) {
    const { status } = err.answer;
    if (status === 401 || status === 403) return EXIT.notAllowed;
    if (status === 404) return EXIT.notFound;
    return status === 429 || status >= 500 ? EXIT.unavailable : EXIT.refused;
  }
  return err instanceof TypeError && err.message === 'fetch failed' ? EXIT.unavailable : EXIT.failed;
}

/** What went wrong, for scripts: what the service said, or the command itself. */
export function errorOf(err: unknown): Record<string, unknown> {
  const exit_code = exitCodeOf(err);
  if (err instanceof HttpError) {
    const { message = err.message, ...rest } = err.answer.body;
    return { message, ...rest, exit_code };
  }
  const errors =
    err instanceof TemplateError ? err.faults.map(({ parameter, message }) => ({ field: parameter, message })) : [];
  return { message: describeError(err), ...(errors.length === 0 ? {} : { errors }), exit_code };
}

/** What went wrong, for people: the service's words, every wrong field, the request id. */
export function describeError(err: unknown): string {
  if (err instanceof HttpError) {
    const { message, errors, request_id: requestId } = err.answer.body;
    const fields = Array.isArray(errors) ? (errors as { field: string; message: string }[]) : [];
    const lines = fields.map(({ field, message: text }) => `  ${field}: ${text}`);
    return [
      typeof message === 'string' ? message : err.message,
      ...lines,
      ...(typeof requestId === 'string' ? [`  request id ${requestId}`] : []),
    ].join('\n');
  }
  if (err instanceof TypeError && err.message === 'fetch failed') {
    const { cause } = err;
    return `The service cannot be reached: ${cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : err.message}`;
  }
  return err instanceof Error ? err.message : String(err);
}
