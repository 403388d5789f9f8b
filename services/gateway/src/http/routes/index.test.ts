import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ROUTES } from './index.js';

/** The endpoints of the interface document and what the decisions add; workers show their key in the body. */
const PROMISED = [
  'GET / none',
  'PUT /auth/register none',
  'POST /auth/login none',
  'GET /auth/refresh refresh',
  'GET /auth/status session',
  'DELETE /auth/logout either',
  'POST /auth/password-reset none',
  'POST /auth/password-reset/confirm none',
  'POST /auth/email/confirm none',
  'GET /auth/sso none',
  'POST /auth/sso none',
  'POST /auth/sso/code none',
  'DELETE /auth/sso either',
  'GET /auth/sessions session',
  'DELETE /auth/sessions session',
  'POST /auth/tokens session',
  'GET /auth/tokens session',
  'DELETE /auth/tokens session',
  'POST /groups session',
  'GET /groups session',
  'PUT /groups session',
  'DELETE /groups session',
  'POST /groups/members session',
  'GET /groups/members session',
  'PUT /groups/members session',
  'DELETE /groups/members session',
  'POST /shares session',
  'GET /shares session',
  'DELETE /shares session',
  'PUT /shares/group session',
  'GET /shares/access session',
  'GET /shares/link session',
  'POST /estimate session',
  'POST /jobs/direct session',
  'GET /jobs/direct session',
  'DELETE /jobs/direct session',
  'POST /jobs/direct/stop session',
  'POST /jobs/direct/extend session',
  'POST /jobs/batch sso',
  'GET /jobs/batch sso',
  'DELETE /jobs/batch sso',
  'POST /jobs/batch/stop sso',
  'POST /jobs/batch/extend sso',
  'GET /jobs session',
  'GET /jobs/crate session',
  'POST /jobs update_key',
  'POST /tasks update_key',
  'POST /results update_key',
  'POST /logfiles update_key',
  'GET /jobs/events session',
  'GET /results session',
  'GET /results/compare session',
  'GET /estimators session',
  'GET /inputs session',
  'GET /logfiles session',
  'GET /user/simulations session',
  'DELETE /user/simulations session',
  'PUT /jobs/labels session',
  'PUT /user/searches session',
  'GET /user/searches session',
  'DELETE /user/searches session',
  'GET /usage session',
  'POST /projects session',
  'GET /projects session',
  'GET /projects/project session',
  'PUT /projects session',
  'GET /projects/revisions session',
  'DELETE /projects session',
  'POST /user/update session',
  'GET /user/removals session',
  'GET /user/email session',
  'PUT /user/email session',
  'GET /user/subscriptions session',
  'PUT /user/subscriptions session',
  'POST /user/webhooks session',
  'GET /user/webhooks session',
  'POST /user/webhooks/test session',
  'DELETE /user/webhooks session',
  'GET /clusters sso',
  'GET /livez none',
  'GET /readyz none',
  'GET /limits none',
  'GET /simulators none',
  'GET /templates none',
  'GET /templates/template none',
  'GET /openapi.json none',
  'GET /schemas/project.json none',
  'GET /admin/jobs operator',
  'POST /admin/jobs/cancel operator',
  'POST /admin/jobs/fail operator',
  'POST /admin/jobs/retry operator',
  'POST /admin/jobs/merge operator',
  'GET /admin/load operator',
  'GET /admin/runners operator',
  'POST /admin/runners/drain operator',
  'GET /admin/pauses operator',
  'PUT /admin/pauses operator',
  'GET /admin/quotas operator',
  'PUT /admin/quotas operator',
  'GET /admin/usage operator',
  'GET /admin/retention operator',
  'PUT /admin/retention operator',
  'GET /admin/users operator',
  'POST /admin/users/block operator',
  'POST /admin/users/end-sessions operator',
  'POST /admin/users/reset operator',
  'POST /admin/users/delete operator',
  'GET /admin/classes teacher',
  'POST /admin/classes teacher',
  'PUT /admin/classes/quota teacher',
  'POST /admin/classes/invitations teacher',
  'POST /admin/classes/end teacher',
  'GET /admin/classes/export teacher',
  'GET /admin/audit operator',
];

describe('the routes', () => {
  it('are those of the interface document, each with the authentication that it says', () => {
    const present = ROUTES.map(({ method, path, auth }) => `${method} ${path} ${auth}`);
    expect([...present].sort()).toEqual([...PROMISED].sort());
  });

  it('name what they do with each job and project that they take: one that forgets it opens nothing to others', () => {
    const members = (schema: z.ZodType | undefined) =>
      Object.keys((schema && z.toJSONSchema(schema, { io: 'input' }).properties) ?? {});
    for (const { method, path, auth, query, body, access } of ROUTES) {
      if (auth !== 'session' && auth !== 'sso') continue;
      const taken = [...members(query), ...members(body)].filter((name) => /^(job|project)_id$/.test(name));
      const named = (access?.of ?? []).map(({ field }) => field).filter((name) => name !== 'with');
      expect({ route: `${method} ${path}`, named: named.sort() }).toEqual({
        route: `${method} ${path}`,
        named: taken.sort(),
      });
      if (method === 'GET' && access !== undefined && path !== '/shares') expect(access.action).toBe('read');
      if (method !== 'GET' && access !== undefined) expect(access.action).not.toBe('read');
    }
  });

  it('describe every success with a schema, and take bodies with POST and PUT only', () => {
    for (const { method, path, responses, body } of ROUTES) {
      const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      expect({ path, described: success.map(([, { schema }]) => schema !== undefined) }).toEqual({
        path,
        described: [true],
      });
      // what is said of a job is in the query, whatever is done to it
      const takesBody = (method === 'POST' || method === 'PUT') && !path.endsWith('/stop');
      expect({ path, hasBody: body !== undefined }).toEqual({ path, hasBody: takesBody });
    }
  });

  it('have schemas that can be written as JSON Schema, for the OpenAPI document', () => {
    for (const { query, body, responses } of ROUTES) {
      for (const schema of [query, body]) {
        if (schema !== undefined) expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'object' });
      }
      for (const { schema } of Object.values(responses)) {
        if (schema !== undefined) expect(z.toJSONSchema(schema)).toHaveProperty('$schema');
      }
    }
  });
});
