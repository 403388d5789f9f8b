/** An answer of the gateway, parsed. */
export interface HttpAnswer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}
