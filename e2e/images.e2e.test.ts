import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, hasBubblewrap, SERVICES, type ServiceName, workspaceRoot } from '@tally/testkit';
import {
  ended,
  exampleProject,
  flatten,
  results,
  startTestSuite,
  submit,
  type TestSuite,
} from './fixtures/suite-fixture.js';

const tool = (name: string) => path.join(workspaceRoot(), 'tools', name);
const inSandbox = hasBubblewrap() ? it : it.skip;

let roots: string;
const rootOf = (service: ServiceName) => path.join(roots, service);
beforeAll(() => {
  roots = mkdtempSync(path.join(tmpdir(), 'tally-images-'));
  for (const service of SERVICES) {
    const assembled = spawnSync(process.execPath, [tool('image-rootfs.mjs'), service, '--out', rootOf(service)]);
    if (assembled.status !== 0) throw new Error(assembled.stderr.toString());
  }
});
afterAll(() => rmSync(roots, { recursive: true, force: true }));

const filesOf = (dir: string) => readdirSync(dir, { recursive: true, encoding: 'utf8' });

/** Runs a program inside an assembled root, as user 10001. */
function runInside(service: ServiceName, args: string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [tool('image-run.mjs'), rootOf(service), '/usr/local/bin/node', ...args], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
}

describe('the file system of an image', () => {
  it.each(SERVICES)('of %s holds no source, test, type, source map or package manager', (service) => {
    const files = filesOf(rootOf(service));
    expect(files).toContain('app/dist/src/main.js');
    const unwanted = files.filter((file) =>
      /\.(ts|map)$|\.test\.js$|(^|\/)(npm|pnpm|yarn|corepack|prisma\/build)$/.test(file),
    );
    expect(unwanted).toEqual([]);
    expect(files.filter((file) => /node_modules\/(@tally\/testkit|typescript|prisma|jest)$/.test(file))).toEqual([]);
  });

  it.each(SERVICES)('of %s lists exactly the packages it holds in its bill of materials', (service) => {
    const read = (file: string): unknown => JSON.parse(readFileSync(path.join(rootOf(service), 'app', file), 'utf8'));
    const bill = read('sbom.cdx.json') as { bomFormat: string; components: { 'bom-ref': string; version: string }[] };
    const manifestOf = (file: string) => read(`node_modules/${file}`) as { name?: string; version?: string };
    expect(bill.bomFormat).toBe('CycloneDX');
    const listed = bill.components.map((component) => `${component['bom-ref']}@${component.version}`).sort();
    const held = filesOf(path.join(rootOf(service), 'app/node_modules'))
      .filter((file) => /(^|node_modules\/)(@[^/]+\/)?[^@/][^/]*\/package\.json$/.test(file))
      .map((file) => ({ place: path.dirname(file), manifest: manifestOf(file) }))
      .filter(({ place, manifest }) => place.endsWith(manifest.name ?? '-'))
      .map(({ place, manifest }) => `${place}@${manifest.version}`)
      .sort();
    expect(listed).toEqual(held);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('of direct-runner has what starts processes by posix_spawn', () => {
    const script = `
      const { openPosixHost } = await import('@tally/launcher/process/posix-host');
      const host = openPosixHost();
      console.log(host !== undefined);
      host?.close();`;
    const cwd = path.join(rootOf('direct-runner'), 'app');
    const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd, encoding: 'utf8' });
    expect([ran.stdout, ran.stderr]).toEqual(['true\n', '']);
  });

  onLinux('of direct-runner puts into a volume what a simulator host needs, which then needs nothing else', () => {
    const volume = mkdtempSync(path.join(tmpdir(), 'tally-volume-'));
    const packages = path.join(rootOf('direct-runner'), 'app/node_modules/@tally');
    const program = path.join(packages, 'launcher/dist/src/bin/install-simulator-host.js');
    const engine = path.join(packages, 'engine/dist/tally-engine.mjs');
    const installed = spawnSync(process.execPath, [program, volume, engine], { encoding: 'utf8' });
    expect([installed.status, installed.stderr]).toEqual([0, '']);
    const inside = (name: string) => path.join(volume, name);
    const start = ['--library-path', inside('lib'), inside('bin/node')];
    const run = (...args: string[]) =>
      spawnSync(inside('bin/loader'), [...start, ...args], { cwd: volume, env: {}, encoding: 'utf8' });
    expect(run(inside('tally-engine.mjs')).stderr).toContain('Usage: tally-engine');
    // it gets as far as asking for a namespace of its own, which the chart's container gives
    const args = ['--control', volume, '--tasks', volume];
    expect(run(inside('tally-simulator-host.mjs'), ...args).stderr).toContain('the first process of a PID namespace');
    rmSync(volume, { recursive: true });
  });
});

describe('assembled images', () => {
  let suite: TestSuite | undefined;
  afterAll(() => suite?.stop());

  inSandbox('cannot write to their root and are not run by root', () => {
    const attempt = "try { fs.writeFileSync('/app/x', '') } catch (err) { console.log(process.getuid(), err.code) }";
    expect(runInside('jobs', ['-e', attempt]).stdout).toBe('10001 EROFS\n');
  });

  inSandbox('apply their own migrations to an empty database', async () => {
    const owners = SERVICES.filter((service) => existsSync(path.join(rootOf(service), 'app/prisma/migrations')));
    expect(owners).toEqual(expect.arrayContaining(['auth', 'jobs', 'results']));
    for (const service of owners) {
      const database = await createTestDatabase();
      const args = ['tools/migrate-deploy.mjs', 'prisma/migrations'];
      const first = runInside(service, args, { DATABASE_URL: database.url });
      expect([first.status, first.stderr]).toEqual([0, '']);
      const migrations = path.join(rootOf(service), 'app/prisma/migrations');
      const names = readdirSync(migrations, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      expect(first.stdout).toBe(
        `applied ${names
          .map((entry) => entry.name)
          .sort()
          .join(', ')}\n`,
      );
      expect(runInside(service, args, { DATABASE_URL: database.url }).stdout).toBe('nothing to apply\n');
      await database.drop();
    }
  });

  inSandbox(
    'run a whole job, say that they are healthy, and stop in time when asked to',
    async () => {
      suite = await startTestSuite({
        command: (service) => [process.execPath, tool('image-run.mjs'), rootOf(service)],
      });
      const user = await suite.newUser();
      const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 400), ntasks: 2 });
      expect(await ended(user, jobId)).toMatchObject({ job_state: 'COMPLETED' });
      expect(flatten(await results(user, jobId)).values.some((value) => value > 0)).toBe(true);
      for (const name of suite.names()) {
        const service = SERVICES.find((candidate) => name.startsWith(candidate)) ?? 'gateway';
        const image = JSON.parse(readFileSync(path.join(rootOf(service), 'app/image.json'), 'utf8')) as {
          listenVariable: string;
        };
        const listen = { [image.listenVariable]: suite.process(name).address };
        const check = runInside(service, ['tools/health-check.mjs'], listen);
        expect([name, check.status, check.stderr]).toEqual([name, 0, '']);
      }
      for (const name of suite.names().toReversed()) {
        const process = suite.process(name);
        const startedAt = performance.now();
        expect([name, await process.stop()]).toEqual([name, 0]);
        expect(performance.now() - startedAt).toBeLessThan(10_000);
      }
    },
    180_000,
  );
});
