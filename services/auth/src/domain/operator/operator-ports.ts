import type { SessionId } from '../session/session-id.js';
import type { ApiTokenId } from '../token/api-token.js';
import type { User } from '../user/user.js';
import type { Role } from './operators.js';

/** What an operator is about to do. */
export interface NewOperatorAction {
  readonly operatorId: bigint;
  readonly operatorName: string;
  /** Stable word, such as jobs.cancel. */
  readonly action: string;
  readonly target: string;
  /** Empty: he only looks. */
  readonly reason: string;
  readonly requestId: string;
  readonly isChange: boolean;
}

/** An entry of the trail. */
export interface OperatorAction extends NewOperatorAction {
  readonly id: bigint;
  readonly happenedAt: Date;
  /** Stable word of the error that it ended with; null: none. */
  readonly failure: string | null;
}

/** What is given must all be true. */
export interface TrailQuery {
  readonly pageSize: number;
  /** Entries before this one; undefined: the newest. */
  readonly beforeId: bigint | undefined;
  readonly isChangesOnly: boolean;
  readonly operatorName: string | undefined;
  /** Part of the target. */
  readonly target: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

export type UserState = 'active' | 'blocked' | 'deleted';

/** A user as operators see him. */
export interface ListedUser extends User {
  readonly createdAt: Date;
  readonly state: UserState;
  readonly sessionCount: number;
  readonly tokenCount: number;
  /** That is remembered. */
  readonly lastLoginAt: Date | null;
}

export interface UserQuery {
  /** Part of the user name or display name; empty: any. */
  readonly search: string;
  /** Empty: any. */
  readonly userIds: readonly bigint[];
  readonly pageSize: number;
  /** From 1. */
  readonly pageIndex: number;
  readonly state: UserState | undefined;
}

/** Sessions and API tokens that ended. */
export type EndedIds = readonly (SessionId | ApiTokenId)[];

/** What operators do. Every method is one transaction. */
export interface OperatorStore {
  /** Adds to the trail. @returns its number */
  addAction(action: NewOperatorAction): Promise<bigint>;
  /** Adds how an action has failed; a repeat changes nothing. @returns false when there is no such action */
  addFailure(actionId: bigint, failure: string): Promise<boolean>;
  /** The newest first. */
  listActions(query: TrailQuery): Promise<readonly OperatorAction[]>;
  /** The user, unless he is blocked or deleted, and the highest role that a live session of his has by a claim of the realm. */
  findActing(
    userId: bigint,
    now: Date,
  ): Promise<{ readonly user: User; readonly claimedRole: Role | undefined } | undefined>;
  listUsers(
    query: UserQuery,
    now: Date,
  ): Promise<{ readonly users: readonly ListedUser[]; readonly userCount: bigint }>;
  /** Blocks or deletes a user and ends all that he has open, or takes a block away. A deleted one stays so. @returns undefined: no such user */
  setState(userId: bigint, state: UserState, now: Date): Promise<EndedIds | undefined>;
  /** Ends all sessions and API tokens of a user. @returns undefined: no such user */
  endAll(userId: bigint, now: Date): Promise<EndedIds | undefined>;
  /** Forgets at most so many users that were deleted before. @returns how many */
  purgeDeleted(before: Date, rowsMax: number): Promise<number>;
}
