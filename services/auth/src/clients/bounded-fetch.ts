/** Limits of a request. */
export interface FetchLimits {
  readonly timeoutMs: number;
  readonly bytesMax: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * GET of a JSON document: 200 only, no redirects, within time and size.
 * @throws Error that says what went wrong, without the headers or the body
 */
export async function fetchJson(url: string, { timeoutMs, bytesMax, headers }: FetchLimits): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...headers },
    redirect: 'error', // what we send and what we trust is for this address only
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${new URL(url).host} answered ${response.status}`);
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
