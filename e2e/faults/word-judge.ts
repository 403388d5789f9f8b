import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpSession, runStatement, startMailServer, waitFor } from '@tally/testkit';
import { insist } from './insist.js';
import type { JobRecord } from './job-load.js';

/** Servers that are told of ends, and what they were told. They stay well: what breaks is the suite. */
export interface WordServers {
  /** Settings of services that let users be told. */
  readonly env: {
    readonly auth: Readonly<Record<string, string>>;
    readonly jobs: Readonly<Record<string, string>>;
  };
  readonly webhookUrl: string;
  /** Mails by job: how many. */
  mailsOf(jobId: string): number;
  /** Ids of messages by job, each as often as it came. */
  messagesOf(jobId: string): readonly string[];
  stop(): Promise<void>;
}

/** A mail that a killed copy held is taken by another one after so long. */
export const MAIL_HOLD_MS = 20_000;
const SETTLED_TIMEOUT_MS = 180_000;
const ADDRESS = 'user@example.org';

export async function startWordServers(): Promise<WordServers> {
  const mailServer = await startMailServer();
  const messages: { readonly id: string; readonly jobId: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const { data } = JSON.parse(body) as { readonly data: { readonly job_id?: string } };
      messages.push({ id: String(request.headers['webhook-id']), jobId: data.job_id ?? '' });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const textOf = (index: number) => mailServer.mails[index]?.part('text/plain')?.toString() ?? '';
  return {
    env: {
      auth: {
        AUTH_SMTP_HOST: '127.0.0.1',
        AUTH_SMTP_PORT: String(mailServer.port),
        AUTH_SMTP_SECURITY: 'none',
        AUTH_SMTP_FROM: 'tally@example.org',
        AUTH_PUBLIC_URL: 'https://tally.example.org',
      },
      jobs: { JOBS_WEBHOOKS_ENABLED: 'true', JOBS_WEBHOOK_NETWORKS: '127.0.0.1' },
    },
    webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    mailsOf: (jobId) => mailServer.mails.filter((_mail, index) => textOf(index).includes(`/jobs/${jobId}`)).length,
    messagesOf: (jobId) => messages.filter((message) => message.jobId === jobId).map(({ id }) => id),
    stop: async () => {
      await mailServer.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Lets the user be told of all jobs, before anything breaks. */
export async function subscribe(user: HttpSession, servers: WordServers, authDatabase: string): Promise<void> {
  await runStatement(authDatabase, 'UPDATE users SET email = $1', [ADDRESS]);
  const login = async () => undefined;
  await insist(() => user.request('POST', '/user/webhooks', { body: { url: servers.webhookUrl } }), { login });
  const body = { scope: 'all', channels: ['mail', 'webhooks'] } as const;
  await insist(() => user.request('PUT', '/user/subscriptions', { body: { ...body, channels: [...body.channels] } }), {
    login,
  });
}

/** What is wrong with what was told: of a job that is there one mail, and a webhook at least once with one id; of a deleted one at most one mail. */
export async function judgeWord(servers: WordServers, jobs: readonly JobRecord[]): Promise<string[]> {
  const ended = jobs.filter(({ jobId }) => jobId !== '');
  const kept = ended.filter(({ isDeleted }) => !isDeleted);
  const isTold = ({ jobId }: JobRecord) => servers.mailsOf(jobId) > 0 && servers.messagesOf(jobId).length > 0;
  const all = { timeoutMs: SETTLED_TIMEOUT_MS, intervalMs: 500, what: 'word of every job' };
  await waitFor(() => kept.every(isTold), all).catch(() => undefined);
  const mails = ended.reduce((sum, { jobId }) => sum + servers.mailsOf(jobId), 0);
  const messages = ended.reduce((sum, { jobId }) => sum + servers.messagesOf(jobId).length, 0);
  process.stdout.write(
    `${kept.length} jobs that are kept of ${ended.length}: ${mails} mails, ${messages} messages of webhooks\n`,
  );
  return ended.flatMap(({ jobId, isDeleted }) => {
    const [mailCount, ids] = [servers.mailsOf(jobId), servers.messagesOf(jobId)];
    const faults = [];
    if (mailCount > 1 || (mailCount === 0 && !isDeleted)) faults.push(`${mailCount} mails of job ${jobId}`);
    if (ids.length === 0 && !isDeleted) faults.push(`no webhook of job ${jobId}`);
    if (new Set(ids).size > 1) faults.push(`webhooks of job ${jobId} have ${new Set(ids).size} ids`);
    return faults;
  });
}
