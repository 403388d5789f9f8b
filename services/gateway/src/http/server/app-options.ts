import type { Logger, Metrics } from '@tally/service-kit';
import type { RequestHandler } from 'express';
import type { BodyBudget } from '../request/body-budget.js';
import type { Route, RouteServices } from '../route.js';
import type { AuthHook } from '../session/auth-hook.js';

/** What the application is made of. */
export interface AppOptions {
  readonly routes: readonly Route[];
  readonly services: RouteServices;
  readonly authHook: AuthHook;
  readonly bodies: BodyBudget;
  /** Receives GETs of paths that are not of the API. */
  readonly frontend?: RequestHandler;
  readonly trustedProxies: readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}
