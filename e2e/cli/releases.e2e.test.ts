import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { commandOf, previousRoots } from '../fixtures/previous-release.js';
import { exampleProject, PASSWORD, startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';

/*
 * The command of one release and the service of the other: what a user does on a day. `pnpm check:previous --only client` provides
 * both commands, each one file, and the previous service.
 */

const { TEST_PREVIOUS_CLI: previousCli, TEST_CLI: cli } = process.env;
const withBoth =
  previousRoots === undefined || previousCli === undefined || cli === undefined ? describe.skip : describe;

let suite: TestSuite | undefined;
afterEach(() => suite?.stop());

async function spendDay(service: TestSuite, program: string): Promise<void> {
  await service.newUser();
  const home = path.join(service.directory, 'home');
  mkdirSync(home);
  const tally = async (args: readonly string[], input = '') => {
    const env = { PATH: process.env.PATH, HOME: home, TALLY_URL: service.gatewayUrl };
    const child = spawn(process.execPath, [program, ...args], { cwd: home, env });
    child.stdin.end(input);
    const code = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect({ args, code: await code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  };
  writeFileSync(path.join(home, 'project.json'), JSON.stringify(exampleProject('proton-150mev-water', 2_000)));
  await tally(['login', '-u', 'user-1', '--password-stdin'], `${PASSWORD}\n`);
  const run = await tally(['submit', 'project.json', '--tasks', '2', '--set', 'beam.energy=100', '--watch']);
  expect(run).toContain('2000 / 2000 primaries, COMPLETED');
  const [jobId = ''] = run.split('\n');
  expect(await tally(['list'])).toContain(jobId);
  expect(JSON.parse(await tally(['show', jobId, '--json']))).toMatchObject({ job_state: 'COMPLETED' });
  expect(await tally(['plot', jobId])).toMatch(/R80 +7\.[6-8]\d* ± 0\.\d+ cm/);
  const csv = await tally(['results', jobId, '-e', 'depth_dose', '--page', '1']);
  expect(csv.trim().split('\n')).toHaveLength(401);
  await tally(['inputs', jobId, '--out', 'inputs']);
  expect(existsSync(path.join(home, 'inputs/project.json'))).toBe(true);
  expect(await tally(['logs', jobId, '--task', '2'])).toContain('reference');
  await tally(['extend', jobId, '--primaries', '100']);
  await tally(['watch', jobId]);
  const second = (await tally(['submit', 'project.json', '--primaries', '5e7'])).trim();
  await tally(['cancel', second]);
  for (const id of [jobId, second]) await tally(['delete', id]);
  expect(await tally(['list'])).not.toContain(jobId);
}

withBoth('the command tally', () => {
  it('of this release works with the service of the previous one', async () => {
    suite = await startTestSuite({ command: (service) => commandOf(previousRoots ?? '', service) });
    await spendDay(suite, cli ?? '');
  }, 240_000);

  it('of the previous release works with the service of this one', async () => {
    suite = await startTestSuite();
    await spendDay(suite, previousCli ?? '');
  }, 240_000);
});
