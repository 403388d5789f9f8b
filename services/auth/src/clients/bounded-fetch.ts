import { fetchByProxy, limitTime } from '@tally/service-kit';

/** Limits of a request. */
export interface FetchLimits {
  readonly timeoutMs: number;
  readonly bytesMax: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST, as a form. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Another status than 200. */
export class UnexpectedStatus extends Error {
  override readonly name = 'UnexpectedStatus';
  constructor(
    host: string,
    readonly status: number,
  ) {
    super(`${host} answered ${status}`);
  }
}

/**
 * GET, or POST of a form, that gives a JSON document: 200 only, no redirects, within time and size; through the proxy of the
 * environment, if there is one.
 * @throws Error that says what went wrong, without the headers or the body
 */
export async function fetchJson(url: string, limits: FetchLimits): Promise<unknown> {
  const { signal, end } = limitTime(limits.timeoutMs);
  try {
    return await fetchWhile(url, limits, signal);
  } finally {
    end();
  }
}

async function fetchWhile(
  url: string,
  { bytesMax, headers, form }: FetchLimits,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetchByProxy(url, {
    headers: { accept: 'application/json', ...headers },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    redirect: 'error', // what we send and what we trust is for this address only
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new UnexpectedStatus(new URL(url).host, response.status);
  }
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  const body: AsyncIterable<Uint8Array> | readonly Uint8Array[] = response.body ?? [];
  for await (const part of body) {
    sizeBytes += part.byteLength;
    if (sizeBytes > bytesMax) throw new Error(`the answer of ${new URL(url).host} is larger than ${bytesMax} bytes`);
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`the answer of ${new URL(url).host} is not JSON`); // the parser's message would quote it
  }
}
