/*
 * Reads pages of results off the main thread: a million bins are tens of megabytes of JSON, and the page must go on
 * answering meanwhile. Numbers come back as arrays that are handed over without a copy; those of comparisons, which are
 * drawn from the pages themselves, do not, but γ.
 */

/** What the worker is asked for. */
export interface PageRequest {
  readonly id: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What it answers; `body` is the problem unless the status is 200. */
export interface PageAnswer {
  readonly id: number;
  readonly status: number;
  readonly body: unknown;
}

interface Body {
  readonly estimators?: { readonly pages: Page[] }[];
}

type Numbers = (number | null)[] | Float64Array;

interface Page {
  readonly data?: { values: Numbers; errors?: Numbers; effective_histories?: Numbers };
  readonly gamma_map?: { values: (number | null)[] | Float64Array };
  difference?: unknown;
  ratio?: unknown;
  dimensions?: unknown;
}

/** Numbers as they are, null as NaN. */
function pack(values: readonly (number | null)[] | Float64Array): Float64Array {
  return values instanceof Float64Array ? values : Float64Array.from(values, (value) => value ?? Number.NaN);
}

async function read({ id, path, headers }: PageRequest): Promise<{ answer: PageAnswer; buffers: ArrayBufferLike[] }> {
  const response = await fetch(path, { headers });
  const body = (await response.json()) as Body;
  const buffers: ArrayBufferLike[] = [];
  for (const page of body.estimators?.flatMap(({ pages }) => pages) ?? []) {
    const { data, gamma_map: gamma } = page;
    if (data === undefined) {
      if (gamma !== undefined) {
        gamma.values = pack(gamma.values);
        buffers.push(gamma.values.buffer);
      }
      for (const numbers of ['difference', 'ratio', 'dimensions'] as const) delete page[numbers];
      continue;
    }
    for (const name of ['values', 'errors', 'effective_histories'] as const) {
      const numbers = data[name];
      if (numbers === undefined) continue;
      const packed = pack(numbers);
      data[name] = packed;
      buffers.push(packed.buffer);
    }
  }
  return { answer: { id, status: response.status, body }, buffers };
}

self.addEventListener('message', (event: MessageEvent<PageRequest>) => {
  read(event.data).then(
    ({ answer, buffers }) => self.postMessage(answer, { transfer: buffers as ArrayBuffer[] }),
    (err: unknown) =>
      self.postMessage({ id: event.data.id, status: 0, body: { message: String(err) } }, { transfer: [] }),
  );
});
