import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@tally/contracts';
import { kitError, ServiceError } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ endedSessionsRefreshMs: 50 });
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const ID = '0011223344556677';
const group: auth.Group = {
  groupId: ID,
  name: 'Clinic',
  role: auth.GroupRole.GROUP_ROLE_MANAGER,
  isOfRealm: false,
  memberCount: 2,
  createdAt: new Date('2026-01-01T00:00:00Z'),
};
const user = { userId: 9n, username: 'otto', provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL, displayName: 'Otto' };
const member = { user, role: auth.GroupRole.GROUP_ROLE_VIEWER, joinedAt: new Date('2026-01-02T00:00:00Z') };

let version = 0n;
/** Auth says this version, and the gateway has heard it when this resolves. */
async function sayVersion(next: bigint): Promise<void> {
  version = next;
  let asked = 0;
  gateway.auth.answers.listEndedSessions = async () => {
    asked += 1;
    return { sessionIds: [], membershipsVersion: version };
  };
  await waitFor(() => asked > 1, { what: 'two polls' });
}
const callsOf = (rpc: string) => gateway.auth.calls.filter((call) => call.rpc === rpc);
/** Groups that travelled with the last call of jobs. */
async function carried(): Promise<ReadonlyMap<string, string> | undefined> {
  gateway.jobs.calls.length = 0;
  await gateway.send('GET', '/projects');
  return gateway.jobs.calls[0]?.context?.userGroups;
}

describe('groups of the acting user', () => {
  it('cost no call while nobody has ever been in a group, and travel nowhere', async () => {
    await sayVersion(0n);
    expect(await carried()).toBeUndefined();
    expect(callsOf('listGroups')).toHaveLength(0);
  });

  it('travel with every call, and are asked for once as long as memberships stay', async () => {
    gateway.auth.answers.listGroups = async () => ({ groups: [group] });
    await sayVersion(7n);
    for (let i = 0; i < 3; i++) expect(await carried()).toEqual(new Map([[ID, 'manager']]));
    expect(callsOf('listGroups')).toHaveLength(1);
    expect(callsOf('listGroups')[0]?.context).toMatchObject({ userId: 7n });
  });

  it('are asked for again when auth says that memberships have changed', async () => {
    gateway.auth.answers.listGroups = async () => ({ groups: [group] });
    await sayVersion(8n);
    expect(await carried()).toEqual(new Map([[ID, 'manager']]));
    gateway.auth.answers.listGroups = async () => ({ groups: [] });
    await sayVersion(9n);
    expect(await carried()).toEqual(new Map());
  });

  it('are asked for again at once after a change through this gateway', async () => {
    gateway.auth.answers.listGroups = async () => ({ groups: [] });
    await sayVersion(10n);
    expect(await carried()).toEqual(new Map());
    gateway.auth.answers.createGroup = async () => ({ group });
    gateway.auth.answers.listGroups = async () => ({ groups: [group] });
    await gateway.send('POST', '/groups', { json: { name: 'Clinic' } });
    expect(await carried()).toEqual(new Map([[ID, 'manager']]));
  });

  it('are none when auth cannot be asked, and come with the next request', async () => {
    gateway.auth.answers.listGroups = async () => {
      throw kitError('INTERNAL');
    };
    await sayVersion(11n);
    expect(await carried()).toEqual(new Map());
    gateway.auth.answers.listGroups = async () => ({ groups: [group] });
    expect(await carried()).toEqual(new Map([[ID, 'manager']]));
  });
});

describe('the routes of groups', () => {
  it('make, list, rename and delete groups', async () => {
    gateway.auth.answers.createGroup = async () => ({ group });
    const made = await gateway.send('POST', '/groups', { json: { name: 'Clinic' } });
    const shown = { group_id: ID, name: 'Clinic', role: 'manager', of_realm: false, member_count: 2 };
    expect([made.status, made.body]).toEqual([201, expect.objectContaining(shown)]);
    gateway.auth.answers.listGroups = async () => ({ groups: [group] });
    expect((await gateway.send('GET', '/groups')).body.groups).toMatchObject([shown]);
    gateway.auth.answers.updateGroup = async () => ({});
    expect((await gateway.send('PUT', '/groups', { json: { group_id: ID, name: 'Hall' } })).status).toBe(200);
    expect(callsOf('updateGroup')[0]?.request).toEqual({ groupId: ID, name: 'Hall' });
    gateway.auth.answers.deleteGroup = async () => ({});
    expect((await gateway.send('DELETE', `/groups?group_id=${ID}`)).status).toBe(200);
  });

  it('list, add, change and remove members; without a user, who asks leaves', async () => {
    gateway.auth.answers.listMembers = async () => ({ members: [member] });
    const listed = await gateway.send('GET', `/groups/members?group_id=${ID}`);
    const shown = { user_id: 9, username: 'otto', display_name: 'Otto', source: 'local', role: 'viewer' };
    expect(listed.body.members).toMatchObject([shown]);
    gateway.auth.answers.createMember = async () => ({ member });
    const json = { group_id: ID, username: 'otto', role: 'viewer' };
    expect((await gateway.send('POST', '/groups/members', { json })).body).toMatchObject(shown);
    expect(callsOf('createMember')[0]?.request).toMatchObject({ provider: 0 });
    await gateway.send('POST', '/groups/members', { json: { ...json, source: 'sso' } });
    expect(callsOf('createMember')[1]?.request).toMatchObject({ provider: auth.AuthProvider.AUTH_PROVIDER_SSO });
    gateway.auth.answers.updateMember = async () => ({});
    const change = { group_id: ID, user_id: 9, role: 'member' };
    expect((await gateway.send('PUT', '/groups/members', { json: change })).status).toBe(200);
    gateway.auth.answers.deleteMember = async () => ({});
    await gateway.send('DELETE', `/groups/members?group_id=${ID}&user_id=9`);
    await gateway.send('DELETE', `/groups/members?group_id=${ID}`);
    expect(callsOf('deleteMember').map(({ request }) => request)).toEqual([
      { groupId: ID, userId: 9n },
      { groupId: ID, userId: 7n },
    ]);
  });

  it('refuse what is misspelt', async () => {
    const bodies = [
      ['POST', '/groups', {}],
      ['POST', '/groups', { name: '' }],
      ['POST', '/groups', { name: 'a\nb' }],
      ['POST', '/groups', { name: 'x', role: 'manager' }],
      ['PUT', '/groups', { group_id: ID }],
      ['POST', '/groups/members', { group_id: ID, username: 'otto', role: 'owner' }],
      ['PUT', '/groups/members', { group_id: ID, user_id: '7', role: 'viewer' }],
    ] as const;
    for (const [method, path, json] of bodies) {
      expect({ path, json, status: (await gateway.send(method, path, { json })).status }).toMatchObject({
        status: 400,
      });
    }
  });

  it('give what auth refuses its status', async () => {
    const table = [
      ['NOT_FOUND', 'GROUP_NOT_FOUND', 404],
      ['PERMISSION_DENIED', 'GROUP_ROLE_REQUIRED', 403],
      ['FAILED_PRECONDITION', 'LAST_MANAGER', 409],
      ['FAILED_PRECONDITION', 'GROUP_OF_REALM', 409],
    ] as const;
    for (const [status, reason, expected] of table) {
      gateway.auth.answers.deleteMember = async () => {
        throw new ServiceError('auth', reason, status, 'refused', {});
      };
      const refused = await gateway.send('DELETE', `/groups/members?group_id=${ID}&user_id=9`);
      expect([refused.status, refused.body.code]).toEqual([expected, reason]);
    }
  });
});
