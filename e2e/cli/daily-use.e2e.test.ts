import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, readZip, waitFor } from '@tally/testkit';
import { exampleProject, PASSWORD, startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { type InstalledCommand, installCommand } from './installed-command.js';

const run = promisify(execFile);
let suite: TestSuite;
let user: HttpSession;
let command: InstalledCommand;
let tally: InstalledCommand['tally'];
let json: InstalledCommand['json'];
let project: string;
beforeAll(async () => {
  suite = await startTestSuite();
  user = await suite.newUser();
  command = await installCommand(suite);
  ({ tally, json } = command);
  await tally(['login', '-u', 'user-1', '--password-stdin'], `${PASSWORD}\n`);
  project = path.join(suite.directory, 'project.json');
  writeFileSync(project, JSON.stringify(exampleProject('proton-150mev-water', 2_000)));
});
afterAll(() => suite?.stop());

interface Failure {
  readonly error: { readonly message: string; readonly exit_code: number; readonly errors?: readonly object[] };
}
/** The error of a command that was asked for JSON. */
async function refusalOf(...args: string[]): Promise<Failure['error'] & { readonly stdout: string }> {
  const { code, stdout, stderr } = await tally([...args, '--json']);
  const { error } = JSON.parse(stderr) as Failure;
  expect(error.exit_code).toBe(code);
  return { ...error, stdout };
}

interface Listed {
  readonly job_id: string;
  readonly title: string;
}

describe('jobs of a group', () => {
  it('are given to it when they are submitted, also by a sweep', async () => {
    const { group_id: groupId } = await user.call<{ group_id: string }>('POST', '/groups', { name: 'Clinic' });
    expect((await tally(['groups'])).stdout).toContain(groupId);
    const { stdout } = await tally(['submit', project, '--group', groupId]);
    const given = [stdout.trim()];
    const sweep = ['sweep', project, '--set', 'beam.energy=70,80', '--group', groupId, '--no-wait', '--json'];
    const { stdout: swept } = await tally(sweep);
    given.push(...(JSON.parse(swept) as Listed[]).map(({ job_id: jobId }) => jobId));
    expect(given).toHaveLength(3);
    const listed = await user.call<{ simulations: Listed[] }>('GET', '/user/simulations?view=group');
    expect(listed.simulations.map(({ job_id: jobId }) => jobId).sort()).toEqual(given.sort());
    const refusal = await refusalOf('submit', project, '--group', 'unknown');
    expect(refusal.errors).toMatchObject([{ field: 'group_id' }]);
  }, 60_000);
});

describe('templates in the command tally', () => {
  it('are listed with their parameters, told one by one, and written as projects', async () => {
    expect((await tally(['templates'])).stdout).toMatch(/^bone-slab +energy, thickness, depth +Slab of bone/m);
    expect((await tally(['templates', 'bone-slab'])).stdout).toMatch(/^thickness +0\.2 to 6 cm +2 +Thickness/m);
    const file = path.join(command.home, 'slab.json');
    expect((await tally(['templates', 'bone-slab', '--param', 'thickness=3', '--out', file])).code).toBe(0);
    const { figureManager } = JSON.parse(readFileSync(file, 'utf8')) as {
      figureManager: { figures: { geometryData: { position: number[]; parameters: object } }[] };
    };
    expect(figureManager.figures[1]?.geometryData).toMatchObject({
      position: [0, 0, 4.5],
      parameters: { depth: 3 },
    });
    const unknown = await tally(['templates', 'bone']);
    expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining('no such template')]);
  });

  it('are submitted with a parameter, which the title tells, and give what they promise', async () => {
    const given = ['submit', '--template', 'bone-slab', '--param', 'thickness=3', '--primaries', '4000', '--watch'];
    const run = await tally([...given, '--seed', '7']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    const [{ title } = { title: '' }] = await json<Listed[]>('list', '--limit', '1');
    expect(title).toBe('Slab of bone in a water tank [thickness = 3 cm]');
    const { readings } = await json<{ readings: { R80: { value: number } } }>('plot', '@last');
    // a centimetre more of bone than by default, each of which stops like 1.7 cm of water
    expect(readings.R80.value).toBeGreaterThan(13.5);
    expect(readings.R80.value).toBeLessThan(13.9);
  }, 120_000);

  it('refuse unknown names and values out of range, by label, unit and limits, and nothing is submitted', async () => {
    const before = await json<Listed[]>('list');
    const submit = ['submit', '--template', 'bone-slab'];
    expect((await tally([...submit, '--param', 'thickness=9'])).stderr).toBe(
      'tally: Thickness of the slab (thickness) must be 0.2 to 6 cm, not 9\n',
    );
    expect((await tally([...submit, '--param', 'thicknes=2'])).stderr).toContain('there are energy, thickness, depth');
    expect((await tally([...submit, '--param', 'thickness=thick'])).stderr).toContain('is not a number');
    expect((await tally([...submit, project])).stderr).toContain('not both');
    expect((await tally(['submit', project, '--param', 'thickness=2'])).stderr).toContain('--param is for templates');
    expect((await tally(['submit'])).stderr).toContain('--template <name>');
    const sweep = await tally(['sweep', '--template', 'bone-slab', '--param', 'thickness=1:9:4']);
    expect([sweep.code, sweep.stderr]).toEqual([2, expect.stringContaining('must be 0.2 to 6 cm, not 9')]);
    expect(await json<Listed[]>('list')).toHaveLength(before.length);
  });
});

describe('a sweep', () => {
  it('says each id at once, is attached after Ctrl-C, makes no job twice, and has units and errors', async () => {
    const sweep = ['sweep', '--template', 'water-tank', '--param', 'energy=100:140:20', '--label', 'ranges'];
    const { child, outcome } = command.start([...sweep, '--primaries', '2000']);
    let said = '';
    child.stderr?.on('data', (text: string) => (said += text));
    await waitFor(() => /^\S+ {2}energy = 100 MeV$/m.test(said), { what: 'the first id' });
    child.kill('SIGINT');
    const interrupted = await outcome;
    expect([interrupted.code, interrupted.stderr]).toEqual([
      130,
      expect.stringContaining('"tally sweep --attach ranges" goes on with the sweep'),
    ]);
    const attached = await tally(['sweep', '--attach', 'ranges']);
    expect(attached.code).toBe(0);
    const [head = '', ...rows] = attached.stdout.trim().split('\n');
    expect(head).toMatch(/^energy \/ MeV +STATE +.*R80 \/ cm .*peak_to_entrance +JOB$/);
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatch(/^120 +COMPLETED +.*10\.\d+ ± 0\.\d+/);
    const jobs = await json<Listed[]>('list', '--limit', '100');
    const own = jobs.filter(({ title }) => title.startsWith('Pencil beam in a water tank [energy = '));
    expect(own.map(({ title }) => title).sort()).toEqual(
      ['100', '120', '140'].map((energy) => `Pencil beam in a water tank [energy = ${energy} MeV]`),
    );
    expect(rows[0]).toContain(/^(\S+) {2}energy = 100 MeV$/m.exec(said)?.[1] ?? 'no id');
    const again = await json<{ energy: number; readings: { R80: { unit: string } } }[]>('sweep', '--attach', 'ranges');
    expect(again.map(({ energy, readings }) => [energy, readings.R80.unit])).toEqual([
      [100, 'cm'],
      [120, 'cm'],
      [140, 'cm'],
    ]);
    expect((await tally(sweep)).stderr).toContain('tally sweep --attach ranges');
    expect((await tally(['sweep', '--attach', 'nothing'])).stderr).toContain('there are ranges');
    expect((await tally(['sweep', '--attach', '../ranges'])).code).toBe(2);
  }, 180_000);
});

describe('ids of jobs', () => {
  it('are found by their beginning, by that of their random part, and by @last', async () => {
    const ids: string[] = [];
    for (const title of ['one', 'two']) ids.push((await tally(['submit', project, '--title', title])).stdout.trim());
    const [one = '', two = ''] = ids;
    const titleOf = async (given: string) =>
      (await json<{ description: { title: string } }>('show', given)).description.title;
    expect([await titleOf('@last'), await titleOf(two.slice(0, 20)), await titleOf(one.slice(16, 26))]).toEqual([
      'two',
      'two',
      'one',
    ]);
    const several = await refusalOf('show', one.slice(0, 8));
    expect([several.exit_code, several.message]).toEqual([2, expect.stringContaining(`${two}  two`)]);
    expect((await refusalOf('show', 'zz')).message).toBe('no job of yours begins with "zz"');
    expect((await tally(['watch', two])).code).toBe(0);
    expect((await tally(['delete', two.slice(16, 26)])).stdout).toBe(`deleted: ${two}\n`);
    expect(await titleOf('@last')).toBe('one');
  }, 120_000);
});

describe('what a script gets', () => {
  it('is JSON for errors, too, of the command and of the service', async () => {
    const given = await refusalOf('list', '--limit', 'many');
    expect(given).toMatchObject({ message: expect.stringContaining('--limit'), exit_code: 2, stdout: '' });
    expect(await refusalOf('frobnicate')).toMatchObject({ message: "unknown command 'frobnicate'", exit_code: 2 });
    const broken = path.join(suite.directory, 'broken.json');
    writeFileSync(broken, JSON.stringify({ ...exampleProject('proton-150mev-water', 10), beam: {} }));
    expect(await refusalOf('submit', broken)).toMatchObject({
      exit_code: 5,
      errors: [{ field: expect.stringContaining('beam'), message: expect.any(String) }],
      request_id: expect.any(String),
    });
    expect(await refusalOf('submit', '--template', 'bone-slab', '--param', 'depth=99')).toMatchObject({
      exit_code: 2,
      errors: [{ field: 'depth', message: expect.stringContaining('0.5 to 8 cm') }],
    });
    expect((await tally(['list', '--json'], '', { TALLY_TOKEN: 'tly_wrong' })).stderr).toMatch(
      /^\{"error":\{"message"/,
    );
  });

  it('overwrites no file unless it is told to', async () => {
    const jobId = (await tally(['submit', project])).stdout.trim();
    await tally(['watch', jobId]);
    const file = path.join(command.home, 'dose.csv');
    writeFileSync(file, 'precious');
    const refused = await tally(['results', jobId, '--out', file]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`${file} exists`)]);
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect((await tally(['results', jobId, '-e', 'depth_dose', '--page', '1', '--out', file, '--force'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('precious');
    const folder = path.join(command.home, 'inputs');
    expect((await tally(['inputs', jobId, '--out', folder])).code).toBe(0);
    expect((await tally(['inputs', jobId, '--out', folder])).code).toBe(2);
    expect((await tally(['inputs', jobId, '--out', folder, '--force'])).code).toBe(0);
    expect((await tally(['crate', jobId, '--out', folder])).code).toBe(2);
  }, 120_000);

  it('submits the submission of a crate again: the same job', async () => {
    const jobId = (await tally(['submit', project, '--tasks', '3', '--title', 'First', '--seed', '42'])).stdout.trim();
    await tally(['watch', jobId]);
    const file = path.join(command.home, 'job.zip');
    await tally(['crate', jobId, '--out', file]);
    const crate = path.join(command.home, 'crate');
    mkdirSync(crate);
    for (const [name, content] of readZip(readFileSync(file)))
      if (name === 'submission.json') writeFileSync(path.join(crate, name), content);
    const again = (await tally(['submit', path.join(crate, 'submission.json'), '--watch'])).stdout.split('\n')[0] ?? '';
    const { description, job_tasks_status: tasks } = await json<{
      description: { title: string; seed: string };
      job_tasks_status: object[];
    }>('show', again);
    expect([description.title, description.seed, tasks.length]).toEqual(['First', '42', 3]);
    const differences = await json<{ estimators: { pages: { chi_square?: number }[] }[] }>('compare', jobId, again);
    expect(differences.estimators[0]?.pages[0]?.chi_square).toBe(0);
    const other = await tally(['submit', path.join(crate, 'submission.json'), '--title', 'Second', '--tasks', '1']);
    expect(await json('show', other.stdout.trim())).toMatchObject({ description: { title: 'Second', seed: '42' } });
  }, 120_000);
});

describe('Ctrl-C', () => {
  it('ends the watching, and says that the job goes on and how to end it', async () => {
    const { child, outcome } = command.start(['submit', project, '--primaries', '5e7', '--watch']);
    let said = '';
    child.stdout?.on('data', (text: string) => (said += text));
    await waitFor(() => /primaries/.test(said), { what: 'progress' });
    child.kill('SIGINT');
    const { code, stderr } = await outcome;
    const [jobId = ''] = said.split('\n');
    expect([code, stderr]).toEqual([130, expect.stringContaining(`The job goes on. "tally watch ${jobId}"`)]);
    expect(await json('show', jobId)).toMatchObject({ job_state: expect.stringMatching(/PENDING|RUNNING/) });
    expect((await tally(['cancel', '@last'])).stdout).toContain('CANCELED');
  }, 120_000);
});

describe('completion in bash', () => {
  const complete = async (...words: string[]): Promise<string[]> => {
    const script = `eval "$(tally completion bash)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tally; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: `${command.bin}:${process.env.PATH}`, HOME: command.home, TALLY_URL: suite.gatewayUrl };
    const { stdout } = await run('bash', ['-c', script, 'bash', 'tally', ...words], { env });
    return stdout.split('\n').filter((line) => line !== '');
  };

  it('offers commands, options, formats, states, simulators, templates and the ids of jobs', async () => {
    expect(await complete('s')).toEqual(['status', 'submit', 'sweep', 'show', 'stop', 'share', 'simulators']);
    expect(await complete('results', '@last', '--fo')).toEqual(['--format', '--force']);
    expect(await complete('results', '--format', '')).toEqual(['csv', 'json', 'hdf5', 'npz', 'dicom', 'float64']);
    expect(await complete('list', '--state', 'c')).toEqual(['completed', 'canceled']);
    expect(await complete('submit', '--sim', '')).toEqual(['simA', 'simB', 'simC', 'simD']);
    expect(await complete('submit', '--template', 'b')).toEqual(['bone-slab']);
    expect(await complete('templates', 'wa')).toEqual(['water-tank']);
    expect(await complete('sweep', '--attach', '')).toContain('ranges');
    const [last, ...ids] = await complete('show', '');
    const [{ job_id: newest } = { job_id: '' }] = await json<Listed[]>('list', '--limit', '1');
    expect([last, ids[0]]).toEqual(['@last', newest]);
    expect(await complete('results', '--format', 'csv', newest.slice(0, 20))).toContain(newest);
    expect(await complete('submit', '')).toEqual([]); // bash offers files
  });
});
