import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor, workspaceRoot } from '@tally/testkit';
import { exampleProject, startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { type InstalledCommand, installCommand } from './installed-command.js';

const PASSWORD = 'correct horse battery';
let suite: TestSuite;
let home: string;
let project: string;
let tally: InstalledCommand['tally'];
let json: InstalledCommand['json'];
beforeAll(async () => {
  suite = await startTestSuite();
  await suite.newUser();
  ({ home, tally, json } = await installCommand(suite));
  project = path.join(suite.directory, 'project.json');
  writeFileSync(project, JSON.stringify(exampleProject('proton-150mev-water', 2_000)));
});
afterAll(() => suite?.stop());

interface Figure {
  readonly geometryData: { readonly position: number[]; readonly parameters: { depth: number } };
}

describe('the command tally', () => {
  it('asks to sign in, signs in by a password on standard input, and keeps a token for its owner alone', async () => {
    const refused = await tally(['list']);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('tally login')]);
    expect((await tally(['login', '-u', 'user-1', '--password-stdin'], 'not it, sorry\n')).code).toBe(3);
    const done = await tally(['login', '-u', 'user-1', '--password-stdin'], `${PASSWORD}\n`);
    expect([done.code, done.stderr]).toEqual([0, '']);
    const file = path.join(home, '.config/tally/config.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token: string };
    expect(token).toMatch(/^tly_/);
    expect(done.stdout).not.toContain(token);
    expect(await json('status')).toMatchObject({ username: 'user-1', source: 'local' });
    expect((await tally(['list'], '', { TALLY_TOKEN: 'tly_wrong' })).code).toBe(3);
  });

  it('submits a changed project, follows it, and gives its results, inputs and logs', async () => {
    const run = await tally(['submit', project, '--tasks', '2', '--set', 'beam.energy=100', '--seed', '7', '--watch']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    const [jobId = ''] = run.stdout.split('\n');
    expect(run.stdout).toContain('2000 / 2000 primaries, COMPLETED');
    expect(await json('show', jobId)).toMatchObject({ job_state: 'COMPLETED' });
    const { readings } = await json<{ readings: { R80: { value: number; error: number } } }>('plot', jobId);
    expect(readings.R80.value).toBeGreaterThan(7.5);
    expect(readings.R80.value).toBeLessThan(7.9);
    expect(readings.R80.error).toBeGreaterThan(0);
    expect((await tally(['plot', jobId])).stdout).toMatch(/R80 +7\.[6-8]\d* ± 0\.\d+ cm/);
    const estimated = await json<{ simulators: { processor_seconds: { expected: number } }[] }>(
      'estimate',
      project,
      '--primaries',
      '1e6',
    );
    expect(estimated.simulators[0]).toMatchObject({ sim_type: 'simA', basis: 'engine', jobs: 1 });
    expect((await tally(['estimate', project, '--tasks', '3'])).stdout).toMatch(
      /^\d+ primaries in 3 tasks; \d+ slots; 0 of 0 waiting tasks go before\n[^]*simA +reference/,
    );
    const same = await json<{ estimators: { pages: { gamma?: { pass_rate: number } }[] }[] }>('compare', jobId, jobId);
    expect(same.estimators[0]?.pages[0]?.gamma?.pass_rate).toBe(1);
    expect((await tally(['compare', jobId, jobId])).stdout).toMatch(
      /depth_dose +Dose +0\.000\/\d+ +100\.0 % of \d+ bins .*R80 0\.0+ ± 0\.\d+ cm/,
    );
    expect((await tally(['compare', jobId, jobId])).stdout).toMatch(
      /^this .*; proton, .* MeV; .*\nother .*; proton, .* MeV;/,
    );
    const depth = ['results', jobId, '-e', 'depth_dose', '--page', '1'];
    const csv = await tally(depth);
    expect(csv.stdout.trim().split('\n')).toHaveLength(401);
    const told = (await tally([...depth, '--description'])).stdout;
    expect(told.endsWith(csv.stdout)).toBe(true);
    expect(told).toMatch(/^# job_id: .*\n(?:# .*\n)*# beam: proton, .* MeV\n/);
    const file = path.join(suite.directory, 'dose.npz');
    expect((await tally(['results', jobId, '--format', 'npz', '--out', file])).code).toBe(0);
    expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK');
    const crate = path.join(suite.directory, 'job.zip');
    expect((await tally(['crate', jobId, '--format', 'csv', '--out', crate])).code).toBe(0);
    expect(readFileSync(crate).toString('latin1')).toContain('ro-crate-metadata.json');
    const plane = ['results', jobId, '-e', 'dose_map', '--axis', '1', '--index', '40', '--format', 'json'];
    const { estimators } = JSON.parse((await tally(plane)).stdout) as {
      estimators: { pages: { data: { values: number[] } }[] }[];
    };
    expect(estimators[0]?.pages[0]?.data.values).toHaveLength(80);
    expect((await tally(['results', jobId, '--format', 'pdf'])).code).toBe(2);
    expect((await tally(['results', jobId, '-e', 'nothing'])).code).toBe(4);
    expect((await tally(['logs', jobId, '--task', '2', '--follow'])).stdout).toContain('reference');
    const inputs = path.join(suite.directory, 'inputs');
    await tally(['inputs', jobId, '--out', inputs]);
    expect(JSON.parse(readFileSync(path.join(inputs, 'project.json'), 'utf8'))).toMatchObject({
      beam: { energy: 100 },
    });
    expect((await tally(['list'])).stdout).toContain(jobId);
    expect((await tally(['delete', jobId])).code).toBe(0);
    expect((await tally(['show', jobId])).code).toBe(4);
  }, 120_000);

  it('sweeps 17 energies: a labelled job for each, and one table of R80 with the ranges of PSTAR', async () => {
    const long = exampleProject('proton-150mev-water', 1_000) as ReturnType<typeof exampleProject> & {
      figureManager: { figures: Figure[] };
      detectorManager: { detectors: Figure[] };
      zoneManager: { worldZone: Figure };
    };
    const { figures } = long.figureManager;
    for (const { geometryData } of [...figures, ...long.detectorManager.detectors.slice(0, 1)]) {
      geometryData.position[2] = 20;
      geometryData.parameters.depth = 40;
    }
    const { geometryData: world } = long.zoneManager.worldZone;
    world.position[2] = 20;
    world.parameters.depth = 44;
    const file = path.join(suite.directory, 'long.json');
    writeFileSync(file, JSON.stringify(long));
    const rows = await json<{ 'beam.energy': number; job_state: string; readings: { R80: { value: number } } }[]>(
      'sweep',
      file,
      '--set',
      'beam.energy=70:230:10',
    );
    expect(rows.map((row) => [row['beam.energy'], row.job_state])).toEqual(
      Array.from({ length: 17 }, (_, i) => [70 + 10 * i, 'COMPLETED']),
    );
    const ranges = rows.map((row) => row.readings.R80.value);
    expect(ranges).toEqual([...ranges].sort((a, b) => a - b));
    // CSDA ranges in water, cm: PSTAR; a bin is 1 mm
    for (const [energy, range] of [
      [70, 4.08],
      [80, 5.18],
      [100, 7.72],
      [120, 10.66],
      [150, 15.77],
      [200, 25.96],
    ] as const)
      expect([energy, Math.abs((ranges[(energy - 70) / 10] ?? 0) - range) < 0.2]).toEqual([energy, true]);
    expect((await tally(['list'])).stdout).toContain('[beam.energy=120]');
    const wrong = await tally(['sweep', project, '--set', 'beam.energie=1:2:1']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('the project has no')]);
  }, 180_000);

  it('cancels, and says by its exit code how it went', async () => {
    const { stdout } = await tally(['submit', project, '--primaries', '5e6', '--tasks', '2']);
    const jobId = stdout.trim();
    const watching = tally(['watch', jobId]);
    expect((await tally(['cancel', jobId])).stdout).toContain('CANCELED');
    expect((await watching).code).toBe(8);
    const early = (await tally(['submit', project, '--primaries', '5e7'])).stdout.trim();
    await waitFor(async () =>
      (await json<{ job_tasks_status: { simulated_primaries: number }[] }>('show', early)).job_tasks_status.some(
        (task) => task.simulated_primaries > 0,
      ),
    );
    expect((await tally(['stop', early])).stdout).toContain('Job stopped');
    expect((await tally(['watch', early])).code).toBe(0);
    expect(await json('show', early)).toMatchObject({ job_state: 'COMPLETED', stopped: true });
    expect((await tally(['extend', early, '--primaries', '100'])).stdout).toContain('primaries in 2 tasks');
    const broken = path.join(suite.directory, 'broken.json');
    writeFileSync(broken, JSON.stringify({ ...exampleProject('proton-150mev-water', 10), beam: {} }));
    const refused = await tally(['submit', broken]);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringMatching(/beam[\s\S]*request id/)]);
    expect((await tally(['submit', 'nowhere.json'])).code).toBe(2);
    expect((await tally(['frobnicate'])).code).toBe(2);
    expect((await tally(['list'], '', { TALLY_URL: 'http://127.0.0.1:1' })).code).toBe(6);
  }, 120_000);

  it('takes a deck as a folder, and writes completion and its manual page', async () => {
    const deck = path.join(workspaceRoot(), 'examples/proton-150mev-water-simA');
    expect((await tally(['submit', deck, '--title', 'a deck'])).code).toBe(0);
    expect((await tally(['submit', deck, '--set', 'a=1'])).code).toBe(2);
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await tally(['completion', shell])).stdout).toContain('tally complete');
    expect((await tally(['man'])).stdout).toMatch(/^\.TH TALLY 1/);
    const made = await tally(
      ['token', 'create', 'ci', '--scopes', 'read', '-u', 'user-1', '--password-stdin'],
      PASSWORD,
    );
    expect(made.stdout).toMatch(/^tly_\S+\n$/);
    const env = { TALLY_TOKEN: made.stdout.trim() };
    expect((await tally(['list'], '', env)).code).toBe(0);
    expect((await tally(['submit', project], '', env)).code).toBe(3);
  }, 120_000);
});
