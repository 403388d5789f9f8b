import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { markerOf } from '../../src/domain/submission.js';
import { ENDLESS_DECK, useEnvironment } from '../environment.js';

const environment = useEnvironment();

/** Files of the user's home, owned by the user. */
function writeHome(name: string, content: string | Buffer, mode = 0o644): void {
  const { home } = environment.cluster.facts.users.cert;
  const { uid, gid } = statSync(home);
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
  for (const owned of [file, path.dirname(file)]) chownSync(owned, uid, gid);
}
const inHome = (name: string): string => path.join(environment.cluster.facts.users.cert.home, name);

/** The site has a program of its own in the place of one of Slurm's. */
function replaceProgram(name: string, script: string): void {
  writeHome(`bin/${name}`, `#!/bin/bash\n${script}`, 0o755);
  writeHome('.bashrc', `export PATH=${inHome('bin')}:$PATH\n`);
}
/** Says something once, and is the real one from then on. */
const onceSays = (name: string, text: string): string =>
  `here=$(dirname "$0")\nif mkdir "$here/${name}.said" 2>/dev/null; then echo ${JSON.stringify(text)} >&2; exit 1; fi\nexec /usr/bin/${name} "$@"\n`;

afterEach(() => {
  environment.shell('/usr/bin/scancel --me');
  for (const name of ['bin', '.bashrc']) rmSync(inHome(name), { recursive: true, force: true });
});

const namesOf = (rows: ReturnType<typeof environment.rows>) => rows.map(({ name }) => name);

describe('a cluster whose sbatch', () => {
  it.each([
    'sbatch: error: Batch job submission failed: Slurm backup controller in standby mode',
    'sbatch: fatal: Unable to process configuration file',
    'sbatch: error: Batch job submission failed: I/O error writing script/environment to file',
    'sbatch: error: Batch job submission failed: Access/permission denied',
  ])('says something once takes the job the next time: %s', async (text) => {
    environment.setCredential();
    replaceProgram('sbatch', onceSays('sbatch', text));
    const { submit } = await environment.start();
    const jobId = environment.newJob(2);
    const outcome = await submit(jobId);
    const [, words = ''] = /: ([^:]+)$/.exec(text) ?? [];
    expect(outcome).toMatchObject({ $case: 'underway', value: { waitingReason: expect.stringContaining(words) } });
    await waitFor(() => environment.services.job(jobId).reports.at(-1)?.waitingReason === '', {
      what: 'the submission',
    });
    expect(environment.services.log(jobId, 'submission')).toContain(words);
    expect(new Set(environment.rows(jobId).map(({ id }) => id)).size).toBe(2);
  });

  it('prints a greeting and no id alone, behind a login that prints, has the job once', async () => {
    environment.setCredential();
    const says = ['----', '  Welcome to the big machine', '--> Verifying valid submit host (login1)...OK'];
    const greeting = says.map((line) => `echo '${line}'\n`).join('');
    replaceProgram(
      'sbatch',
      `out=$(/usr/bin/sbatch "$@") || exit $?\n${greeting}echo "Submitted batch job $out on cluster north"\n`,
    );
    const bashrc = `export PATH=${inHome('bin')}:$PATH\nprintf 'Gr\xfc\xdfe \\033[31mheute\\033[0m\\n17\\nmodule: gcc/12'\n`;
    writeHome('.bashrc', Buffer.from(bashrc, 'latin1'));
    const { submit } = await environment.start();
    const jobId = environment.newJob(2);
    expect(await submit(jobId)).toEqual({ $case: 'submitted', value: {} });
    const rows = environment.rows(jobId);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
    const arrayId = String(environment.services.job(jobId).reports.at(-1)?.arrayId);
    expect(rows.find(({ name }) => name === markerOf(jobId, 1))?.id).toBe(arrayId);
  });

  it('refuses the collect job costs no array', async () => {
    environment.setCredential();
    const refuse = 'echo "sbatch: error: Batch job submission failed: Invalid qos specification" >&2; exit 1';
    replaceProgram('sbatch', `case "$*" in *--dependency=*) ${refuse};; esac\nexec /usr/bin/sbatch "$@"\n`);
    const { submit } = await environment.start();
    const jobId = environment.newJob(2, ENDLESS_DECK);
    await submit(jobId);
    await waitFor(() => environment.services.job(jobId).reports.at(-1)?.jobDir !== undefined, {
      what: 'the submission',
    });
    expect(new Set(namesOf(environment.rows(jobId)))).toEqual(new Set([markerOf(jobId, 1)]));
    expect(environment.rows(jobId).some(({ state }) => state === 'CANCELLED')).toBe(false);
    expect(environment.services.log(jobId, 'submission')).toContain('the tasks run without it');
  });

  it('is still at work when it is given up ends by itself, and what it brought all the same is canceled', async () => {
    environment.setCredential();
    // takes the first array, and does not come back
    replaceProgram(
      'sbatch',
      `here=$(dirname "$0")\nmkdir "$here/slept" 2>/dev/null || exec /usr/bin/sbatch "$@"\n(sleep 8; /usr/bin/sbatch "$@" < <(printf '#!/bin/sh\\nsleep 600\\n')) &\nsleep 600\n`,
    );
    const { submit } = await environment.start({ commandTimeoutMs: 3_000, markerGraceMs: 1_000 });
    const jobId = environment.newJob(2, ENDLESS_DECK);
    await submit(jobId);
    await waitFor(() => environment.services.job(jobId).reports.at(-1)?.jobDir !== undefined, {
      what: 'the submission',
    });
    const arrayId = String(environment.services.job(jobId).reports.at(-1)?.arrayId);
    const arrays = () => environment.rows(jobId).filter(({ name }) => name === markerOf(jobId, 1));
    await waitFor(() => arrays().some(({ id }) => id !== arrayId), { what: 'the late one', timeoutMs: 60_000 });
    await waitFor(() => arrays().every(({ id, state }) => (id === arrayId) === (state !== 'CANCELLED')), {
      what: 'the cancel of the late one alone',
      timeoutMs: 60_000,
    });
    await waitFor(() => environment.shell('pgrep -u "$(id -u)" -x timeout || true').trim() === '', {
      what: 'the end of the sbatch that was given up',
      timeoutMs: 60_000,
    });
  });
});

describe('a cluster whose sacct is not for users', () => {
  it.each([
    ['denies', 'echo "sacct: error: Access/permission denied" >&2; exit 1'],
    ['is not there', 'exit 127'],
    ['prints anything', 'echo "no such thing as accounting"; exit 0'],
  ])('%s: failures are reported, and cancels reach the scheduler', async (_, script) => {
    environment.setCredential();
    replaceProgram('sacct', `${script}\n`);
    const { submit, client } = await environment.start({ failureGraceMs: 500 });
    const [failing, endless] = [environment.newJob(1, ENDLESS_DECK), environment.newJob(1, ENDLESS_DECK)];
    for (const jobId of [failing, endless]) expect(await submit(jobId)).toMatchObject({ $case: 'submitted' });
    const isRunning = (jobId: typeof failing) => environment.rows(jobId).some(({ state }) => state === 'RUNNING');
    await waitFor(() => isRunning(failing) && isRunning(endless), { what: 'both to run', timeoutMs: 60_000 });
    const array = environment.rows(failing).find(({ name }) => name === markerOf(failing, 1))?.id ?? '';
    environment.asClusterUser('scancel', '--signal=KILL', '--full', array);
    const { FAILED } = { FAILED: jobs.State.STATE_FAILED };
    await waitFor(() => environment.services.job(failing).states[0] === FAILED, {
      what: 'the failure',
      timeoutMs: 60_000,
    });
    await client.cancelBatch({ jobId: endless, lastTask: 0 });
    const isCanceled = () =>
      environment.rows(endless).some(({ name, state }) => name === markerOf(endless, 1) && state === 'CANCELLED');
    await waitFor(isCanceled, { what: 'the cancel', timeoutMs: 60_000 });
  });
});

describe('a cluster whose login script prints', () => {
  it('into the transfer of files is told of at once', async () => {
    environment.setCredential();
    const config = `${environment.cluster.facts.dir}/ssh/sshd_config`;
    const before = readFileSync(config, 'utf8');
    const restart = async (text: string) => {
      writeFileSync(config, text);
      await environment.cluster.fault('crash', 'sshd');
      await environment.cluster.fault('start', 'sshd');
    };
    await restart(before.replace('sftp internal-sftp', 'sftp /usr/lib/openssh/sftp-server'));
    try {
      for (const noise of ['Willkommen im Rechenzentrum', '\\xc3\\x84rger']) {
        writeHome('.bashrc', `printf '${noise}\\n'\n`);
        const { submit, stop } = await environment.start();
        const jobId = environment.newJob(1);
        const message = expect.stringMatching(
          /^The login script of \S+ on test prints ".+" into the transfer of files/,
        );
        expect(await submit(jobId)).toMatchObject({
          $case: 'failed',
          value: { reason: 'LOGIN_SCRIPT_PRINTS', message },
        });
        expect(environment.services.log(jobId, 'submission')).toContain('The login script of ');
        await stop();
      }
    } finally {
      await restart(before);
    }
  });

  it('and ends the login is told of in its own words', async () => {
    environment.setCredential();
    writeHome('.bashrc', 'echo "This account is currently not available."; exit 1\n');
    const { submit } = await environment.start();
    const message = expect.stringContaining('This account is currently not available.');
    expect(await submit(environment.newJob(1))).toMatchObject({
      $case: 'failed',
      value: { reason: 'COMMAND_NOT_RUN', message },
    });
  });
});
