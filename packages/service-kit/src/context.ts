import { AsyncLocalStorage } from 'node:async_hooks';

/** What travels with a request through every service it touches. */
export interface RequestContext {
  readonly requestId: string;
  /** The acting user, as the gateway verified it. */
  readonly userId?: bigint;
  /** Deadline: after it the caller no longer waits for the answer. */
  readonly deadline?: Date;
  /** Aborts when the caller went away. */
  readonly signal?: AbortSignal;
  /** Name of the calling service; absent in the gateway, whose callers are outside. */
  readonly caller?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Context of the request being worked on, if any. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Runs `work` with this context; everything it awaits sees it. */
export function withContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}
