import { withContext } from '../context.js';
import { newId } from '../ids.js';
import { startSpan, traced } from './tracing.js';

/** The request that made work, as it travels with it. */
export interface Origin {
  readonly requestId?: string | undefined;
  /** Trace and span of it; absent: nobody traces it. */
  readonly traceparent?: string | undefined;
}

/** Does work as part of the request that made it: its log lines, its calls of other services and its span say so. */
export async function workFor<T>(
  { requestId = newId(), traceparent: above }: Origin,
  name: string,
  facts: Readonly<Record<string, string | number>>,
  work: () => Promise<T>,
): Promise<T> {
  const span = startSpan(name, 'consumer', above, facts);
  const traceparent = span?.traceparent ?? above;
  const context = { requestId, ...(traceparent === undefined ? {} : { traceparent }) };
  return withContext(context, () => traced(span, work()));
}
