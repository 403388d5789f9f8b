import type { UserId } from '../job.js';

/** What somebody does with a job or project: see it; cancel, stop, extend, save; delete it; decide who else has access. */
export const ACTIONS = ['read', 'change', 'delete', 'share'] as const;
export type Action = (typeof ACTIONS)[number];

/** What somebody is to a job or project. One may be several things at once. */
export type Relation =
  | 'owner'
  | 'group_manager'
  | 'group_member'
  | 'group_viewer'
  | 'share_user'
  | 'share_group'
  | 'share_link';

/** The rule of access (ADR 26): what each relation allows. There is no other. */
export const ALLOWED: Readonly<Record<Relation, readonly Action[]>> = {
  owner: ['read', 'change', 'delete', 'share'],
  group_manager: ['read', 'change', 'delete'],
  group_member: ['read', 'change'],
  group_viewer: ['read'],
  share_user: ['read'],
  share_group: ['read'],
  share_link: ['read'],
};

/** Relation by the role in the group that something belongs to. A role of a later release is none. */
const BY_ROLE: ReadonlyMap<string, Relation> = new Map([
  ['manager', 'group_manager'],
  ['member', 'group_member'],
  ['viewer', 'group_viewer'],
]);

/** Relation by the kind of subject that a share names. */
const BY_SUBJECT: ReadonlyMap<string, Relation> = new Map([
  ['user', 'share_user'],
  ['group', 'share_group'],
  ['link', 'share_link'],
]);

/** Who reaches for something. */
export interface Actor {
  /** Undefined: nobody who is signed in. */
  readonly userId: UserId | undefined;
  /** Groups with the role in each, as the call brings them. */
  readonly groups: ReadonlyMap<string, string>;
  /** SHA-256 of the token of a link, hexadecimal; undefined: none is shown. */
  readonly linkHash: string | undefined;
}

/** What is known of a job or project for the rule. */
export interface AccessFacts {
  readonly ownerId: UserId;
  readonly groupId: string | null;
  /** Of its shares that have not ended, those that name one of {@link subjectsOf} the actor. */
  readonly subjects: readonly string[];
}

/** Groups, of all with the role in each, in which the role allows an action with what belongs to them. */
export const groupsThatAllow = (groups: ReadonlyMap<string, string>, action: Action): string[] =>
  [...groups].flatMap(([id, role]) => {
    const relation = BY_ROLE.get(role);
    return relation !== undefined && ALLOWED[relation].includes(action) ? [id] : [];
  });

/** What shares may name the actor by. */
export function subjectsOf({ userId, groups, linkHash }: Actor): string[] {
  const user = userId === undefined ? [] : [`user:${userId}`];
  const link = linkHash === undefined ? [] : [`link:${linkHash}`];
  return [...user, ...[...groups.keys()].map((id) => `group:${id}`), ...link];
}

/** What the actor is to something. */
export function relationsOf({ ownerId, groupId, subjects }: AccessFacts, actor: Actor): Relation[] {
  const own = actor.userId === ownerId ? (['owner'] as const) : [];
  const role = groupId === null ? undefined : actor.groups.get(groupId);
  const inGroup = role === undefined ? undefined : BY_ROLE.get(role);
  const mine = new Set(subjectsOf(actor));
  const shares = subjects.filter((subject) => mine.has(subject)).map((subject) => BY_SUBJECT.get(kindOf(subject)));
  return [...own, ...[inGroup, ...shares].filter((relation) => relation !== undefined)];
}

/** What relations allow together. */
export function allowedTo(relations: readonly Relation[]): Action[] {
  return ACTIONS.filter((action) => relations.some((relation) => ALLOWED[relation].includes(action)));
}

const kindOf = (subject: string) => subject.slice(0, subject.indexOf(':'));
