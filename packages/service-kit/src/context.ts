import { AsyncLocalStorage } from 'node:async_hooks';

/** What travels with a request through every service it touches. */
export interface RequestContext {
  readonly requestId: string;
  /** The acting user, as the gateway verified it. */
  readonly userId?: bigint;
  /** Groups of the acting user and the role in each, as the gateway knows them; absent: none. */
  readonly userGroups?: ReadonlyMap<string, string>;
  /** His role, as the gateway verified it; absent: none but his own. */
  readonly actingRole?: string;
  /** Who reads what belongs to the acting user, for logs; absent: the acting user. */
  readonly readerId?: bigint | undefined;
  /** Deadline: after it the caller no longer waits for the answer. */
  readonly deadline?: Date;
  /** Aborts when the caller went away. */
  readonly signal?: AbortSignal;
  /** Name of the calling service; absent in the gateway, whose callers are outside. */
  readonly caller?: string;
  /** Trace and span that the work belongs to, as W3C writes it; absent: nobody traces it. */
  readonly traceparent?: string;
  /** Facts that every log line of it carries, beside its own; see {@link addLogFields}. */
  readonly logFields?: Readonly<Record<string, string | number>>;
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

/** Adds to the current context what is found out about its request on the way; nothing outside of one. */
export function addToContext(found: Partial<RequestContext>): void {
  const context = storage.getStore();
  if (context !== undefined) Object.assign(context, found);
}

/** Adds facts to all further log lines of the current context, its last line among them; nothing outside of one. */
export function addLogFields(fields: Readonly<Record<string, string | number>>): void {
  addToContext({ logFields: { ...storage.getStore()?.logFields, ...fields } });
}
