// `pnpm test:class`: 40 students of a class come at once, on one copy of each service and one runner. Prints when each sees the first curve.
//   --students N   40 unless given
//   --seconds S    that the last student may wait; 120 unless given. The exit code tells whether that was kept
// One of them uses a browser, where Chromium is installed.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TallyClient } from '../../packages/client/dist/src/index.js';
import {
  createRunDirectory,
  findChromium,
  migrateDatabase,
  removeRunDirectory,
} from '../../packages/testkit/dist/src/index.js';
import { startServers } from '../demo/servers.mjs';

const root = path.join(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: { students: { type: 'string', default: '40' }, seconds: { type: 'string', default: '120' } },
});
const TEACHER = { username: 'teacher', password: 'a password of a teacher' };
const PASSWORD = 'a password of a student';
const PRIMARIES = 20_000;
const say = (line) => process.stdout.write(`${line}\n`);
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** A request that must go well; one that is told to come again does so. */
async function ask(client, method, target, body) {
  for (;;) {
    const answer = await client.send(method, target, { body });
    if (answer.status < 300) return answer.body;
    const isLater = [429, 503, 504].includes(answer.status); // a student presses the button again
    if (!isLater) throw new Error(`${method} ${target}: ${answer.status} ${JSON.stringify(answer.body)}`);
    await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}

/** From the link to the first curve; resolves to the milliseconds until each step. */
async function attend(url, { username, link }, project) {
  const client = new TallyClient(url);
  const from = performance.now();
  const since = () => performance.now() - from;
  await ask(client, 'POST', '/auth/password-reset/confirm', { token: link.split('#')[1], new_password: PASSWORD });
  await ask(client, 'POST', '/auth/login', { username, password: PASSWORD });
  const login = since();
  const job = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data: project };
  const { job_id: jobId } = await ask(client, 'POST', '/jobs/direct', job);
  const submit = since();
  for (;;) {
    const { status } = await client.send('GET', `/results?job_id=${jobId}`);
    if (status === 200) return { login, submit, curve: since() };
    await sleep(500);
  }
}

/** Presses a button, and again when the page says that it is not yet this student's turn. */
async function press(page, name, target) {
  for (;;) {
    const answered = page.waitForResponse((response) => response.url().endsWith(target));
    await page.getByRole('button', { name, exact: true }).click();
    const answer = await answered;
    if (answer.status() !== 429) return;
    await sleep(1_000 * Number(answer.headers()['retry-after'] ?? 1));
  }
}

/** The same with a browser and a template of the gallery, until the curve is drawn. */
async function attendByBrowser(url, { username, link }) {
  const { chromium } = createRequire(path.join(root, 'e2e/console/'))('playwright-core');
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const from = performance.now();
  const since = () => performance.now() - from;
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(`${url}${link}`);
    for (const i of [0, 1]) await page.locator('input[type=password]').nth(i).fill(PASSWORD);
    await press(page, 'Set the password', '/auth/password-reset/confirm');
    await page.goto(`${url}/console/`);
    await page.getByLabel('User name').fill(username);
    await page.locator('input[type=password]').fill(PASSWORD);
    await press(page, 'Sign in', '/auth/login');
    await page.getByRole('navigation').getByRole('link', { name: 'New job' }).click();
    const login = since();
    await page.getByRole('link', { name: /Slab of bone in a water tank/ }).click();
    await page.getByLabel('Primaries').fill(String(PRIMARIES));
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.waitForURL(/jobs\/\d/);
    const submit = since();
    await page.locator('[data-state=COMPLETED]').waitFor();
    await page.getByRole('link', { name: 'Look at results' }).click();
    await page.locator('[data-drawn=true]').first().waitFor();
    return { login, submit, curve: since() };
  } finally {
    await browser.close();
  }
}

function createTeacher(databaseUrl) {
  const program = path.join(root, 'services/auth/dist/src/bin/create-account.js');
  const env = {
    ...process.env,
    AUTH_DATABASE_URL: databaseUrl,
    AUTH_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
  const made = spawnSync(process.execPath, [program, TEACHER.username], { env, input: `${TEACHER.password}\n` });
  if (made.status !== 0) throw new Error(String(made.stderr));
}

async function runClass({ suite, postgres }) {
  createTeacher(await migrateDatabase(postgres, 'tally_auth', 'services/auth/prisma/migrations'));
  const url = suite.gatewayUrl;
  const teacher = new TallyClient(url);
  await ask(teacher, 'POST', '/auth/login', TEACHER);
  const usernames = Array.from({ length: Number(options.students) }, (_, i) => `student-${i + 1}`);
  const ends_at = new Date(Date.now() + 86_400_000).toISOString();
  const course = { name: 'Class', usernames, ends_at, at_end: 'delete', reason: 'a trial' };
  const { invitations } = await ask(teacher, 'POST', '/admin/classes', course);
  const project = JSON.parse(fs.readFileSync(path.join(root, 'examples/proton-150mev-water.json'), 'utf8'));
  project.beam.numberOfParticles = PRIMARIES;
  const [first, ...rest] = invitations;
  const byBrowser = findChromium() === undefined ? attend(url, first, project) : attendByBrowser(url, first);
  const [browser, ...others] = await Promise.allSettled([byBrowser, ...rest.map((one) => attend(url, one, project))]);
  const times = others.flatMap(({ value }) => value ?? []);
  for (const step of ['login', 'submit', 'curve']) {
    const sorted = times.map((time) => time[step]).toSorted((a, b) => a - b);
    say(`${step}: median ${seconds(sorted[Math.floor(sorted.length / 2)])}, last ${seconds(sorted.at(-1))}`);
  }
  for (const { reason } of [browser, ...others]) if (reason !== undefined) say(String(reason));
  if (browser.value !== undefined)
    say(`browser: login ${seconds(browser.value.login)}, curve ${seconds(browser.value.curve)}`);
  const isComplete = times.length === others.length;
  return isComplete && times.every(({ curve }) => curve <= 1_000 * Number(options.seconds));
}

const directory = createRunDirectory('class');
const env = { auth: { AUTH_OPERATORS: TEACHER.username }, jobs: { JOBS_BUILT_IN_ENGINE: 'allow' } };
const servers = await startServers({ directory, install: false, port: 0, say, env });
try {
  process.exitCode = (await runClass(servers)) ? 0 : 1;
} finally {
  await servers.stop();
  removeRunDirectory(directory);
}
