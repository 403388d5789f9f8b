import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kitError, silentLogger, sql } from '@tally/service-kit';
import { freePort, waitFor } from '@tally/testkit';
import { openDatabase } from '../../src/storage/database.js';
import { findJob } from '../shown-job.js';
import { as, openSuite, receiveTask, type Suite, submission } from '../suite.js';

let suite: Suite;
beforeEach(async () => {
  suite = await openSuite();
});
afterEach(() => suite.stop());

describe('a database that is away', () => {
  it('is UNAVAILABLE for the caller, so that it tries again', async () => {
    const database = openDatabase(`postgresql://postgres@127.0.0.1:${await freePort()}/jobs`, 1);
    const unavailable = { status: 'UNAVAILABLE', reason: kitError('SERVICE_UNAVAILABLE').reason };
    await expect(database.check()).rejects.toMatchObject(unavailable);
    await expect(database.transact(async (tx) => tx.run(sql`SELECT 1`))).rejects.toMatchObject(unavailable);
    await database.close();
  });

  it('that cuts a connection in the middle of a transaction is UNAVAILABLE too, and leaves nothing half done', async () => {
    const database = openDatabase(suite.database.url, 1);
    const cut = database.transact(async (tx) => {
      await tx.run(sql`INSERT INTO duties (id, kind, job_id) VALUES ('cut', 'remove', 'cut')`);
      await suite.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`,
      );
      await tx.run(sql`INSERT INTO duties (id, kind, job_id) VALUES ('off', 'remove', 'off')`);
    });
    await expect(cut).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    expect(await suite.sql('SELECT 1 FROM duties')).toEqual([]);
    await waitFor(async () => (await database.check(), true)); // the next connection works
    await database.close();
  });
});

describe('a service whose database comes and goes', () => {
  it('answers again, and its loops work again, without a restart', async () => {
    await suite.start({ databaseConnectionsMax: 4, dispatchIntervalMs: 50 });
    const gateway = suite.client('gateway');
    await suite.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    const { jobId } = await waitFor(() => as(1n, () => gateway.submitJob(submission())));
    expect((await receiveTask(suite.queue)).task.jobId).toBe(jobId);
    expect((await findJob(gateway, 1n, jobId)).jobId).toBe(jobId);
  });
});

describe('a start without a database', () => {
  it('fails, and leaves nothing running', async () => {
    const { startTestJobs } = await import('../../testing/start.js');
    const databaseUrl = `postgresql://postgres@127.0.0.1:${await freePort()}/jobs`;
    const settings = { databaseUrl, queueUrl: suite.queueUrl, resultsAddress: suite.results.address };
    await expect(startTestJobs(settings, silentLogger)).rejects.toThrow(/^database \(.*ECONNREFUSED/);
  });
});
