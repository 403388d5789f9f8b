import type { Session } from './access-token.js';

/** No user has it. */
export const GUEST_ID = 0n;

/** Who shows a share link and is not signed in. */
export const GUEST: Session = {
  userId: GUEST_ID,
  sessionId: '',
  username: 'guest',
  source: 'local',
  expiresAt: new Date(8.64e15), // the last one that there is
};
