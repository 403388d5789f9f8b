import { hashNoticeId, type Notice } from '../notify/notice.js';
import type { NotifyPorts } from '../notify/notify-end.js';
import type { RetentionStore, Warning } from './retention-ports.js';

/** Of one look. */
const OWNERS_MAX = 100;

export interface WarnPorts {
  readonly retention: Pick<RetentionStore, 'listUnwarned' | 'noteWarning'>;
  /** Undefined: this deployment sends no mail; the console tells them. */
  readonly sendMail: NotifyPorts['sendMail'];
}

/** Tells users by mail what of theirs is removed soon, at most once a week. A mail is sent once, however often this is cut off. */
export async function warnOwners({ retention, sendMail }: WarnPorts): Promise<void> {
  if (sendMail === undefined) return;
  for (;;) {
    const unwarned = await retention.listUnwarned(OWNERS_MAX);
    for (const warning of unwarned) {
      await sendMail({ userId: warning.ownerId, groupId: undefined }, warningNotice(warning));
      await retention.noteWarning(warning.ownerId, warning.warnedUntil);
    }
    if (unwarned.length < OWNERS_MAX) return;
  }
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** The same for a repeat: its id is of the user, the rules, and the day until which it warns. */
export function warningNotice({ ownerId, jobCount, firstDueAt, warnedUntil, setAt }: Warning): Notice {
  const jobs = jobCount === 1 ? 'a job' : `${jobCount} jobs`;
  return {
    id: hashNoticeId('retention', `${ownerId}`, setAt.toISOString(), dayOf(warnedUntil)),
    about: { type: 'retention.warning' },
    subject: `Something of ${jobs} of yours is removed from ${dayOf(firstDueAt)} on`,
    paragraphs: [
      `By the rules of this site, ${jobs} of yours, or their results or logs, are removed from ${dayOf(firstDueAt)} to ${dayOf(warnedUntil)}.`,
      'The list of jobs says what goes when. Download what you need, or make a job a favourite, or give it the tag “keep”, and it stays.',
    ],
    linkPath: '/console/jobs',
    linkWords: 'Look at the jobs',
  };
}
