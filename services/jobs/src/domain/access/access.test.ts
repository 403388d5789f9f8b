import { describe, expect, it } from '@jest/globals';
import { ACTIONS, type Actor, ALLOWED, allowedTo, type Relation, relationsOf, subjectsOf } from './access.js';

const actor = (changes: Partial<Actor> = {}): Actor => ({
  userId: 7n,
  groups: new Map([['g1', 'member']]),
  linkHash: undefined,
  ...changes,
});
const facts = { ownerId: 1n, groupId: null, subjects: [] };

describe('the rule of access', () => {
  it('allows each relation what the table says, and several together what any allows', () => {
    for (const relation of Object.keys(ALLOWED) as Relation[]) {
      expect(allowedTo([relation])).toEqual(ACTIONS.filter((action) => ALLOWED[relation].includes(action)));
    }
    expect(allowedTo([])).toEqual([]);
    expect(allowedTo(['share_link', 'group_member'])).toEqual(['read', 'change']);
  });

  it('lets only the owner share, and who has no more than a share only read', () => {
    const sharers = (Object.keys(ALLOWED) as Relation[]).filter((relation) => ALLOWED[relation].includes('share'));
    expect(sharers).toEqual(['owner']);
    for (const relation of ['share_user', 'share_group', 'share_link', 'group_viewer'] as const) {
      expect(ALLOWED[relation]).toEqual(['read']);
    }
  });

  it('finds the owner, the role in the group of the thing, and shares of the actor', () => {
    expect(relationsOf(facts, actor())).toEqual([]);
    expect(relationsOf({ ...facts, ownerId: 7n }, actor())).toEqual(['owner']);
    expect(relationsOf({ ...facts, groupId: 'g1' }, actor())).toEqual(['group_member']);
    expect(relationsOf({ ...facts, groupId: 'g2' }, actor())).toEqual([]);
    expect(relationsOf({ ...facts, groupId: 'g1' }, actor({ groups: new Map([['g1', 'emperor']]) }))).toEqual([]);
    const shared = { ...facts, subjects: ['user:7', 'group:g1', 'link:ab'] };
    expect(relationsOf(shared, actor({ linkHash: 'ab' }))).toEqual(['share_user', 'share_group', 'share_link']);
  });

  it('takes no share of somebody else, whatever a store gives', () => {
    const others = { ...facts, subjects: ['user:8', 'user:77', 'group:g2', 'link:cd'] };
    expect(relationsOf(others, actor({ linkHash: 'ab' }))).toEqual([]);
    expect(relationsOf(others, actor({ userId: undefined, groups: new Map() }))).toEqual([]);
  });

  it('names nobody who is not signed in', () => {
    expect(subjectsOf(actor({ userId: undefined, groups: new Map() }))).toEqual([]);
    expect(subjectsOf(actor({ linkHash: 'ab' }))).toEqual(['user:7', 'group:g1', 'link:ab']);
  });
});
