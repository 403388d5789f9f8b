// Runbooks word for word: their commands as they stand in docs/runbook, in the operator's shell, and what they promise.
import { spawnSync } from 'node:child_process';
import { commandsOf } from '../../packages/testkit/dist/src/index.js';
import { expectEqual, step } from '../test/steps.mjs';

/** Major version of this machine's pg_dump; undefined: there is none. */
export function dumpVersion() {
  const { status, stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number(/(\d+)/.exec(stdout)[1]) : undefined;
}

/** `docs/runbook/backup.md`, of jobs: what was before the backup is there, what came after it is unknown. */
export async function backUpAndRestore({ release, user }) {
  if (dumpVersion() === undefined)
    return console.log('skip   backup and restore: there is no pg_dump (apt-get install postgresql)');
  const before = await user.submit(400, 2);
  await user.completed(before, 400);
  await step('backup.md: databases are backed up', () => release.shell(commandsOf('runbook/backup.md', 'Back up')));
  const later = await user.submit(400, 2);
  await user.completed(later, 400);
  await step('backup.md: jobs is restored, and knows what was before', async () => {
    await release.shell(commandsOf('runbook/backup.md', 'Restore'));
    await release.settled('jobs');
    await user.completed(before, 400);
    expectEqual((await user.send('GET', `/jobs/direct?job_id=${later}`)).status, 404);
    await user.completed(await user.submit(400, 2), 400);
  });
}

/** `docs/runbook/rotation.md`: sections with commands; each leaves a session as it is, and jobs running. */
const ROTATIONS = [
  'A caller token',
  'The encryption key of auth',
  'The signing key of access tokens',
  'The update key master',
];

/** Runs sections of `docs/runbook/rotation.md`, and says which keys of which secrets have changed, as `secret/key`. */
async function rotate({ release, user }, sections) {
  const functions = commandsOf('runbook/rotation.md', 'Replacing a secret');
  const secrets = async () => {
    const { items } = JSON.parse(await release.kubectl('get', 'secrets', '--output', 'json'));
    return items.filter(({ type }) => type === 'Opaque'); // helm keeps its own beside them, one more with each upgrade
  };
  const before = await secrets();
  for (const section of sections) {
    await step(`rotation.md: ${section.charAt(0).toLowerCase()}${section.slice(1)}`, async () => {
      await release.shell(`${functions}\n${commandsOf('runbook/rotation.md', section)}`);
      await user.call('GET', '/auth/status');
      await user.completed(await user.submit(400, 2), 400);
    });
  }
  const changed = (await secrets()).flatMap(({ metadata, data }) => {
    const old = before.find((secret) => secret.metadata.name === metadata.name).data;
    return Object.keys(data)
      .filter((key) => data[key] !== old[key])
      .map((key) => `${metadata.name}/${key}`);
  });
  return changed.toSorted();
}

export async function rotateSecrets(all) {
  expectEqual(await rotate(all, ROTATIONS), [
    'tally-auth/encryption-key',
    'tally-direct-runner/caller-token',
    'tally-jobs/callers',
    'tally-jobs/update-key-master',
    'tally-jobs/update-key-master-before',
    'tally-results/callers',
  ]);
}

/** The old users of both servers are of no use afterwards: what else needs them comes before. */
export async function rotatePasswords(all) {
  const changed = await rotate(all, ['A database password', "The broker's password"]);
  expectEqual(changed, ['tally-direct-runner/queue-url', 'tally-jobs/database-url', 'tally-jobs/queue-url']);
}
