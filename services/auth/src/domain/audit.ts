import { type Logger, ServiceError } from '@tally/service-kit';

/** What is worth an audit line. Past tense, `auth.<noun>.<verb>`. */
export type AuditEvent =
  | 'auth.user.registered'
  | 'auth.user.registration_refused'
  | 'auth.session.created'
  | 'auth.session.refused'
  | 'auth.session.ended'
  | 'auth.session.all_ended'
  | 'auth.token.created'
  | 'auth.token.used'
  | 'auth.token.refused'
  | 'auth.token.ended'
  | 'auth.password.changed'
  | 'auth.password.change_refused'
  | 'auth.password.reset_created'
  | 'auth.password.reset'
  | 'auth.password.reset_refused'
  | 'auth.email.confirmed'
  | 'auth.email.removed'
  | 'auth.mail.sent'
  | 'auth.mail.refused'
  | 'auth.signing_key.created'
  | 'auth.signing_key.rotated'
  | 'auth.credential.stored'
  | 'auth.credential.unavailable'
  | 'auth.credential.read'
  | 'auth.credential.refused'
  | 'auth.secrets.resealed'
  | 'auth.sso_account.rebound'
  | 'auth.group.created'
  | 'auth.group.renamed'
  | 'auth.group.deleted'
  | 'auth.member.added'
  | 'auth.member.role_changed'
  | 'auth.member.removed'
  | 'auth.realm_groups.changed'
  | 'auth.class.created'
  | 'auth.class.invited'
  | 'auth.class.ended'
  | 'auth.user.blocked'
  | 'auth.user.unblocked'
  | 'auth.user.deleted'
  | 'auth.operator.action_refused';

/** Facts of an audit line. Names of unknown users are left out: people type passwords into the wrong field. */
export interface AuditFacts {
  readonly userId?: bigint;
  readonly username?: string;
  readonly provider?: string;
  readonly sessionId?: string;
  readonly tokenId?: string;
  /** Network address of the client, as the gateway saw it. */
  readonly address?: string;
  /** Why something was refused: a reason of domain/errors.ts, or a fixed word. */
  readonly reason?: string;
  /** What was wrong, for operators: it names the claim of a token, and never holds the token. */
  readonly cause?: string;
  /** Claim `sub` of whom a genuine token names. */
  readonly subject?: string;
  readonly kid?: string;
  readonly jobId?: string;
  readonly caller?: string;
  readonly count?: number;
  readonly groupId?: string;
  /** Whom the acting user, who is `userId`, does something to. */
  readonly subjectId?: bigint;
  readonly role?: string;
}

/** Writes one line for each event; never a secret. */
export type Audit = (event: AuditEvent, facts: AuditFacts) => void;

const REFUSED = /refused$|unavailable$/;

/** Audit lines as log lines with `audit: true`; the request id is on them as on every line. */
export function createAudit(logger: Logger): Audit {
  const lines = logger.child({ audit: true });
  return (event, { userId, sessionId, tokenId, jobId, groupId, subjectId, ...facts }) => {
    const { username, provider, address, reason, cause, subject, kid, caller, count, role } = facts;
    const fields = {
      event,
      user_id: userId === undefined ? undefined : String(userId),
      username,
      provider,
      session_id: sessionId,
      token_id: tokenId,
      address,
      reason,
      cause,
      subject,
      kid,
      job_id: jobId,
      caller,
      count,
      group_id: groupId,
      subject_id: subjectId === undefined ? undefined : String(subjectId),
      role,
    };
    if (REFUSED.test(event)) lines.warn(fields, 'audit');
    else lines.info(fields, 'audit');
  };
}

/** Longest cause in an audit line, characters. */
const CAUSE_LENGTH_MAX = 500;

/** Why something was refused and for what cause, for an audit line. */
export function refusalOf(err: unknown): Pick<AuditFacts, 'reason' | 'cause'> {
  const messages: string[] = [];
  for (let at = err instanceof ServiceError ? err.cause : undefined; at instanceof Error; at = at.cause) {
    if (!(at instanceof ServiceError)) messages.push(at.message);
  }
  const cause = messages.join(': ').slice(0, CAUSE_LENGTH_MAX);
  return { reason: reasonOf(err), ...(cause === '' ? {} : { cause }) };
}

/** The reason to put into an audit line: the error's own, or that it was a fault of ours. */
export function reasonOf(err: unknown): string {
  return err instanceof ServiceError ? err.reason : 'INTERNAL';
}
