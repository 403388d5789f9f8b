// Logins must not stall other requests: p99 of GET /auth/status while 8 logins per second run, against its value when
// nothing else happens, in one run on one machine. Usage: node bench/login.mjs [seconds per phase]
import process from 'node:process';
import { createRunDirectory, HttpSession, removeRunDirectory } from '../packages/testkit/dist/src/index.js';
import { startServers } from '../tools/demo/servers.mjs';

const SECONDS = Number(process.argv[2] ?? 20);
const LOGINS_PER_SECOND = 8;
const STATUS_PER_SECOND = 50;
const say = (line) => process.stdout.write(`${line}\n`);

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** Calls `work` at a fixed rate, whatever it takes; resolves to the sorted durations in milliseconds. */
async function atRate(perSecond, seconds, work) {
  const startedAt = performance.now();
  const durations = [];
  const running = [];
  for (let i = 0; i < perSecond * seconds; i++) {
    const due = startedAt + (1000 * i) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    const sentAt = performance.now();
    running.push(work(i).then(() => durations.push(performance.now() - sentAt)));
  }
  await Promise.all(running);
  return durations.sort((a, b) => a - b);
}

const directory = createRunDirectory('bench');
const servers = await startServers({
  directory,
  install: false,
  port: 0,
  say: () => {},
  env: {
    auth: {
      // all logins are one user's from one address: attempts that wait for their hash count until they have succeeded
      AUTH_FAILURES_PER_ADDRESS_MAX: '1000000',
      AUTH_FAILURES_PER_USER_MAX: '1000000',
      AUTH_HASHES_WAITING_MAX: '1000',
    },
  },
});
try {
  const session = new HttpSession(servers.suite.gatewayUrl);
  const credentials = { username: 'bench', password: 'bench-password' };
  await session.call('PUT', '/auth/register', credentials);
  await session.call('POST', '/auth/login', credentials);
  const status = () => session.call('GET', '/auth/status');
  const login = () => new HttpSession(servers.suite.gatewayUrl).call('POST', '/auth/login', credentials);
  await atRate(STATUS_PER_SECOND, 3, status); // warm
  const idle = await atRate(STATUS_PER_SECOND, SECONDS, status);
  const [busy, logins] = await Promise.all([
    atRate(STATUS_PER_SECOND, SECONDS, status),
    atRate(LOGINS_PER_SECOND, SECONDS, login),
  ]);
  const row = (name, durations) =>
    say(
      `${name.padEnd(34)} p50 ${percentile(durations, 0.5).toFixed(1).padStart(7)} ms   p99 ${percentile(durations, 0.99).toFixed(1).padStart(7)} ms`,
    );
  row('GET /auth/status, idle', idle);
  row(`GET /auth/status, ${LOGINS_PER_SECOND} logins/s`, busy);
  row('POST /auth/login', logins);
  say(`p99 under logins / p99 idle = ${(percentile(busy, 0.99) / percentile(idle, 0.99)).toFixed(2)} (aim: at most 3)`);
} finally {
  await servers.stop();
  removeRunDirectory(directory);
}
process.exit(0);
