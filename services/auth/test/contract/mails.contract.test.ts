import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { auth } from '@tally/contracts';
import {
  type MailServerUnderTest,
  smtpAnswer,
  startMailServer,
  testCallers,
  waitFor,
  workspaceRoot,
} from '@tally/testkit';
import { type AuthFixture, ENCRYPTION_KEY, register, startAuthFixture } from '../auth-fixture.js';

const PUBLIC_URL = 'https://tally.example.org';
let server: MailServerUnderTest;
let fixture: AuthFixture;
const nothing = async () => undefined;
const untouched = { beforeRecipient: nothing, beforeAnswer: nothing, afterKept: nothing };
const createNotice = (asked: auth.CreateNoticeRequest) => fixture.jobs.createNotice(asked);

beforeAll(async () => {
  server = await startMailServer();
  fixture = await startAuthFixture(mailing());
});
afterEach(() => void Object.assign(server, untouched));
afterAll(async () => {
  await fixture.stop();
  await server.stop();
});

const mailing = () =>
  ({
    smtpHost: '127.0.0.1',
    smtpPort: server.port,
    smtpSecurity: 'none',
    smtpFrom: 'Tally <tally@example.org>',
    publicUrl: PUBLIC_URL,
    mailIntervalMs: 100,
  }) as const;

let count = 0;
/** A user with a confirmed address. */
async function addressee() {
  const name = `addressee-${++count}`;
  const email = `${name}@example.org`;
  const [row] = await fixture.query(
    "INSERT INTO users (username, provider, password_hash, email) VALUES ($1, 'local', 'none', $2) RETURNING id",
    [name, email],
  );
  return { userId: BigInt(String(row?.id)), email };
}
const notice = (userId: bigint, noticeId: string, more: Partial<auth.CreateNoticeRequest> = {}) => ({
  noticeId,
  userId,
  subject: 'Water tank: completed',
  paragraphs: ['Water tank is COMPLETED.', '10 000 primaries.'],
  linkPath: '/console/jobs/1',
  linkWords: 'Look at the job',
  picture: Buffer.alloc(0),
  pictureAlt: '',
  groupId: '',
  ...more,
});
const mailsTo = (email: string) => server.mails.filter(({ to }) => to.includes(email));
const stateOf = async (userId: bigint) =>
  (await fixture.query('SELECT state, answer, content, picture FROM mails WHERE user_id = $1', [String(userId)]))[0];
const ended = (userId: bigint, state: string) =>
  waitFor(async () => (await stateOf(userId))?.state === state, { what: `a mail that is ${state}` });
/** What a worker holds is free now. */
const endHolds = () =>
  fixture.query("UPDATE mails SET held_until = now() - interval '1 second' WHERE held_until IS NOT NULL");
const retryNow = () => fixture.query("UPDATE mails SET next_try_at = now() - interval '1 second'");

describe('CreateNotice OK', () => {
  it('mails text, HTML and picture once, however often it is asked for', async () => {
    const { userId, email } = await addressee();
    const picture = Buffer.from([137, 80, 78, 71, 1, 2, 3]);
    const asked = notice(userId, 'job:1', { picture, pictureAlt: 'Dose <over> depth', subject: 'Größe & <b>' });
    for (let i = 0; i < 3; i++) expect(await createNotice(asked)).toEqual({ isAccepted: true });
    await ended(userId, 'sent');
    expect(await createNotice(asked)).toEqual({ isAccepted: true });
    const [mail, ...more] = mailsTo(email);
    expect(more).toEqual([]);
    expect(mail?.from).toBe('tally@example.org');
    expect(mail?.header('Message-ID')).toMatch(/^<[0-9a-f-]{36}@example\.org>$/);
    expect(mail?.header('Auto-Submitted')).toBe('auto-generated');
    const text = mail?.part('text/plain')?.toString();
    for (const words of ['10 000 primaries.', 'Dose <over> depth', `Look at the job: ${PUBLIC_URL}/console/jobs/1`]) {
      expect(text).toContain(words);
    }
    const html = mail?.part('text/html')?.toString();
    expect(html).toContain('alt="Dose &lt;over&gt; depth"');
    expect(html).toContain('src="cid:curve"');
    expect(mail?.header('Subject')).not.toContain('<b>'); // encoded, RFC 2047
    expect(mail?.part('image/png')).toEqual(picture);
    expect(await stateOf(userId)).toMatchObject({ content: null, picture: null });
  });

  it('tells nobody without a confirmed address', async () => {
    const userId = await register(fixture, 'nowhere');
    expect(await createNotice(notice(userId, 'job:2'))).toEqual({ isAccepted: false });
    expect(await stateOf(userId)).toBeUndefined();
  });

  it('tells nobody who is blocked or deleted, also when the mail was kept before', async () => {
    for (const column of ['blocked_at', 'deleted_at']) {
      const { userId, email } = await addressee();
      server.beforeAnswer = async () => {
        throw smtpAnswer(451, 'later');
      };
      await createNotice(notice(userId, `${column}:1`));
      await waitFor(async () => (await stateOf(userId))?.answer, { what: 'the first answer' });
      await fixture.query(`UPDATE users SET ${column} = now() WHERE id = $1`, [String(userId)]);
      server.beforeAnswer = nothing;
      await retryNow();
      await ended(userId, 'failed');
      expect(await createNotice(notice(userId, `${column}:2`))).toEqual({ isAccepted: false });
      expect(mailsTo(email)).toEqual([]);
    }
  });

  it('tells of a group nobody but its members, also when the mail was kept before', async () => {
    const { userId, email } = await addressee();
    await fixture.query("INSERT INTO groups (id, name, created_at) VALUES ('clinic', 'Clinic', now())");
    const ofGroup = (id: string) => createNotice(notice(userId, id, { groupId: 'clinic' }));
    expect(await ofGroup('group:1')).toEqual({ isAccepted: false });
    await fixture.query(
      "INSERT INTO memberships (group_id, user_id, role, joined_at) VALUES ('clinic', $1, 'viewer', now())",
      [String(userId)],
    );
    server.beforeAnswer = async () => {
      throw smtpAnswer(451, 'later');
    };
    expect(await ofGroup('group:2')).toEqual({ isAccepted: true });
    await waitFor(async () => (await stateOf(userId))?.answer, { what: 'the first answer' });
    await fixture.query('DELETE FROM memberships WHERE user_id = $1', [String(userId)]);
    server.beforeAnswer = nothing;
    await retryNow();
    await ended(userId, 'failed');
    expect(mailsTo(email)).toEqual([]);
  });

  it('sends again what the server defers, with the same Message-ID and date', async () => {
    const { userId, email } = await addressee();
    const ids: (string | undefined)[] = [];
    server.beforeAnswer = async (mail) => {
      ids.push(mail.header('Message-ID'), mail.header('Date'));
      if (ids.length === 2) throw smtpAnswer(451, 'greylisted');
    };
    await createNotice(notice(userId, 'job:3'));
    await ended(userId, 'waiting');
    await waitFor(async () => (await stateOf(userId))?.answer !== null, { what: 'the first answer' });
    await retryNow();
    await ended(userId, 'sent');
    expect(mailsTo(email)).toHaveLength(1);
    expect([ids[0], ids[1]]).toEqual([ids[2], ids[3]]);
  });

  it('gives up what the server refuses for good, and what is older than a day', async () => {
    const refused = await addressee();
    server.beforeAnswer = async () => {
      throw smtpAnswer(550, 'no such mailbox');
    };
    await createNotice(notice(refused.userId, 'job:4'));
    await ended(refused.userId, 'failed');
    expect((await stateOf(refused.userId))?.answer).toContain('no such mailbox');
    const old = await addressee();
    server.beforeAnswer = async () => {
      throw smtpAnswer(451, 'later');
    };
    await createNotice(notice(old.userId, 'job:5'));
    await waitFor(async () => (await stateOf(old.userId))?.answer, { what: 'the first answer' });
    await fixture.query("UPDATE mails SET created_at = created_at - interval '25 hours' WHERE user_id = $1", [
      String(old.userId),
    ]);
    await retryNow();
    await ended(old.userId, 'failed');
  });
});

describe('CreateNotice INVALID_ARGUMENT', () => {
  it('names what is outside its limits', async () => {
    const { userId } = await addressee();
    const table: [Partial<auth.CreateNoticeRequest>, string][] = [
      [{ noticeId: '' }, 'notice_id'],
      [{ noticeId: 'x'.repeat(201) }, 'notice_id'],
      [{ subject: '' }, 'content'],
      [{ linkPath: 'https://elsewhere.example' }, 'link_path'],
      [{ picture: Buffer.alloc(2 * 1024 * 1024 + 1) }, 'picture'],
    ];
    for (const [change, field] of table) {
      await expect(createNotice(notice(userId, 'job:6', change))).rejects.toMatchObject({
        status: 'INVALID_ARGUMENT',
        fields: [{ field }],
      });
    }
  });
});

/** A copy of auth as a process that can be killed. */
async function startProcess(): Promise<{ readonly child: ChildProcess; kill(): Promise<void> }> {
  const callers = [...testCallers('gateway', 'jobs')].map(([name, [hash]]) => `${name}:${hash?.toString('hex')}`);
  const [{ id, key }] = ENCRYPTION_KEY;
  const env = {
    PATH: process.env.PATH,
    AUTH_DATABASE_URL: fixture.databaseUrl,
    AUTH_LISTEN_ADDRESS: '127.0.0.1:0',
    AUTH_METRICS_ADDRESS: '127.0.0.1:0',
    AUTH_CALLERS: callers.join(','),
    AUTH_ENCRYPTION_KEY: `${id}:${key.toString('base64')}`,
    AUTH_BCRYPT_COST: '4',
    AUTH_SMTP_HOST: '127.0.0.1',
    AUTH_SMTP_PORT: String(server.port),
    AUTH_SMTP_SECURITY: 'none',
    AUTH_SMTP_FROM: 'tally@example.org',
    AUTH_PUBLIC_URL: PUBLIC_URL,
  };
  const child = spawn(process.execPath, ['services/auth/dist/src/main.js'], {
    cwd: workspaceRoot(),
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    child,
    async kill() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

describe('a copy that is killed', () => {
  /** A mail that only the process may send. */
  async function mailOfProcess(userId: bigint, noticeId: string) {
    await fixture.stopFirst();
    const content = { subject: 's', paragraphs: ['p'], link: { path: '/console/', words: 'w' } };
    await fixture.query(
      `INSERT INTO mails (id, notice_id, user_id, kind, content, created_at, next_try_at)
       VALUES (gen_random_uuid(), $1, $2, 'notice', $3, now(), now())`,
      [noticeId, String(userId), JSON.stringify(content)],
    );
  }

  it('after the final dot has sent the mail: nobody sends it again', async () => {
    const { userId, email } = await addressee();
    const process = await startProcess();
    server.afterKept = async () => {
      await process.kill(); // the server has the mail, and its 250 reaches nobody
    };
    await mailOfProcess(userId, 'killed-after');
    await once(process.child, 'exit');
    await endHolds();
    const next = await fixture.addCopy();
    await ended(userId, 'presumed_sent');
    expect(mailsTo(email)).toHaveLength(1);
    await next.stop();
  }, 60_000);

  it('before the hand-over has sent no dot: the next copy sends the mail', async () => {
    const { userId, email } = await addressee();
    const process = await startProcess();
    server.beforeRecipient = async () => {
      server.beforeRecipient = nothing;
      await process.kill();
    };
    await mailOfProcess(userId, 'killed-before');
    await once(process.child, 'exit');
    await endHolds();
    const next = await fixture.addCopy();
    await ended(userId, 'sent');
    expect(mailsTo(email)).toHaveLength(1);
    await next.stop();
  }, 60_000);
});

describe('a 250 that cannot be noted', () => {
  it('is not forgotten: the mail is not sent again, and counts as sent', async () => {
    await fixture.stopFirst(); // it would hold the mail for minutes
    const { userId, email } = await addressee();
    const next = await fixture.addCopy({ mailHoldMs: 1_000 });
    await fixture.query(`CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`);
    await fixture.query(`CREATE TRIGGER forget BEFORE UPDATE ON mails FOR EACH ROW
      WHEN (NEW.state = 'sent') EXECUTE FUNCTION forget()`);
    await next.jobs.createNotice(notice(userId, 'forgotten'));
    await ended(userId, 'presumed_sent');
    await fixture.query('DROP FUNCTION forget CASCADE');
    await retryNow();
    expect(mailsTo(email)).toHaveLength(1);
    await next.stop();
  });
});

describe('a hand-over that cannot be noted', () => {
  it('sends no dot, and the mail goes out once when it can', async () => {
    const { userId, email } = await addressee();
    const next = await fixture.addCopy();
    await fixture.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`);
    await fixture.query(`CREATE TRIGGER refuse BEFORE UPDATE ON mails FOR EACH ROW
      WHEN (NEW.state = 'handing_over' AND OLD.state = 'waiting') EXECUTE FUNCTION refuse()`);
    await next.jobs.createNotice(notice(userId, 'unnoted'));
    await waitFor(async () => (await stateOf(userId))?.answer, { what: 'the first try' });
    expect(mailsTo(email)).toEqual([]);
    await fixture.query('DROP FUNCTION refuse CASCADE');
    await retryNow();
    await ended(userId, 'sent');
    expect(mailsTo(email)).toHaveLength(1);
    await next.stop();
  });
});
