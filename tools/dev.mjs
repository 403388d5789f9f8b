// `pnpm dev`: the suite with seeded users, an OpenID realm with a certificate proxy, data that stays in .tally/dev, and
// services that start anew when their code changes (the TypeScript build runs in watch mode).
//   TALLY_DEV_PORT     port of the gateway (5000)
//   TALLY_DEV_GEANT4   1: simC runs on a real Geant4, which is installed from PyPI
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {
  createRunDirectory,
  HttpSession,
  provideGeant4,
  removeRunDirectory,
  startCertificateProxy,
  startOidcProvider,
} from '../packages/testkit/dist/src/index.js';
import { geant4Environment } from './demo/geant4.mjs';
import { startServers } from './demo/servers.mjs';

const root = path.join(import.meta.dirname, '..');
const dataDir = path.join(root, '.tally/dev');
const USERS = ['alice', 'bob'];
const PASSWORD = 'tally-dev-password';
const say = (line) => process.stdout.write(`${line}\n`);

/** The key that encrypts secrets at rest; kept, or last time's sessions and keys could not be read. */
function readEncryptionKey() {
  const file = path.join(dataDir, 'encryption-key');
  fs.mkdirSync(dataDir, { recursive: true });
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  return fs.readFileSync(file, 'utf8');
}

async function seedUsers(url) {
  for (const username of USERS) {
    const answer = await new HttpSession(url).send('PUT', '/auth/register', { body: { username, password: PASSWORD } });
    if (answer.status !== 201 && answer.status !== 409)
      throw new Error(`cannot register ${username}: ${answer.status}`);
  }
}

/** Restarts what changed: a service for its own code, all for a package. */
function watch(suite) {
  const pending = new Set();
  let timer;
  const restart = async () => {
    const changed = [...pending];
    pending.clear();
    const names = suite.names().filter((name) => changed.includes('*') || changed.some((c) => name.startsWith(c)));
    for (const name of names) {
      say(`  ${name}: starting anew`);
      await suite.process(name).stop();
      await suite.process(name).start();
    }
  };
  const note = (what) => {
    pending.add(what);
    clearTimeout(timer);
    timer = setTimeout(() => {
      restart().catch((err) => say(`  ${err.message}`));
    }, 400);
  };
  const watched = (folder, what) =>
    fs.watch(path.join(root, folder, 'dist'), { recursive: true }, (_, file) => {
      if (file?.endsWith('.js')) note(what);
    });
  const services = fs.readdirSync(path.join(root, 'services'));
  const packages = fs.readdirSync(path.join(root, 'packages')).filter((name) => name !== 'testkit');
  return [
    ...services.map((name) => watched(`services/${name}`, name)),
    ...packages.map((name) => watched(`packages/${name}`, '*')),
  ];
}

const directory = createRunDirectory('dev');
const stopped = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
});
let servers;
let exitCode = 0;
try {
  const port = Number(process.env.TALLY_DEV_PORT ?? 5000);
  const realm = await startOidcProvider();
  const proxy = await startCertificateProxy({ issuer: realm.issuer, audience: realm.audience });
  const auth = {
    AUTH_SSO_ISSUER_URL: realm.issuer,
    AUTH_SSO_AUDIENCE: realm.audience,
    AUTH_SSO_CLIENT_ID: realm.clientId,
    AUTH_CERT_PROXY_URL: proxy.url,
  };
  const encryptionKey = readEncryptionKey();
  const geant4 = process.env.TALLY_DEV_GEANT4 === '1' ? await provideGeant4((line) => say(`  ${line}`)) : undefined;
  const env = { auth, ...(geant4 && geant4Environment(geant4)) };
  servers = await startServers({ directory, install: false, port, say, dataDir, encryptionKey, env });
  await seedUsers(servers.suite.gatewayUrl);
  say(`  local users: ${USERS.join(', ')}, password ${PASSWORD}`);
  say(
    `  single sign-on: realm ${realm.issuer}, client ${realm.clientId} (authorization code with PKCE, any user name)`,
  );
  const compiler = spawn('node_modules/.bin/tsc', ['-b', '--watch', '--preserveWatchOutput'], {
    cwd: root,
    stdio: 'inherit',
    detached: true, // leads a group with the program, which its launcher leaves behind, and which ignores SIGTERM
  });
  const watchers = watch(servers.suite);
  await stopped;
  if (compiler.pid !== undefined && compiler.exitCode === null) process.kill(-compiler.pid, 'SIGKILL');
  for (const watcher of watchers) watcher.close();
} catch (err) {
  say(`  ${err.message}\n  logs: ${directory}`);
  exitCode = 1;
}
await servers?.stop();
if (exitCode === 0) removeRunDirectory(directory);
process.exit(exitCode);
