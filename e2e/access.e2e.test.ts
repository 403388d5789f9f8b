import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpSession } from '@tally/testkit';
import { exampleProject, startTestSuite, type TestSuite } from './fixtures/suite-fixture.js';

/*
 * The matrix of access: every route that names what it does with a job or project, by everybody who may be something to it, with everything
 * that it may be given. What is expected is written down here once more, apart from the rule of jobs.
 */

const CASE_COUNT = 2_400;
const AT_ONCE = 8;
/** Where the sample of cases begins; the same in each run unless the run says otherwise. */
const SEED = Number.parseInt(process.env.TALLY_RANDOM_SEED ?? '55', 10) || 55;

const ACTORS = [
  'owner',
  'viewer',
  'member',
  'manager',
  'former',
  'given',
  'taken',
  'ingroup',
  'stranger',
  'guest',
] as const;
type Actor = (typeof ACTORS)[number];
type Action = 'read' | 'change' | 'delete' | 'share';
const LINKS = ['none', 'valid', 'revoked', 'of another'] as const;
type Link = (typeof LINKS)[number];

/** What an owner has done with a job or project. Shares with `taken` are made and taken back, and so is a link, in all of them. */
interface Facts {
  readonly isOfGroup: boolean;
  readonly isSharedWithUser: boolean;
  readonly isSharedWithGroup: boolean;
  readonly hasLink: boolean;
}
interface Thing {
  readonly id: string;
  readonly links: Readonly<Record<Exclude<Link, 'none'>, string>>;
}
interface Scenario {
  readonly facts: Facts;
  /** Waits for a runner that never comes. */
  readonly pending: Thing;
  readonly canceled: Thing;
  readonly project: Thing;
}

interface Asked {
  readonly of: 'pending' | 'canceled' | 'project';
  readonly query?: (id: string) => string;
  readonly body?: (id: string, facts: Facts) => object;
}
const job = { of: 'pending', query: (id: string) => `job_id=${id}` } as const;
const ended = { of: 'canceled', query: (id: string) => `job_id=${id}` } as const;
const project = { of: 'project', query: (id: string) => `project_id=${id}` } as const;

let suite: TestSuite;
let groupId = '';
let unshared = '';
const users = new Map<Actor, HttpSession>();
const names = new Map<Actor, string>();

/** A request for each operation that changes nothing if it is allowed. The operations of single sign-on are these on clusters. */
const REQUESTS: Readonly<Record<string, Asked>> = {
  'GET /jobs': job,
  'GET /jobs/direct': job,
  'GET /jobs/crate': job,
  'GET /jobs/events': job,
  'GET /results': job,
  'GET /results/compare': { of: 'pending', query: (id) => `job_id=${id}&with=${id}` },
  'GET /estimators': job,
  'GET /inputs': job,
  'GET /logfiles': job,
  'GET /user/removals': job,
  'DELETE /jobs/direct': ended,
  'POST /jobs/direct/stop': ended,
  'POST /jobs/direct/extend': { of: 'canceled', body: (id) => ({ job_id: id, primaries: 10 }) },
  'PUT /jobs/labels': { of: 'pending', body: (id) => ({ job_id: id, favourite: true }) },
  'DELETE /user/simulations': job,
  'GET /projects/project': project,
  'GET /projects/revisions': project,
  'PUT /projects': { of: 'project', body: (id) => ({ project_id: id, revision: 1, title: 'Shared' }) },
  'DELETE /projects': project,
  'GET /shares': project,
  'POST /shares': { of: 'pending', body: (id) => ({ job_id: id, with: 'user', username: names.get('owner') }) },
  'PUT /shares/group': {
    of: 'project',
    body: (id, { isOfGroup }) => ({ project_id: id, group_id: isOfGroup ? groupId : null }),
  },
  'GET /shares/access': project,
};
/** It names nothing, and is about the link alone. */
const OF_LINKS = 'GET /shares/link';

beforeAll(async () => {
  suite = await startTestSuite({
    runners: 0,
    env: { gateway: { GATEWAY_SHARE_LINKS_WITHOUT_ACCOUNT: 'true', GATEWAY_TRUSTED_PROXIES: '127.0.0.1' } },
  });
  for (const actor of ACTORS) {
    if (actor === 'guest') continue;
    const session = await suite.newUser();
    users.set(actor, session);
    names.set(actor, String((await session.call('GET', '/auth/status')).username));
  }
}, 120_000);
afterAll(() => suite?.stop());

const as = (actor: Actor): HttpSession => {
  const session = users.get(actor);
  if (session === undefined) throw new Error(`${actor} has no session`);
  return session;
};
const owner = <Body = Record<string, unknown>>(method: string, path: string, body?: Record<string, unknown>) =>
  as('owner').call<Body>(method, path, body);

/** A numbers generator: the next of a seed (mulberry32). */
function drawing(seed: number) {
  let state = seed;
  return (count: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

const allFacts = Array.from({ length: 16 }, (_, bits) => ({
  isOfGroup: (bits & 1) > 0,
  isSharedWithUser: (bits & 2) > 0,
  isSharedWithGroup: (bits & 4) > 0,
  hasLink: (bits & 8) > 0,
}));

async function submit(): Promise<string> {
  const sim_data = exampleProject('proton-150mev-water', 100) as unknown as object;
  const body = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data };
  return (await owner<{ job_id: string }>('POST', '/jobs/direct', body)).job_id;
}

/** Gives a job or project what the facts say. */
async function give(
  of: { job_id: string } | { project_id: string },
  facts: Facts,
  sharedGroupId: string,
): Promise<Thing> {
  const end = new Date(Date.now() + 60 * 60_000).toISOString();
  const share = (subject: object) =>
    owner<{ share_id: string; token?: string }>('POST', '/shares', { ...of, ...subject });
  const taken = await share({ with: 'user', username: names.get('taken') });
  const revoked = await share({ with: 'link', expires_at: end });
  for (const { share_id } of [taken, revoked]) await owner('DELETE', `/shares?share_id=${share_id}`);
  if (facts.isSharedWithUser) await share({ with: 'user', username: names.get('given') });
  if (facts.isSharedWithGroup) await share({ with: 'group', group_id: sharedGroupId });
  if (facts.isOfGroup) await owner('PUT', '/shares/group', { ...of, group_id: groupId });
  const valid = facts.hasLink ? ((await share({ with: 'link', expires_at: end })).token ?? '') : '';
  const id = 'job_id' in of ? of.job_id : of.project_id;
  return { id, links: { valid, revoked: revoked.token ?? '', 'of another': '' } };
}

async function makeScenarios(): Promise<Scenario[]> {
  groupId = (await owner<{ group_id: string }>('POST', '/groups', { name: 'Clinic' })).group_id;
  const shared = (await owner<{ group_id: string }>('POST', '/groups', { name: 'Readers' })).group_id;
  const join = (group_id: string, actor: Actor, role: string) =>
    owner<{ user_id: number }>('POST', '/groups/members', { group_id, username: names.get(actor), role });
  for (const role of ['viewer', 'member', 'manager'] as const) await join(groupId, role, role);
  const { user_id } = await join(groupId, 'former', 'manager');
  await owner('DELETE', `/groups/members?group_id=${groupId}&user_id=${user_id}`);
  await join(shared, 'ingroup', 'manager');
  unshared = await submit();
  const scenarios: Scenario[] = [];
  for (const facts of allFacts) {
    const canceled = await submit();
    await owner('DELETE', `/jobs/direct?job_id=${canceled}`);
    const kept = await owner<{ project_id: string }>('POST', '/projects', {
      title: 'Shared',
      project: { project: {} },
    });
    scenarios.push({
      facts,
      pending: await give({ job_id: await submit() }, facts, shared),
      canceled: await give({ job_id: canceled }, facts, shared),
      project: await give({ project_id: kept.project_id }, facts, shared),
    });
  }
  const other = scenarios.find(({ facts }) => facts.hasLink);
  const links = { 'of another': other?.pending.links.valid ?? '' };
  const withOther = (thing: Thing) => ({
    ...thing,
    links: { ...thing.links, ...(thing === other?.pending ? { 'of another': other.canceled.links.valid } : links) },
  });
  return scenarios.map(({ facts, pending, canceled, project: kept }) => ({
    facts,
    pending: withOther(pending),
    canceled: withOther(canceled),
    project: withOther(kept),
  }));
}

/** What is allowed, in words of this test. */
function allowed(actor: Actor, facts: Facts, link: Link): readonly Action[] {
  if (actor === 'owner') return ['read', 'change', 'delete', 'share'];
  if (facts.isOfGroup && actor === 'manager') return ['read', 'change', 'delete'];
  if (facts.isOfGroup && actor === 'member') return ['read', 'change'];
  const reads =
    (facts.isOfGroup && actor === 'viewer') ||
    (facts.isSharedWithUser && actor === 'given') ||
    (facts.isSharedWithGroup && actor === 'ingroup') ||
    (facts.hasLink && link === 'valid');
  return reads ? ['read'] : [];
}

interface Case {
  readonly operation: string;
  readonly action: Action;
  readonly scenario: Scenario;
  readonly actor: Actor;
  readonly link: Link;
  readonly isMissing: boolean;
}

/** Status and code of a refusal; undefined: it is none. */
function expectedRefusal({ operation, action, scenario, actor, link, isMissing }: Case): string | undefined {
  const isForGuests = action === 'read' && operation !== 'GET /jobs/events' && link !== 'none';
  if (actor === 'guest' && !isForGuests) return '401 TOKEN_MISSING';
  const kind = REQUESTS[operation]?.of === 'project' ? 'PROJECT' : 'JOB';
  const hasLink = link !== 'valid' || scenario.facts.hasLink;
  if (actor === 'guest' && (isMissing || link !== 'valid' || !hasLink)) return '404 SHARE_LINK_INVALID';
  if (isMissing) return `404 ${kind}_NOT_FOUND`;
  const actions = allowed(actor, scenario.facts, link === 'valid' && operation !== 'GET /jobs/events' ? link : 'none');
  if (actions.length === 0) return `403 ${kind}_OF_ANOTHER_USER`;
  return actions.includes(action) ? undefined : '403 ACCESS_INSUFFICIENT';
}

const REFUSALS = /^(401 |403 |404 (JOB_NOT_FOUND|PROJECT_NOT_FOUND|SHARE_LINK_INVALID))/;
let sent = 0;

async function ask(method: string, path: string, actor: Actor, shareLink: string | undefined, body?: object) {
  sent += 1;
  const cookie = actor === 'guest' ? '' : [...as(actor).cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${suite.gatewayUrl}${path}`, {
    method,
    headers: {
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...(shareLink === undefined ? {} : { 'X-Share-Link': shareLink }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      'X-Forwarded-For': `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`, // else the limit on links that open nothing
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status < 300) {
    await response.body?.cancel();
    return String(response.status);
  }
  const { code } = (await response.json()) as { code?: string };
  return `${response.status} ${code}`;
}

async function tryCase(tried: Case): Promise<string | undefined> {
  const { operation, scenario, actor, link, isMissing } = tried;
  const [method = '', path = ''] = operation.split(' ');
  const asked = REQUESTS[operation];
  if (asked === undefined) throw new Error(`no request for ${operation}`);
  const thing = scenario[asked.of];
  const id = isMissing ? 'no-such-thing' : thing.id;
  const expected = expectedRefusal(tried);
  if (expected === undefined && operation === 'DELETE /projects') return undefined; // what is gone cannot be tried again
  const query = asked.query === undefined ? '' : `?${asked.query(id)}`;
  const shareLink = link === 'none' ? undefined : thing.links[link];
  const got = await ask(method, path + query, actor, shareLink, asked.body?.(id, scenario.facts));
  const isRight = expected === undefined ? !REFUSALS.test(got) && !got.startsWith('5') : got === expected;
  return isRight
    ? undefined
    : `${operation} by ${actor}, link ${link}, ${JSON.stringify(scenario.facts)}${isMissing ? ', missing' : ''}: ${got}, not ${expected ?? 'allowed'}`;
}

describe('access', () => {
  let scenarios: Scenario[];

  it('is what the rule says, for every route, actor and share', async () => {
    const { paths } = await as('owner').call<{ paths: Record<string, Record<string, object>> }>('GET', '/openapi.json');
    const actions = new Map<string, Action>();
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const { 'x-access': action, description = '' } = operation as { 'x-access'?: Action; description?: string };
        const isForSso = description.includes('For users who logged in through single sign-on');
        if (action !== undefined && !isForSso) actions.set(`${method.toUpperCase()} ${path}`, action);
      }
    }
    expect([...actions.keys()].sort()).toEqual([...Object.keys(REQUESTS), OF_LINKS].sort());
    scenarios = await makeScenarios();
    const draw = drawing(SEED);
    const pick = <T>(values: readonly T[]): T => values[draw(values.length)] as T;
    const operations = [...actions].filter(([operation]) => operation !== OF_LINKS);
    const cases = Array.from({ length: CASE_COUNT }, (_, index): Case => {
      const [operation, action] = operations[index % operations.length] as [string, Action]; // each as often
      return {
        operation,
        action,
        scenario: pick(scenarios),
        actor: pick(ACTORS),
        link: pick(LINKS),
        isMissing: draw(12) === 0,
      };
    });
    const wrong: string[] = [];
    let at = 0;
    const work = async () => {
      for (let next = cases[at++]; next !== undefined; next = cases[at++])
        wrong.push(...[await tryCase(next)].filter((fault) => fault !== undefined));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(wrong.slice(0, 20)).toEqual([]);
    const allowedCount = cases.filter((tried) => expectedRefusal(tried) === undefined).length;
    expect(allowedCount).toBeGreaterThan(CASE_COUNT / 10); // a matrix of refusals alone would show nothing
  }, 180_000);

  it('lists for everybody what is of their groups or shared with them, and nothing else', async () => {
    for (const actor of ACTORS) {
      if (actor === 'guest' || actor === 'owner') continue;
      const listed = new Set<string>();
      for (const view of ['group', 'shared']) {
        const { simulations } = await as(actor).call<{ simulations: { job_id: string }[] }>(
          'GET',
          `/user/simulations?view=${view}&page_size=100`,
        );
        for (const { job_id } of simulations) listed.add(job_id);
      }
      const readable = scenarios.filter(({ facts }) => allowed(actor, facts, 'none').includes('read'));
      const expected = readable.flatMap(({ pending, canceled }) => [pending.id, canceled.id]);
      expect({ actor, listed: [...listed].sort() }).toEqual({ actor, listed: expected.sort() });
    }
  });

  it('to compare needs access to both jobs', async () => {
    const shared = scenarios.find(({ facts }) => facts.isSharedWithUser && facts.isOfGroup)?.pending.id;
    for (const actor of ['given', 'manager'] as const) {
      for (const query of [`job_id=${shared}&with=${unshared}`, `job_id=${unshared}&with=${shared}`]) {
        expect(await ask('GET', `/results/compare?${query}`, actor, undefined)).toBe('403 JOB_OF_ANOTHER_USER');
      }
    }
  });

  it('to delete is of owners and managers', async () => {
    const [first] = scenarios.filter(({ facts }) => facts.isOfGroup && !facts.hasLink);
    const path = `/projects?project_id=${first?.project.id}`;
    expect(await ask('DELETE', path, 'member', undefined)).toBe('403 ACCESS_INSUFFICIENT');
    expect(await ask('DELETE', path, 'manager', undefined)).toBe('200');
    expect(await ask('GET', path.replace('projects', 'projects/project'), 'owner', undefined)).toBe(
      '404 PROJECT_NOT_FOUND',
    );
  });
});
