import { THUMBNAIL_LENGTH_MAX } from '@tally/contracts';
import { addToContext, type CallOptions, hasReason } from '@tally/service-kit';
import type { Request, Response } from 'express';
import { fail } from '../../errors.js';
import type { Accessed } from '../access.js';
import type { Answer } from '../answer/answer.js';
import { respond } from '../answer/respond.js';
import { sendEvents } from '../answer/send-events.js';
import { checkBodyHeaders, hasBody, type JsonBody, parseBody, receiveBody } from '../request/body.js';
import type { BodyShare } from '../request/body-budget.js';
import { freeMemory } from '../request/free-memory.js';
import { joinPieces } from '../request/join-pieces.js';
import { JsonScanner } from '../request/json-scanner.js';
import { TakenNumbers } from '../request/number-runs.js';
import { pickHeaders, validate } from '../request/validate.js';
import { createKeyedBody, type KnownWorker, keyOfHeaders, type ShownKey } from '../request/worker-key.js';
import type { PublishedLimits, RequestClass, Route, RouteRequest, RouteServices } from '../route.js';
import type { Session } from '../session/access-token.js';
import { takesSession } from '../session/auth-hook.js';
import { GUEST } from '../session/guest.js';
import { tokenScopeOf } from '../session/token-scopes.js';
import type { AppOptions } from './app-options.js';
import { handleAccess } from './handle-access.js';
import { factsOf, idsOf, type RequestFacts } from './request-log.js';

/** Notes that an answer has broken off while the client still listens. */
function noteCut(req: Request, res: Response, gone: () => AbortSignal): void {
  factsOf(req).isCut = res.headersSent && !gone().aborted;
}

/** Notes a source that breaks off in the middle of an answer. */
async function* watched<T>(
  text: AsyncIterable<T>,
  req: Request,
  res: Response,
  gone: () => AbortSignal,
): AsyncGenerator<T> {
  try {
    yield* text;
  } catch (err) {
    noteCut(req, res, gone);
    throw err;
  }
}

/** Whose request it is: by an API token, where the route is one of sessions and the request has one, else by its cookies. */
function authenticate({ authHook }: AppOptions, route: Route, req: Request): Promise<Session | undefined> {
  const { authorization, cookie } = req.headers;
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined || !takesSession(route.auth)) return authHook.authenticate(route.auth, cookie);
  return authHook.authenticateToken(route.auth, token, tokenScopeOf(route));
}

/** The session of a request, or a guest's: who shows a share link without one, where that is allowed. */
async function authenticateOrGuest(
  options: AppOptions,
  route: Route,
  req: Request,
  shareLink: string | undefined,
): Promise<Session | undefined> {
  const isForGuests = route.access?.action === 'read' && route.requestClass !== 'events' && route.auth === 'session';
  const mayBeGuest = isForGuests && shareLink !== undefined && options.services.shareLinks.isGuestAllowed;
  try {
    return await authenticate(options, route, req);
  } catch (err) {
    if (mayBeGuest && (hasReason(err, 'TOKEN_MISSING') || hasReason(err, 'TOKEN_INVALID'))) return GUEST;
    throw err;
  }
}

/*
 * Classes, because each object with a getter of its own would have a shape of its own in V8.
 */

/** Options of the calls for a request. */
class RequestCall implements CallOptions {
  constructor(
    readonly timeoutMs: number | undefined,
    private readonly gone: (() => AbortSignal) | undefined,
  ) {}

  get signal(): AbortSignal | undefined {
    return this.gone?.();
  }
}

const NO_MEMBERS: ReadonlyMap<string, Buffer> = new Map();
const NO_NUMBERS = new TakenNumbers();

type Checked = Pick<RouteRequest<'either'>, 'session' | 'query' | 'body' | 'headers' | 'call' | 'shareLink'>;

/** Header with the token of a share link: no query, which logs and histories keep. */
const SHARE_LINK_HEADER = 'x-share-link';

/** A request as its handler sees it; what few handlers ask for is found when they do. */
class HandledRequest implements RouteRequest<'either'> {
  readonly session: Session | undefined;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: unknown;
  readonly call: CallOptions;
  readonly shareLink: string | undefined;

  constructor(
    private readonly req: Request,
    private readonly received: ReceivedBody | undefined,
    { session, query, body, headers, call, shareLink }: Checked,
    readonly accessed: readonly Accessed[] = [],
  ) {
    this.session = session;
    this.query = query;
    this.body = body;
    this.headers = headers;
    this.call = call;
    this.shareLink = shareLink;
  }

  withAccessed(accessed: readonly Accessed[]): HandledRequest {
    return new HandledRequest(this.req, this.received, this, accessed);
  }

  get raw() {
    return this.received?.raw ?? NO_MEMBERS;
  }

  get numbers() {
    return this.received?.numbers ?? NO_NUMBERS;
  }

  get worker() {
    return this.received?.worker;
  }

  get cookies() {
    return this.req.headers.cookie;
  }

  get remoteAddress() {
    return addressOf(this.req);
  }

  header(name: string) {
    return this.req.get(name);
  }
}

/**
 * Checks a request, has its route answer and sends the answer, streams included; adds what it finds to the request's context. One
 * function and not a chain of middleware: what a step finds has a type here, and in a chain would be a member of the request.
 */
export async function handleRequest(
  options: AppOptions,
  route: Route,
  req: Request,
  res: Response,
  gone: () => AbortSignal,
): Promise<void> {
  const known = factsOf(req);
  const shareLink = route.access === undefined ? undefined : req.get(SHARE_LINK_HEADER);
  if (shareLink !== undefined) options.services.shareLinks.check(addressOf(req));
  const session = route.auth === 'none' ? undefined : await authenticateOrGuest(options, route, req, shareLink);
  if (session !== undefined && session !== GUEST) known.userId = session.userId;
  const found =
    session === undefined || session === GUEST ? undefined : options.services.userGroups.find(session.userId);
  const userGroups = found && (await found);
  const query = route.query === undefined ? undefined : validate(route.query, req.query);
  noteIds(known, query);
  const headers =
    route.headers === undefined ? undefined : validate(route.headers, pickHeaders(route.headers, req.headers));
  const json = route.body === undefined ? undefined : await receive(options, route, req, res, session !== undefined);
  const body = route.body === undefined ? undefined : validate(route.body, json?.value);
  noteIds(known, body);
  const timeoutMs = timeLimitMs(options, route.requestClass);
  addToContext({
    logFields: idsOf(known),
    ...(timeoutMs === undefined ? {} : { deadline: new Date(Date.now() + timeoutMs) }),
    ...(session === undefined || session === GUEST ? {} : { userId: session.userId }),
    ...(userGroups === undefined ? {} : { userGroups }),
    ...(session?.role === undefined ? {} : { actingRole: session.role }),
  });
  const call = new RequestCall(timeoutMs, route.method === 'GET' ? gone : undefined);
  const request = new HandledRequest(req, json, { session, query, body, headers, call, shareLink });
  const answer =
    route.access === undefined
      ? await route.handle(request, options.services)
      : await handleAccess(route, request, options.services);
  return send(options, req, res, answer, gone);
}

/** Sends an answer, and notes where it breaks off; undefined: it has been sent whole. */
function send(
  { services }: AppOptions,
  req: Request,
  res: Response,
  answer: Answer,
  gone: () => AbortSignal,
): Promise<void> | undefined {
  const known = factsOf(req);
  if (answer.kind === 'json') noteIds(known, answer.body);
  if (answer.kind === 'json' || answer.kind === 'text') return respond(req, res, answer);
  known.isStream = true;
  if (answer.kind === 'stream') {
    return respond(req, res, { ...answer, text: watched(answer.text, req, res, gone) });
  }
  return sendEvents(req, res, answer, services.limits.event_heartbeat_ms).catch((err: unknown) => {
    noteCut(req, res, gone);
    throw err;
  });
}

/** Beyond it, or where the length is not said, sending may take a client longer than the answer takes us. */
const LARGE_BODY_BYTES = 256 * 1024;

/** A body that has been read, and who sent it. */
interface ReceivedBody extends JsonBody {
  readonly numbers?: TakenNumbers | undefined;
  readonly worker?: KnownWorker | undefined;
}

async function receive(
  { services, bodies }: AppOptions,
  route: Route,
  req: Request,
  res: Response,
  isRecognized: boolean,
): Promise<ReceivedBody> {
  if (!hasBody(req)) throw fail('REQUEST_INVALID', { message: 'The request needs a body: a JSON object' });
  const { limits } = services;
  const bytesMax = bytesMaxOf(route, limits);
  checkBodyHeaders(req, bytesMax);
  if (!(Number(req.headers['content-length']) <= LARGE_BODY_BYTES)) factsOf(req).isStream = true;
  const share = bodies.open(addressOf(req), isRecognized);
  res.once('close', () => share.release());
  const collector = createCollector(route, limits, share);
  if (route.auth !== 'update_key' || route.requestClass !== 'submission') {
    await receiveBody(req, res, bytesMax, collector.push);
    return await collector.end();
  }
  const checkKey = async (shown: ShownKey) => ({ ...shown, jobId: await findWorkersJob(services, shown) });
  const headBytes = limits.body_bytes_max;
  const shown = Number(req.headers['content-length'] ?? 0) > headBytes ? keyOfHeaders(req) : undefined;
  const early = shown === undefined ? undefined : await checkKey(shown);
  if (early !== undefined) share.recognize();
  const body = createKeyedBody(req, { headBytes, share, checkKey, known: early }, collector.push);
  await receiveBody(req, res, bytesMax, body.take);
  body.end();
  return { ...(await collector.end()), worker: body.worker };
}

/**
 * The job of a key that opens a large body. The route asks jobs a second time, by the content, once the body is there: see POST /results.
 * @throws ServiceError UPDATE_KEY_INVALID
 */
async function findWorkersJob({ jobs, limits }: RouteServices, credential: ShownKey): Promise<string> {
  const target = { credential, taskId: 0, celeryId: '', contentHash: '' };
  return (await jobs.getWorkerTarget(target, { timeoutMs: limits.call_timeout_ms })).jobId;
}

function bytesMaxOf(route: Route, limits: PublishedLimits): number {
  if (route.takesNumbers === true) return limits.results_bytes_max;
  switch (route.requestClass) {
    case 'submission':
      return limits.submission_bytes_max;
    case 'project':
      return limits.project_bytes_max + THUMBNAIL_LENGTH_MAX + limits.body_bytes_max;
    default:
      return limits.body_bytes_max;
  }
}

/** Makes a JSON body of the pieces that come. */
function createCollector(route: Route, limits: PublishedLimits, share: BodyShare) {
  const { rawMembers: members = [], rawTexts: texts = [], takesNumbers = false } = route;
  const { json_keys_max: keysMax, json_values_max: valuesMax, submission_bytes_max: textBytesMax } = limits;
  const hold = (bytes: number) => share.hold(bytes);
  const pieces: Buffer[] = [];
  let textBytes = 0;
  const keep = (bytes: Buffer) => {
    textBytes += bytes.length;
    if (textBytes > textBytesMax) {
      throw fail('BODY_TOO_LARGE', {
        message: `The body is too large: at most ${textBytesMax} bytes beside lists of numbers`,
      });
    }
    hold(bytes.length);
    pieces.push(takesNumbers ? Buffer.from(bytes) : bytes); // a copy: the piece is large, and most of it goes
  };
  const numbers = takesNumbers ? { numbersMax: limits.result_numbers_max, hold } : undefined;
  const scanner = new JsonScanner({ keysMax, valuesMax, keep, numbers });
  const push = (piece: Buffer) => {
    scanner.push(piece);
    if (takesNumbers) freeMemory(piece);
  };
  const end = async (): Promise<ReceivedBody> => {
    const body = parseBody(await joinPieces(pieces), scanner, { members, texts });
    return { ...body, numbers: scanner.numbers };
  };
  return { push, end };
}

/** Of the client; IPv4 also on a socket that takes both. */
const addressOf = (req: Request) => (req.ip ?? '').replace(/^::ffff:/, '');

function timeLimitMs({ services: { limits } }: AppOptions, requestClass: RequestClass = 'plain'): number | undefined {
  switch (requestClass) {
    case 'plain':
    case 'project':
      return limits.call_timeout_ms;
    case 'submission':
      return limits.submit_timeout_ms;
    case 'stream':
      return limits.stream_timeout_ms;
    case 'events':
      return undefined;
  }
}

/** Takes down which job and task a query, body or answer is about. */
function noteIds(known: RequestFacts, fields: unknown): void {
  if (typeof fields !== 'object' || fields === null) return;
  const { job_id: id, simulation_id: reference, task_id: taskId } = fields as Readonly<Record<string, unknown>>;
  const jobId = id ?? reference;
  if (typeof jobId === 'string' && !/^\d+$/.test(jobId)) known.jobId = jobId; // not the internal number
  if (typeof taskId === 'number') known.taskId = taskId;
}
