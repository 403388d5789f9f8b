import { kitError } from '@tally/service-kit';
import { fail } from '../../errors.js';
import { httpStatusOf } from '../answer/problem.js';
import type { Route } from '../route.js';
import { takesSession } from '../session/auth-hook.js';

/** An error that all routes of a kind can answer with. */
export interface CommonError {
  readonly reason: string;
  readonly status: number;
  readonly when: string;
}

type Described = Pick<Route, 'method' | 'auth' | 'query' | 'body' | 'headers' | 'isLocal' | 'access'>;

const hasSession = ({ auth }: Described) => takesSession(auth) || auth === 'either';
const hasBody = ({ body }: Described) => body !== undefined;
const hasInput = ({ query, body, headers }: Described) => (query ?? body ?? headers) !== undefined;
const needsServices = ({ isLocal }: Described) => isLocal !== true;

/** Which routes can answer with a reason of the gateway or of the kit, decided by what the route declares. */
const RULES: readonly (readonly [CommonError, (route: Described) => boolean])[] = [
  [ours('REQUEST_INVALID'), hasInput],
  [ours('BODY_MALFORMED'), hasBody],
  [ours('TOKEN_MISSING'), (route) => hasSession(route) || route.auth === 'refresh'],
  [ours('TOKEN_INVALID'), hasSession],
  [ours('TOKEN_SCOPE_MISSING'), ({ auth }) => takesSession(auth)],
  [ours('SSO_REQUIRED'), ({ auth }) => auth === 'sso'],
  [ofKit('ROLE_REQUIRED'), ({ auth }) => auth === 'operator' || auth === 'teacher'],
  [ours('ORIGIN_NOT_ALLOWED'), ({ method }) => method !== 'GET'],
  [ours('REQUEST_TIMEOUT'), hasBody],
  [ours('BODY_TOO_LARGE'), hasBody],
  [ours('CONTENT_TYPE_UNSUPPORTED'), hasBody],
  [ours('ADDRESS_OVERLOADED'), hasBody],
  [ours('SHARE_LINKS_THROTTLED'), ({ access }) => access !== undefined],
  [ours('HEADERS_TOO_LARGE'), () => true],
  [ofKit('INTERNAL'), needsServices],
  [ours('SESSIONS_UNAVAILABLE'), hasSession],
  [ours('OVERLOADED'), hasBody],
  [ofKit('SERVICE_UNAVAILABLE'), needsServices],
  [ofKit('DEADLINE_TOO_SHORT'), needsServices],
];

function ours(reason: keyof typeof fail.reasons): CommonError {
  const { status, when } = fail.reasons[reason];
  return { reason, status: httpStatusOf(status, reason), when };
}

function ofKit(reason: keyof typeof kitError.reasons): CommonError {
  const { status, when } = kitError.reasons[reason];
  return { reason, status: httpStatusOf(status, reason), when };
}

/** Errors that a route can answer with besides those that it declares. */
export function commonErrors(route: Described): CommonError[] {
  return RULES.filter(([, applies]) => applies(route)).map(([error]) => error);
}

/** Every status that the document promises for a route, ascending. */
export function statusesOf(route: Route): number[] {
  const declared = Object.keys(route.responses).map(Number);
  const common = commonErrors(route).map(({ status }) => status);
  return [...new Set([...declared, ...common])].sort((a, b) => a - b);
}
