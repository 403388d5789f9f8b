import { call } from '../api/client.js';
import { disconnectEvents } from '../api/live.js';
import { queryClient } from '../api/queries.js';

/** Ends this session, or all sessions of the user and the tokens that end with them. @throws HttpError where they do not end */
export async function signOut(isEverywhere: boolean): Promise<void> {
  if (isEverywhere) await call('DELETE', '/auth/sessions');
  await call('DELETE', '/auth/logout').catch(() => undefined); // has ended with the others, or by itself
  disconnectEvents();
  queryClient.clear();
  location.assign('/console/');
}
