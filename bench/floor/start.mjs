// Starts the floor: what the same work costs at least, with the same libraries on the same servers and with nothing else. It is
// asked like the suite.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { serviceNode } from '../../packages/testkit/dist/src/index.js';
import { ProcessGroup } from '../load/processes.mjs';
import { Api } from '../suite/api.mjs';
import { SCHEMA } from './store.mjs';

const PROGRAM = path.join(import.meta.dirname, 'process.mjs');
const DATABASES = ['floor_bodies', 'floor_jobs'];

/** Starts a process; resolves to it and to the first thing that it says: its port, or that it is ready. */
async function start(kind, needs) {
  const child = fork(PROGRAM, [kind, JSON.stringify(needs)], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    execPath: serviceNode(),
    execArgv: [],
  });
  const ended = new AbortController();
  const { signal } = ended;
  const [said] = await Promise.race([
    once(child, 'message', { signal }),
    once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`${kind} of the floor ended with ${code}`);
    }),
  ]);
  ended.abort();
  return { child, said };
}

async function end({ child }) {
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

/** The deck of a task, as the no-op simulator reads it. */
function readDeck(simulator) {
  const folder = path.dirname(simulator);
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.dat'));
  return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]));
}

class Floor {
  isFloor = true;
  #started = {};

  constructor(world) {
    this.world = world;
    const servers = Object.entries(world.servers).filter(([, server]) => server?.processId !== undefined);
    const roots = () => ({
      ...Object.fromEntries(Object.entries(this.#started).map(([name, { child }]) => [`bare ${name}`, child.pid])),
      ...Object.fromEntries(servers.map(([name, server]) => [name, server.processId()])),
    });
    this.processes = new ProcessGroup(roots, world.processes.findRoots);
  }

  /** What it serves has a new address after each start. */
  async start({ withRunner }) {
    const { postgres, servers, simulator, directory, api } = this.world;
    const stores = {};
    for (const database of DATABASES) stores[database] = await start('store', postgres.url(database));
    const targets = Object.values(stores).map(({ said }) => `127.0.0.1:${said}`);
    const queueUrl = withRunner ? (servers.rabbitmq?.url ?? '') : '';
    const routes = await start('routes', { targets, queueUrl });
    this.#started = { ...stores, routes };
    this.api = new Api(`http://127.0.0.1:${routes.said}`, api.updateKeyMaster, api.project);
    this.hasRunner = queueUrl !== '';
    if (!this.hasRunner) return;
    const folder = fs.mkdtempSync(path.join(directory, 'floor-'));
    const needs = { targets, queueUrl, simulator, directory: folder, deck: readDeck(simulator) };
    this.#started.runner = await start('runner', needs);
  }

  async stop() {
    await Promise.all(Object.values(this.#started).map(end));
    this.#started = {};
  }

  /** Without a runner, as the suite is by then. */
  async restart() {
    await this.stop();
    await this.start({ withRunner: false });
  }

  /** Jobs that have ended, of a user. */
  seedHistory = (username, count) =>
    query(this.world.postgres.url('floor_jobs'), [
      `INSERT INTO jobs SELECT $1 || '-' || n, $1, 'Simulation ' || n, 'COMPLETED', now() - n * interval '1 minute'
       FROM generate_series(1, $2::int) n`,
      [username, count],
    ]);
}

async function query(url, ...statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [text, values] of statements) await client.query(text, values);
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/** Starts it with a runner, beside the suite of `world` (startBenchSuite) and on its servers. */
export async function startFloor(world) {
  for (const database of DATABASES) {
    await world.postgres.createDatabase(database);
    await query(world.postgres.url(database), [SCHEMA]);
  }
  const floor = new Floor(world);
  await floor.start({ withRunner: true });
  return floor;
}
