import type { ClusterSettings } from './cluster/cluster.js';
import type { JobId } from './job-id.js';
import type { ClusterSession, Credentials, WorkerPorts } from './ports.js';

/** A user's connection and the login name it is for. */
export interface UserSession {
  readonly session: ClusterSession;
  readonly username: string;
}

/** Runs work with the user's connection; the credential is asked for once. */
export type WithSession = <T>(jobId: JobId, work: (user: UserSession) => Promise<T>) => Promise<T>;

/** The credential is for all of a user's jobs; the job is the one that it is first asked for. */
export function userSessions(
  { credentials, sessions }: Pick<WorkerPorts, 'credentials' | 'sessions'>,
  cluster: ClusterSettings,
  userId: bigint,
): WithSession {
  let asked: ReturnType<Credentials['get']> | undefined;
  return async (jobId, work) => {
    asked ??= credentials.get(userId, jobId);
    const { username, ...credential } = await asked;
    return sessions.withSession({ cluster, username, credential }, (session) => work({ session, username }));
  };
}
