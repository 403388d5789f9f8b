// The least that something can cost with the same libraries: a bare Express route, one that asks PostgreSQL, one that asks
// PostgreSQL behind a gRPC hop, which is what the suite's routes are made of; bodies that are parsed, or stored behind a
// hop; streams of events; a password hash; the start of a process; jobs of no-op tasks. Forked by start.mjs with a mode and its
// argument; says its port, or that a round of work is done.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import pg from 'pg';
import { jobs } from '../../packages/contracts/dist/src/index.js';
import { openBareRunner } from './bare-runner.mjs';
import { libraries } from './libraries.mjs';
import { serveHttp } from './serve-http.mjs';
import { serveStore } from './store.mjs';
import { serveStoreRoutes } from './store-routes.mjs';

const CONNECTIONS = 10;
const { getJob } = jobs.JobsServiceService;
const [, , mode, argument] = process.argv;
// Express 5 passes on what an async handler rejects with
/* oxlint-disable oxc/no-async-endpoint-handlers */

/** A job with its tasks, as a poll of its status reads it: one named statement. */
function openJobs(url) {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  return async (jobId) => {
    const { rows } = await pool.query({
      name: 'job',
      text: 'SELECT * FROM floor_tasks WHERE job_id = $1',
      values: [jobId],
    });
    return rows;
  };
}

/** As the messages of jobs' contract. */
const asMessage = (jobId, rows) => ({
  job: {
    jobId,
    title: 'floor',
    platform: 1,
    inputType: 1,
    simulator: 1,
    state: 3,
    startTime: undefined,
    endTime: undefined,
    taskCount: rows.length,
    seed: 1n,
    failure: '',
    clusterName: '',
    waitingReason: '',
    simulationId: 1n,
  },
  version: 'floor',
  tasks: asColumns(rows),
});

const asColumns = (rows) => ({
  taskIds: rows.map((row) => row.task_id),
  states: rows.map(() => 3),
  requestedPrimaries: rows.map((row) => BigInt(row.requested)),
  simulatedPrimaries: rows.map((row) => BigInt(row.simulated)),
  estimatedSeconds: rows.map(() => -1),
  startTimesMs: rows.map(() => Number.NaN),
  endTimesMs: rows.map(() => Number.NaN),
  lastUpdateTimesMs: rows.map((row) => row.updated_at.getTime()),
  attemptCounts: rows.map(() => 1),
  failures: {},
});

const asJson = (tasks, state) => ({
  message: 'Job state',
  job_state: state,
  job_tasks_status: tasks,
});

const fromRow = (row) => ({
  task_id: row.task_id,
  task_state: row.state,
  requested_primaries: Number(row.requested),
  simulated_primaries: Number(row.simulated),
  last_update_time: row.updated_at,
});

const fromMessage = (tasks) =>
  tasks.taskIds.map((taskId, i) => ({
    task_id: taskId,
    task_state: 'RUNNING',
    requested_primaries: Number(tasks.requestedPrimaries[i]),
    simulated_primaries: Number(tasks.simulatedPrimaries[i]),
    last_update_time: new Date(tasks.lastUpdateTimesMs[i]),
  }));

/** Calls of the hop by HTTP/2 on one channel. */
function callJobs(target) {
  const { grpc } = libraries;
  const client = new grpc.Client(target, grpc.credentials.createInsecure());
  const metadata = new grpc.Metadata();
  return (jobId) =>
    new Promise((resolve, reject) => {
      const done = (err, reply) => (err ? reject(err) : resolve(reply));
      const options = { deadline: Date.now() + 5_000 };
      client.makeUnaryRequest(
        getJob.path,
        getJob.requestSerialize,
        getJob.responseDeserialize,
        { jobId, platform: 0, knownVersion: '' },
        metadata,
        options,
        done,
      );
    });
}

const MODES = {
  bare: () => serveHttp(libraries.express().get('/', (_req, res) => res.json({ message: 'Tally', version: '0.1.0' }))),
  database() {
    const find = openJobs(argument);
    serveHttp(
      libraries
        .express()
        .get('/', async (req, res) => res.json(asJson((await find(req.query.job_id)).map(fromRow), 'RUNNING'))),
    );
  },
  hop() {
    const call = callJobs(argument);
    serveHttp(
      libraries.express().get('/', async (req, res) => {
        const { tasks } = await call(req.query.job_id);
        res.json(asJson(fromMessage(tasks), 'RUNNING'));
      }),
    );
  },
  /** Behind the hop; without a database it answers from memory. */
  service() {
    const find = argument === '' ? undefined : openJobs(argument);
    const row = { state: 'RUNNING', requested: '10000', simulated: '500', updated_at: new Date() };
    const rows = Array.from({ length: 10 }, (_, i) => ({ ...row, task_id: i + 1 }));
    const { grpc } = libraries;
    const server = new grpc.Server();
    server.addService(
      { getJob },
      {
        async getJob({ request }, callback) {
          callback(null, asMessage(request.jobId, (await find?.(request.jobId)) ?? rows));
        },
      },
    );
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_err, port) => process.send(port));
  },
  /** Takes bodies and parses them; gives as many bytes as asked for. */
  bulk() {
    const { express } = libraries;
    const app = express();
    app.post('/results', express.raw({ type: '*/*', limit: '1gb' }), (req, res) => {
      res.status(202).json({ length: JSON.parse(req.body.toString()).estimators.length });
    });
    const contents = new Map();
    app.get('/results', ({ query: { bytes } }, res) => {
      if (!contents.has(bytes)) contents.set(bytes, Buffer.alloc(Number(bytes), '1'));
      res.type('json').send(contents.get(bytes));
    });
    serveHttp(app);
  },
  /** Gives as many bytes as asked for of the blocks of results, a MiB at a time. */
  blocks() {
    const pool = new pg.Pool({ connectionString: argument, max: CONNECTIONS });
    const text = 'SELECT content FROM blocks WHERE blob_id = $1 AND start_byte >= $2 ORDER BY start_byte LIMIT 4';
    const app = libraries.express().get('/', async ({ query: { blob, bytes } }, res) => {
      for (let sent = 0, at = 0; sent < Number(bytes); ) {
        const { rows } = await pool.query({ name: 'blocks', text, values: [blob, at] });
        if (rows.length === 0 && at === 0) throw new Error('no such blob');
        at = rows.length === 0 ? 0 : at; // from its beginning again
        for (const { content } of rows) {
          sent += content.length;
          at += content.length;
          if (!res.write(content)) await once(res, 'drain');
        }
      }
      res.end();
    });
    serveHttp(app);
  },
  /** Streams of events on which nothing comes. */
  streams() {
    const app = libraries.express();
    app.get('/jobs/events', (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write('event: ready\n\n');
    });
    serveHttp(app);
  },
  store: () => serveStore(argument),
  routes: () => serveStoreRoutes(argument),
  /** Argument: what the runner needs, as JSON; the queue's address is in the environment. A round is a job. */
  async tasks() {
    answerRounds(await openBareRunner({ ...JSON.parse(argument), queueUrl: process.env.FLOOR_QUEUE_URL }));
  },
  async hash() {
    const { bcrypt } = libraries;
    const hash = await bcrypt.hash('bench-password', Number(argument));
    workInRounds(() => bcrypt.compare('bench-password', hash));
  },
  /** Argument: program and its own, separated by blanks. */
  start: () =>
    workInRounds(async () => {
      const [program, ...args] = argument.split(' ');
      const [code] = await once(spawn(program, args, { stdio: 'ignore' }), 'exit');
      if (code !== 0) throw new Error(`${program} ended with ${code}`);
    }),
};

/** A round for each message, of what it says. */
function answerRounds(round) {
  process.on('message', (units) => void round(units).then(() => process.send('done')));
  process.send('ready');
}

/** Works so many times in a round, one after the other. */
function workInRounds(work) {
  answerRounds(async (count) => {
    for (let i = 0; i < count; i++) await work();
  });
}

await MODES[mode]();
