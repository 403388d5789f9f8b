import { ServiceError } from '@tally/service-kit';
import type { z } from 'zod';
import type { Answer } from '../../answer/answer.js';
import {
  defineRoute,
  type Method,
  type RequestClass,
  type Route,
  type RouteRequest,
  type RouteResponse,
  type RouteServices,
} from '../../route.js';

/** Whom a route is for: operators, or teachers, too. */
type RoleAuth = 'operator' | 'teacher';

/** What an operator, or also a teacher, may do, as data. */
export interface OperatorRoute<Q extends z.ZodType, B extends z.ZodType> {
  readonly method: Method;
  readonly path: string;
  /** `operator` unless given. */
  readonly auth?: RoleAuth;
  /** Stable word in the trail, such as jobs.cancel. */
  readonly action: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Q;
  readonly requestClass?: RequestClass;
  /** What changes something has one, with a `reason`. */
  readonly body?: B;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** What it is done to, for the trail; at most 500 characters. */
  targetOf(request: Pick<RouteRequest<RoleAuth, z.output<Q>, z.output<B>>, 'query' | 'body'>): string;
  handle(request: RouteRequest<RoleAuth, z.output<Q>, z.output<B>>, services: RouteServices): Promise<Answer>;
}

/** The only way to a route for operators and teachers: what it does is in the trail before it is done, and how it failed is added. */
export function defineOperatorRoute<Q extends z.ZodType, B extends z.ZodType>(
  route: OperatorRoute<Q, B>,
): Route<RoleAuth, Q, B, z.ZodType> {
  const { action, responses, auth = 'operator', ...rest } = route;
  const forbidden = auth === 'operator' ? 'The user is no operator' : 'The user is neither teacher nor operator';
  return defineRoute<RoleAuth, Q, B, z.ZodType>({
    ...rest,
    auth,
    responses: { ...responses, 403: responses[403] ?? { description: `${forbidden}, or none any more` } },
    handle: async (request, services) => {
      const { authOperator } = services;
      const wanted = {
        action,
        target: route.targetOf(request).slice(0, TARGET_LENGTH_MAX),
        reason: readReason(request.body),
        isChange: route.method !== 'GET',
      };
      const { actionId } = await authOperator.createOperatorAction(wanted, request.call);
      try {
        return await route.handle(request, services);
      } catch (err) {
        // the trail has the action; that it failed is known from the answer and the log, too
        const failure = err instanceof ServiceError ? err.reason : 'INTERNAL';
        await authOperator.reportOperatorAction({ actionId, failure }, request.call).catch(() => undefined);
        throw err;
      }
    },
  });
}

const TARGET_LENGTH_MAX = 500;

const readReason = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'reason' in body && typeof body.reason === 'string' ? body.reason : '';

/** Parameters of a query that were given, for the trail. */
export const describeQuery = (query: object): string =>
  Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}=${value instanceof Date ? value.toISOString() : String(value)}`)
    .join(' ');
