import type { Route } from '../route.js';
import type { Examples } from './examples.js';

/**
 * Checks the example requests of all routes. zod writes and compiles a checker for each schema when it is first used: without this the
 * user who asks first after a start waits for it.
 */
export function warmUpSchemas(routes: readonly Route[], examples: Examples): void {
  for (const { method, path, query, body, headers } of routes) {
    for (const example of examples[`${method} ${path}`] ?? []) {
      query?.safeParse(example.query ?? {});
      headers?.safeParse(example.headers ?? {});
      body?.safeParse(example.body ?? {});
    }
  }
}
