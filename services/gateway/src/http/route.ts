import type { CallOptions, Readiness } from '@tally/service-kit';
import type { z } from 'zod';
import type { JobEvents } from '../clients/job-events.js';
import type { ServiceClients } from '../clients/services.js';
import type { Accessed, RouteAccess } from './access.js';
import type { Answer } from './answer/answer.js';
import type { EventStreams } from './answer/event-streams.js';
import type { TakenNumbers } from './request/number-runs.js';
import type { KnownWorker } from './request/worker-key.js';
import type { Session } from './session/access-token.js';
import type { Auth } from './session/auth-hook.js';
import type { CookieWriter } from './session/cookies.js';
import type { EndedSessions } from './session/ended-sessions.js';
import type { ShareLinks } from './session/share-links.js';
import type { UserGroups } from './session/user-groups.js';
import type { TemplateLibrary } from './templates/template-library.js';
import type { UploadReader } from './upload/upload-reader.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Which limits hold: `submission` has a large body, `project` a larger one than others, `stream` a long answer, `events` one without an end. */
export type RequestClass = 'plain' | 'submission' | 'project' | 'stream' | 'events';

/** What handlers work with. */
export interface RouteServices extends ServiceClients {
  readonly ended: EndedSessions;
  readonly userGroups: UserGroups;
  readonly shareLinks: ShareLinks;
  readonly eventStreams: EventStreams;
  readonly jobEvents: JobEvents;
  /** False once the session has ended, its token has expired, or it cannot be checked any more. */
  isSessionAlive(session: Session): boolean;
  readonly cookies: CookieWriter;
  readonly uploads: UploadReader;
  readonly limits: PublishedLimits;
  readonly templates: TemplateLibrary;
  readonly version: string;
  readonly openApi: OpenApiFile;
  readonly readiness: Pick<Readiness, 'check'>;
}

/** The OpenAPI document as it is sent. */
export interface OpenApiFile {
  readonly text: string;
  /** Strong validator, unquoted. */
  readonly tag: string;
}

/** Limits of the gateway as GET /limits shows them; units at the end of the names. */
export interface PublishedLimits {
  readonly body_bytes_max: number;
  readonly submission_bytes_max: number;
  readonly project_bytes_max: number;
  readonly results_bytes_max: number;
  readonly result_numbers_max: number;
  readonly result_pages_max: number;
  readonly json_keys_max: number;
  readonly json_values_max: number;
  readonly json_depth_max: number;
  readonly header_bytes_max: number;
  readonly headers_timeout_ms: number;
  readonly receive_timeout_ms: number;
  readonly receive_rate_bytes_min: number;
  readonly call_timeout_ms: number;
  readonly submit_timeout_ms: number;
  readonly stream_timeout_ms: number;
  readonly event_streams_per_user_max: number;
  readonly event_heartbeat_ms: number;
}

/** A request whose shape and session have been checked. */
export interface RouteRequest<A extends Auth = Auth, Q = unknown, B = unknown, H = unknown> {
  readonly session: A extends 'session' | 'sso' | 'operator' | 'teacher'
    ? Session
    : A extends 'either'
      ? Session | undefined
      : undefined;
  readonly query: Q;
  readonly body: B;
  /** Headers that the route reads, by the names of its schema. */
  readonly headers: H;
  /** JSON text of the route's raw members, as they were sent. */
  readonly raw: ReadonlyMap<string, Buffer>;
  /** Long lists of numbers of the body, taken out of `raw`; see `takesNumbers`. */
  readonly numbers: TakenNumbers;
  /** Who sent a body that is so large that its key was checked before it was read. */
  readonly worker: KnownWorker | undefined;
  readonly cookies: string | undefined;
  /** Token of a share link that the client shows. */
  readonly shareLink: string | undefined;
  /** The things of others that the request names, in the order of the route's `access`; none: it is about own things. Else it is handled in the name of the owner of the first. */
  readonly accessed: readonly Accessed[];
  readonly remoteAddress: string;
  /** Value of a header; several joined by comma. */
  header(name: string): string | undefined;
  /** Options of the calls to services: the class's time limit, if any; a GET's calls end when the client goes away. */
  readonly call: CallOptions;
}

/** What a status of a route means, and the shape of its body. */
export interface RouteResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Media type of the body; JSON unless given. */
  readonly contentType?: string;
  /** Media types in which the same is given when asked for, and what each is. */
  readonly alternatives?: Readonly<Record<string, string>>;
  /** Headers that only this answer has: name and what it says. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One operation as data: the server validates by it, and the OpenAPI document is made from it. Errors that any route
 * of its kind can answer with (`common-errors.ts`) need not be listed; those of the services behind it must be.
 */
export interface Route<
  A extends Auth = Auth,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  H extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  readonly path: string;
  readonly auth: A;
  readonly summary: string;
  /** More than the summary says, for the document: CommonMark. */
  readonly description?: string;
  readonly query?: Q;
  readonly body?: B;
  /** Request headers that the route reads, by their usual spelling; a missing one is undefined. */
  readonly headers?: H;
  /** True: the gateway answers whether or not other services do. */
  readonly isLocal?: boolean;
  /** True: every answer takes the session cookies away from who sent one, an error, too. */
  readonly clearsCookies?: boolean;
  /** Members of the body that are passed on as they were written: only that they are objects is checked here. */
  readonly rawMembers?: readonly string[];
  /** The same for members that are texts. */
  readonly rawTexts?: readonly string[];
  /** True: the body may have very long lists of numbers, which are taken out of it as it arrives. */
  readonly takesNumbers?: boolean;
  readonly requestClass?: RequestClass;
  /**
   * What it does with jobs or projects; absent: what belongs to another user stays shut. A route with `read` and no stream of events is also
   * for who shows a share link without an account, where the deployment allows it.
   */
  readonly access?: RouteAccess;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  handle(request: RouteRequest<A, z.output<Q>, z.output<B>, z.output<H>>, services: RouteServices): Promise<Answer>;
}

/** Checks a route's handler against its schemas, and returns it as it is. */
export function defineRoute<A extends Auth, Q extends z.ZodType, B extends z.ZodType, H extends z.ZodType>(
  route: Route<A, Q, B, H>,
): Route<A, Q, B, H> {
  return route;
}
