/** A request to the gateway failed. Its message never shows the update key. */
export class GatewayError extends Error {
  /** Answer of the server; undefined: there was none. */
  readonly status: number | undefined;
  /** When the server wants to be asked again, milliseconds from now. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, answer: { status?: number; retryAfterMs?: number } = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GatewayError';
    this.status = answer.status;
    this.retryAfterMs = answer.retryAfterMs;
  }

  /** True: a repeat would be answered the same way. */
  get isPermanent(): boolean {
    return this.status !== undefined && this.status < 500 && ![408, 425, 429].includes(this.status);
  }

  /**
   * True: batch-bridge has to deliver it. A wrong or expired key, a job that is gone, a wrong URL; or the content is valid,
   * but too large for HTTP.
   */
  get isLeftToBridge(): boolean {
    return this.status !== undefined && (this.status < 400 || [401, 403, 404, 405, 413].includes(this.status));
  }
}
