import type { HttpAnswer } from './http-answer.js';

/** An answer that is not 2xx. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(
    request: string,
    readonly answer: HttpAnswer,
  ) {
    super(`${request}: ${answer.status} ${String(answer.body.message)}`);
  }
}
