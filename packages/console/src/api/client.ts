import {
  HttpError,
  type HttpRequest,
  type Input,
  type InputArguments,
  type Method,
  type Output,
  type PathOf,
  TallyClient,
} from '@tally/client';
import { TEXTS } from '../texts.js';
import { shareLinkHeaders } from './share-link.js';

/** What went wrong, in the service's words. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly requestId: string | undefined;
  readonly fields: readonly { readonly field: string; readonly message: string }[];
}

/** Shows the share link that this tab was opened by, if any, with every request. */
class ConsoleClient extends TallyClient {
  override send<Body = Record<string, unknown>>(method: string, path: string, request: HttpRequest = {}) {
    return super.send<Body>(method, path, { ...request, headers: { ...shareLinkHeaders(), ...request.headers } });
  }
}

const client = new ConsoleClient(location.origin);
let refreshing: Promise<boolean> | undefined;
let onExpired: () => void = () => {};

/** Calls back when a request finds that the session is over and cannot be renewed. */
export function whenExpired(listener: () => void): void {
  onExpired = listener;
}

/** Renews the access token; several callers share one request. @returns whether the session lives */
export function renewSession(): Promise<boolean> {
  refreshing ??= client
    .send('GET', '/auth/refresh')
    .then(({ status }) => status === 200)
    .finally(() => {
      refreshing = undefined;
    });
  return refreshing;
}

/** Sends what the OpenAPI document describes; an access token that has expired is renewed on the way. @throws HttpError */
export async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...input: InputArguments<M, P>
): Promise<Output<M, P>> {
  try {
    return await client.request(method, path, ...input);
  } catch (err) {
    const isLogin = /^\/auth\/(?:login|sso|email|password)/.test(path);
    if (!(err instanceof HttpError) || err.answer.status !== 401 || isLogin) throw err;
    if (await renewSession()) return client.request(method, path, ...input);
    if (path !== '/auth/status') onExpired();
    throw err;
  }
}

export type { Input, Output };

/** Any error as a problem to show. */
export function toProblem(err: unknown): Problem {
  if (err instanceof HttpError) {
    const { message, request_id: requestId, errors } = err.answer.body;
    return {
      status: err.answer.status,
      message: typeof message === 'string' ? message : err.message,
      requestId: typeof requestId === 'string' ? requestId : undefined,
      fields: Array.isArray(errors) ? (errors as Problem['fields']) : [],
    };
  }
  const isNetwork = err instanceof TypeError && /fetch|network/i.test(err.message);
  const text = err instanceof Error ? err.message : String(err);
  return {
    status: 0,
    message: isNetwork ? TEXTS.problem.away : text,
    requestId: undefined,
    fields: [],
  };
}

/** Whether asking again may help: the service was away or busy. */
export function isTransient(err: unknown): boolean {
  const { status } = toProblem(err);
  return status === 0 || status === 429 || status >= 500;
}
