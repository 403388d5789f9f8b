import type { HttpAnswer } from './http-answer.js';
import { HttpError } from './http-error.js';
import type { InputArguments, Method, Output, PathOf } from './operation-types.js';

export interface HttpRequest {
  /** Sent as JSON unless it is a string. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request and its answer, as an observer sees them. */
export interface HttpExchange {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly request: HttpRequest;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Parsed; undefined when there is none. */
  readonly body: unknown;
}

/**
 * A client of the gateway, typed by its OpenAPI document. It keeps cookies as a browser would, also `Secure` ones over
 * plain http.
 */
export class TallyClient {
  readonly cookies = new Map<string, string>();
  /** An API token, which is sent instead of cookies. */
  token: string | undefined;

  /** @param observe - sees every exchange before the caller; what it throws, the caller gets */
  constructor(
    readonly baseUrl: string,
    private readonly observe: (exchange: HttpExchange) => void = () => {},
  ) {}

  /** Sends a request and gives the answer, whatever its status; of one that is not JSON, an empty body. */
  async send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    request: HttpRequest = {},
  ): Promise<HttpAnswer<Body>> {
    const headers = new Headers(request.headers);
    const { body: content } = request;
    if (content !== undefined && typeof content !== 'string' && !headers.has('content-type')) {
      headers.set('content-type', 'application/json');
    }
    const response = await this.#fetch(method, path, headers, content);
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? 'application/json');
    const body = text === '' || !isJson ? undefined : (JSON.parse(text) as Body);
    const url = new URL(path, this.baseUrl);
    this.observe({
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      request,
      status: response.status,
      contentType: response.headers.get('content-type') ?? undefined,
      body,
    });
    return { status: response.status, headers: response.headers, body: body ?? ({} as Body) };
  }

  /** Sends what the document describes, and gives the body of the success. @throws HttpError for any other answer */
  async request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[input]: InputArguments<M, P>
  ): Promise<Output<M, P>> {
    const { query, headers, body } = (input ?? {}) as LooseInput;
    const answer = await this.send(method, `${path}${toSearch(query)}`, { body, headers: toTexts(headers) });
    if (answer.status >= 300) throw new HttpError(`${method} ${path}`, answer);
    return answer.body as Output<M, P>;
  }

  /**
   * Gets a file as it comes, for example of `/results?job_id=…&format=npz`; `Page-Description` and the like are in its headers.
   * @throws HttpError for any other answer than 200
   */
  async download(path: string): Promise<{ readonly headers: Headers; readonly body: ReadableStream<Uint8Array> }> {
    const { status, headers, body } = await this.#fetch('GET', path, new Headers());
    if (status === 200 && body !== null) return { headers, body };
    const text = body === null ? '' : await new Response(body).text();
    throw new HttpError(`GET ${path}`, {
      status,
      headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    });
  }

  /** The cookies as a request carries them (RFC 6265, 4.2); empty without any. */
  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Sends the cookies along, and keeps those that the answer sets. */
  async #fetch(method: string, path: string, headers: Headers, content?: unknown): Promise<Response> {
    if (this.cookies.size > 0 && !headers.has('cookie')) headers.set('cookie', this.cookieHeader);
    if (this.token !== undefined) headers.set('authorization', `Bearer ${this.token}`);
    const body = typeof content === 'string' ? content : JSON.stringify(content);
    const response = await fetch(this.baseUrl + path, { method, headers, ...(content === undefined ? {} : { body }) });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  }

  #keep(cookie: string): void {
    const [, name, value, attributes] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie) ?? [];
    if (name === undefined || value === undefined) return;
    if (value === '' || /;\s*max-age=0/i.test(attributes ?? '')) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

interface LooseInput {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

function toTexts(values: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function toSearch(query: Readonly<Record<string, unknown>> | undefined): string {
  const search = new URLSearchParams(toTexts(query)).toString();
  return search === '' ? '' : `?${search}`;
}
