// node tools/schema-snapshot.mjs [--check] [service folder …]
//
// Applies each service's migrations to a throw-away database and writes what they amount to into
// prisma/schema.snapshot.sql, so that a review sees the effect and not the steps only. With --check: compares instead,
// and fails on a difference. Both fail if the migrations do not lead to what schema.prisma says.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createTestDatabaseOn, runStatement, startPostgres } from '../packages/testkit/dist/src/index.js';
import { describeSchema } from './schema-snapshot/describe-schema.mjs';

const root = path.join(import.meta.dirname, '..');
const { values: options, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});

function servicesWithMigrations() {
  const folders = fs.readdirSync(path.join(root, 'services')).map((name) => path.join('services', name));
  return folders.filter((dir) => fs.existsSync(path.join(root, dir, 'prisma/migrations')));
}

/** Prisma's own comparison; undefined if there is no difference, else its words. */
async function findDrift(dir, databaseUrl) {
  const migrations = ['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma'];
  const args = [path.join(root, 'tools/prisma.mjs'), 'migrate', 'diff', ...migrations, '--exit-code'];
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, args, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  return code === 0 ? undefined : output.trim();
}

/** Lines that only one of the two texts has, marked as diff marks them. */
function differingLines(before, after) {
  const [old, now] = [before, after].map((text) => text.split('\n'));
  const gone = old.filter((line) => !now.includes(line)).map((line) => `    - ${line}`);
  const added = now.filter((line) => !old.includes(line)).map((line) => `    + ${line}`);
  return [...gone, ...added].join('\n');
}

/** Returns what is wrong, in lines for people. */
async function snapshot(server, service) {
  const dir = path.join(root, service);
  const database = await createTestDatabaseOn(server, path.join(dir, 'prisma/migrations'));
  try {
    const text = await describeSchema((sql) => runStatement(database.url, sql));
    const drift = await findDrift(dir, database.url);
    const faults = drift === undefined ? [] : [`${service}: the migrations do not lead to schema.prisma\n${drift}`];
    const file = path.join(dir, 'prisma/schema.snapshot.sql');
    const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
    if (before === text) return faults;
    if (!options.check) {
      fs.writeFileSync(file, text);
      console.log(`${path.relative(root, file)} written`);
      return faults;
    }
    const what = `${service}: prisma/schema.snapshot.sql does not show what the migrations do; run pnpm schema:snapshot`;
    const lines = before === undefined ? '    there is none' : differingLines(before, text);
    return [...faults, `${what}\n${lines}`];
  } finally {
    await database.drop();
  }
}

const server = await startPostgres();
try {
  const services = positionals.length > 0 ? positionals : servicesWithMigrations();
  const faults = (await Promise.all(services.map((service) => snapshot(server, service)))).flat();
  for (const fault of faults) console.error(fault);
  if (faults.length === 0)
    console.log(`schema of ${services.length} services: migrations, schema.prisma and snapshot agree`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await server.stop();
}
