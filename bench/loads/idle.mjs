// What the suite takes while nobody asks for anything, without and with streams of events open.
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { encodeRequest } from '../load/connection.mjs';
import { rounded } from '../load/statistics.mjs';

const SETTLE_MS = 15_000;
const WATCH_MS = 20_000;
const USERS = 100;
/** As many as a user may have. */
const STREAMS_PER_USER = 10;

const round = (number) => Math.round(number * 1000) / 1000;

/** Cores and memory while nothing happens. */
async function watch({ meter, processes }, name) {
  await sleep(SETTLE_MS);
  await meter.waitForQuiet();
  const before = processes.now();
  await sleep(WATCH_MS);
  const { total, byName, wall, foreignCores, stolenCores } = processes.since(before);
  const memory = Object.entries(processes.memory());
  return meter.note(name, {
    shows: 'pssMiB',
    cores: round(total / wall),
    coresByService: Object.fromEntries(
      Object.entries(byName).map(([service, seconds]) => [service, round(seconds / wall)]),
    ),
    pssMiB: Math.round(memory.reduce((sum, [, { pss }]) => sum + pss, 0)),
    pssMiBByService: Object.fromEntries(memory.map(([service, { pss }]) => [service, Math.round(pss)])),
    foreignCores: rounded(foreignCores),
    stolenCores: rounded(stolenCores),
  });
}

export const idle = (bench) => watch(bench, 'idle');
export async function idleAfter(bench) {
  await bench.suite.process('direct-runner-1').start();
  await watch(bench, 'idle after the loads');
}

/** Users with the password of the bench's first one: hashing as many would take a minute. */
async function addUsers({ postgres }) {
  const client = new pg.Client({ connectionString: postgres.url('tally_auth') });
  await client.connect();
  await client.query(
    `INSERT INTO users (username, provider, password_hash)
     SELECT 'bench-stream-' || n, provider, password_hash FROM users, generate_series(1, $1::int) n WHERE username = 'bench'`,
    [USERS],
  );
  await client.end();
}

/** Opens a stream; resolves to its socket when it has said that it is ready. */
function openStream({ baseUrl }, headers) {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname);
    socket.once('error', reject);
    socket.write(encodeRequest(baseUrl, { path: '/jobs/events', headers }));
    let text = '';
    socket.on('data', function listen(piece) {
      text += piece;
      if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(`stream of events: ${text.split('\r\n', 1)[0]}`));
      if (!text.includes('event: ready')) return undefined;
      socket.off('data', listen).resume();
      return resolve(socket);
    });
  });
}

/** What streams take that nothing comes through, beside what is taken without them. */
export async function streams(bench) {
  const login = async () => {
    await addUsers(bench);
    const headers = [];
    for (let user = 1; user <= USERS; user++) headers.push(await bench.api.login(`bench-stream-${user}`));
    return headers;
  };
  await watchStreams(bench, bench.api, '', login);
}

/** The same of a bare route at `baseUrl`; `bench`: its meter and processes. */
export async function bareStreams(bench, baseUrl) {
  await watchStreams(bench, { baseUrl }, 'floor: ', async () => Array.from({ length: USERS }, () => ({})));
}

async function watchStreams({ meter, processes }, api, prefix, headersOfUsers) {
  const without = await watch({ meter, processes }, `${prefix}idle before the streams`);
  const sockets = [];
  for (const headers of await headersOfUsers()) {
    sockets.push(...(await Promise.all(Array.from({ length: STREAMS_PER_USER }, () => openStream(api, headers)))));
  }
  const name = `${prefix}${sockets.length} idle streams of events`;
  const { cores, pssMiB } = await watch({ meter, processes }, name);
  for (const socket of sockets) socket.destroy();
  await meter.note(`${name}, more than none`, {
    shows: 'pssMiB',
    cores: round(cores - without.cores),
    pssMiB: pssMiB - without.pssMiB,
  });
}
