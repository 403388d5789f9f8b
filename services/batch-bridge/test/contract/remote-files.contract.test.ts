import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tally/service-kit';
import { type Cluster, startCluster } from '@tally/testkit';
import { type JobFolderPath, jobFolderPath } from '../../src/domain/job-folder-path.js';
import { readJobId } from '../../src/domain/job-id.js';
import type { RemoteFiles } from '../../src/domain/remote-files.js';

import { SshPool } from '../../src/ssh/pool.js';
import type { Session } from '../../src/ssh/session.js';
import { credentialOf, LIMITS, settingsOf } from '../cluster-fixture.js';

let cluster: Cluster;
let pool: SshPool;
let folder: JobFolderPath;
let jobCount = 0;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 1, hasAccounting: false });
  pool = new SshPool({ ...LIMITS, commandTimeoutMs: 3_000, clock: systemClock });
});
afterAll(async () => {
  pool?.close();
  await cluster?.stop();
});
beforeEach(() => {
  const jobId = readJobId(`20261121-150405-0191c2a4-7f3e-7c1d-9a55-${String(++jobCount).padStart(12, '0')}`);
  folder = jobFolderPath(settingsOf(cluster), cluster.facts.users.cert.name, jobId);
  mkdirSync(path.join(folder, 'tasks/1'), { recursive: true });
});

/** Gives everything in the home of the user to the user. */
function handOver(): void {
  const { name, home } = cluster.facts.users.cert;
  execFileSync('chown', ['--recursive', '--no-dereference', `${name}:`, home]);
}

const withSession = <T>(work: (session: Session) => Promise<T>): Promise<T> => {
  handOver();
  const { name: username } = cluster.facts.users.cert;
  const login = {
    cluster: settingsOf(cluster),
    username,
    credential: credentialOf(cluster.facts.certificates.ed25519),
  };
  return pool.withSession(login, work);
};
const withFiles = <T>(work: (files: RemoteFiles) => Promise<T>): Promise<T> =>
  withSession((session) => session.withFiles(work));
const read = (name: string): Promise<string | undefined> =>
  withFiles((files) =>
    files.open(`${folder}/${name}`, async (file) => (await file.read(0, file.sizeBytes)).toString('utf8')),
  );

describe('reading', () => {
  it('gives any part of a file, whatever its size, and stops where it ends', async () => {
    const content = Buffer.from(Float64Array.from({ length: 500_000 }, (_, i) => i).buffer);
    writeFileSync(`${folder}/log`, content);
    await withFiles((files) =>
      files.open(`${folder}/log`, async (file) => {
        expect(file.sizeBytes).toBe(content.length);
        expect((await file.read(0, content.length)).equals(content)).toBe(true);
        expect((await file.read(1_234_567, 100_001)).equals(content.subarray(1_234_567, 1_334_568))).toBe(true);
        expect(await file.read(content.length - 3, 1_000)).toHaveLength(3);
        expect(await file.read(content.length + 10, 10)).toHaveLength(0);
        truncateSync(`${folder}/log`, 100_000);
        expect(await file.read(50_000, 1_000_000)).toHaveLength(50_000);
      }),
    );
  });

  it('follows no link, opens no pipe and no folder, and takes what is missing or closed for not there', async () => {
    symlinkSync('/etc/passwd', `${folder}/link`);
    symlinkSync('/etc', `${folder}/folder-link`);
    execFileSync('mkfifo', [`${folder}/pipe`]);
    writeFileSync(`${folder}/closed`, 'x', { mode: 0 });
    for (const name of ['link', 'pipe', 'tasks', 'missing', 'tasks/9/log', 'closed']) {
      expect([name, await read(name)]).toEqual([name, undefined]);
    }
  });

  it('reads no more of 10 GB of nothing than it is asked for', async () => {
    writeFileSync(`${folder}/sparse`, '');
    truncateSync(`${folder}/sparse`, 10 * 1024 ** 3);
    await withFiles((files) =>
      files.open(`${folder}/sparse`, async (file) => {
        expect(file.sizeBytes).toBe(10 * 1024 ** 3);
        expect(await file.read(9 * 1024 ** 3, 10)).toEqual(Buffer.alloc(10));
      }),
    );
  });

  it('says that a file system fails, and not that there is no file', async () => {
    await expect(read('x'.repeat(300))).rejects.toMatchObject({ reason: 'FILE_UNREADABLE' });
  });

  it('reads many small files over one channel, many at once', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `f${i}`);
    for (const name of names) writeFileSync(`${folder}/${name}`, `content of ${name}`);
    const texts = await withFiles((files) =>
      Promise.all(
        names.map((name) => files.open(`${folder}/${name}`, async (file) => String(await file.read(0, 1_000)))),
      ),
    );
    expect(texts).toEqual(names.map((name) => `content of ${name}`));
  });

  it('ends with the connection', async () => {
    writeFileSync(`${folder}/log`, 'x');
    const reading = withSession((session) =>
      session.withFiles((files) =>
        files.open(`${folder}/log`, async (file) => {
          session.close();
          return file.read(0, 1);
        }),
      ),
    );
    await expect(reading).rejects.toMatchObject({ reason: 'COMMAND_LOST' });
  });
});

describe('listing', () => {
  const find = (names: readonly string[], depthMax = 3) =>
    withSession((session) => session.findFiles(folder, names, depthMax));

  it('finds plain files by name, down to the given depth, behind no link', async () => {
    writeFileSync(`${folder}/tasks/1/log`, 'four');
    mkdirSync(`${folder}/tasks/1/deep`);
    writeFileSync(`${folder}/tasks/1/deep/log`, '');
    mkdirSync(`${folder}/elsewhere/2`, { recursive: true });
    writeFileSync(`${folder}/elsewhere/2/other`, '');
    symlinkSync(`${folder}/tasks/1`, `${folder}/tasks/3`);
    symlinkSync('/etc/passwd', `${folder}/tasks/1/end.json`);
    mkdirSync(`${folder}/tasks/4`);
    execFileSync('mkfifo', [`${folder}/tasks/4/log`]);
    const found = await find(['log', 'end.json']);
    expect(found).toMatchObject([{ path: 'tasks/1/log', sizeBytes: 4 }]);
    expect(Date.now() - (found[0]?.modifiedAt.getTime() ?? 0)).toBeLessThan(60_000);
  });

  it('survives names that look like records, and folders that are closed or missing', async () => {
    writeFileSync(`${folder}/tasks/1/log`, 'x');
    mkdirSync(`${folder}/tasks/x\n99 1.0 tasks`, { recursive: true });
    writeFileSync(`${folder}/tasks/x\n99 1.0 tasks/log`, '');
    mkdirSync(`${folder}/tasks/2`, { mode: 0 });
    const paths = (await find(['log'])).map((file) => file.path);
    expect(paths).toContain('tasks/1/log');
    expect(await withSession((session) => session.findFiles(`${folder}0` as JobFolderPath, ['log'], 3))).toEqual([]);
  });
});

describe('removing', () => {
  it('removes the folder, and nothing that links in it lead to', async () => {
    const outside = `${cluster.facts.users.cert.home}/outside`;
    mkdirSync(outside, { recursive: true });
    writeFileSync(`${outside}/file`, 'stays');
    symlinkSync(outside, `${folder}/tasks/link`);
    symlinkSync(`${outside}/file`, `${folder}/link`);
    mkdirSync(`${folder}/-rf *`);
    writeFileSync(`${folder}/a\nb`, '');
    const sibling = folder.replace(/.$/, '0');
    mkdirSync(sibling, { recursive: true });
    await withSession((session) => session.removeFolder(folder));
    await withSession((session) => session.removeFolder(folder));
    expect(existsSync(folder)).toBe(false);
    expect(readFileSync(`${outside}/file`, 'utf8')).toBe('stays');
    expect(existsSync(sibling)).toBe(true);
  });

  it('removes a link instead of the folder, and not what it leads to', async () => {
    const outside = `${cluster.facts.users.cert.home}/kept`;
    mkdirSync(outside, { recursive: true });
    writeFileSync(`${outside}/file`, 'stays');
    await withSession((session) => session.removeFolder(folder));
    symlinkSync(outside, folder);
    await withSession((session) => session.removeFolder(folder));
    expect(existsSync(`${outside}/file`)).toBe(true);
  });

  it('says when it cannot', async () => {
    const { name: username, home } = cluster.facts.users.cert;
    handOver();
    chownSync(home, 0, 0); // the user may not take anything out of it
    try {
      const login = {
        cluster: settingsOf(cluster),
        username,
        credential: credentialOf(cluster.facts.certificates.rsa),
      };
      const removing = pool.withSession(login, (session) => session.removeFolder(folder));
      await expect(removing).rejects.toMatchObject({ reason: 'FOLDER_NOT_REMOVED' });
    } finally {
      handOver();
    }
  });
});
