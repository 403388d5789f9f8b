import type { auth } from '@tally/contracts';
import { currentContext, type Logger, newId, withContext } from '@tally/service-kit';
import { LRUCache } from 'lru-cache';
import { groupRole } from '../mappers.js';

/** Groups of a user, with the role in each. */
export type Groups = ReadonlyMap<string, string>;

/** What {@link UserGroups} asks. */
export interface UserGroupsOptions {
  /** Asks auth for the groups of the acting user. */
  fetchGroups(): Promise<auth.ListGroupsResponse>;
  /** Of all memberships, as auth said it a moment ago; 0: nobody has ever been in a group. */
  version(): bigint;
  readonly logger: Logger;
}

/** Users whose groups are remembered: a few megabytes, and more than are active at a time. */
const REMEMBERED_MAX = 10_000;

/** Groups of users as auth knew them at the version of memberships that is known now. */
export class UserGroups {
  readonly #known = new LRUCache<bigint, { readonly groups: Promise<Groups>; readonly state: string }>({
    max: REMEMBERED_MAX,
  });
  #ownChanges = 0;

  constructor(private readonly options: UserGroupsOptions) {}

  /**
   * Groups of the acting user; undefined: none, which costs no call where nobody has ever been in a group. A user whose groups
   * cannot be had acts without them: what belongs to the user needs none.
   */
  find(userId: bigint): Promise<Groups> | undefined {
    const version = this.options.version();
    if (version === 0n && this.#ownChanges === 0) return undefined;
    const state = `${version} ${this.#ownChanges}`;
    const known = this.#known.get(userId);
    if (known?.state === state) return known.groups;
    const groups = this.#fetch(userId);
    this.#known.set(userId, { groups, state });
    return groups;
  }

  /** Memberships have been changed through this copy: what is remembered of any user is asked for again. */
  forget(): void {
    this.#ownChanges += 1;
  }

  async #fetch(userId: bigint): Promise<Groups> {
    try {
      const context = { requestId: newId(), ...currentContext(), userId };
      const { groups } = await withContext(context, () => this.options.fetchGroups());
      return new Map(groups.map(({ groupId, role }) => [groupId, groupRole.toName(role)]));
    } catch (err) {
      this.#known.delete(userId);
      this.options.logger.warn(
        { err, user_id: String(userId) },
        'groups of a user cannot be fetched; going on without',
      );
      return new Map();
    }
  }
}
