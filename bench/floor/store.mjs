// A bare service: bodies, and jobs with their tasks, in PostgreSQL behind a gRPC hop; a call is one named statement and one
// commit. A message is bytes, JSON where it has members; the key of a body is in the metadata.
import pg from 'pg';
import { libraries } from './libraries.mjs';

const CONNECTIONS = 10;
const DEADLINE_MS = 120_000;
const UNLIMITED = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };
/** Jobs on a page of a list, as many as on one of the suite. */
const PAGE_SIZE = 6;

export const SCHEMA = `
  CREATE TABLE bodies (job_id text, name text, content bytea, PRIMARY KEY (job_id, name));
  CREATE TABLE jobs (job_id text PRIMARY KEY, owner text, title text, state text, created_at timestamptz(3));
  CREATE INDEX ON jobs (owner, created_at DESC);
  CREATE TABLE tasks (job_id text, task_id int, task_state text, requested_primaries bigint, simulated_primaries bigint,
    last_update_time timestamptz(3), PRIMARY KEY (job_id, task_id))`;

const members = (bytes) => Object.values(JSON.parse(bytes.toString()));

/** A statement of one value for each method, and its parameters from a request and its key. */
const STATEMENTS = {
  put: {
    text: `INSERT INTO bodies VALUES ($1, $2, $3) ON CONFLICT (job_id, name) DO UPDATE SET content = excluded.content
      RETURNING name`,
    takes: (bytes, key) => [...key, bytes],
  },
  get: { text: 'SELECT content FROM bodies WHERE job_id = $1 AND name = $2', takes: (_bytes, key) => key },
  submit: {
    text: `WITH job AS (INSERT INTO jobs VALUES ($1, $2, $3, 'PENDING', now()) RETURNING job_id),
      added AS (INSERT INTO tasks SELECT job_id, n, 'PENDING', 1000, 0, now() FROM job, generate_series(1, $4::int) n)
      SELECT job_id FROM job`,
    takes: members,
  },
  read: {
    text: `SELECT json_build_object('job_state', state, 'job_tasks_status',
        (SELECT json_agg(tasks ORDER BY task_id) FROM tasks WHERE job_id = $1))::text
      FROM jobs WHERE job_id = $1`,
    takes: members,
  },
  list: {
    text: `SELECT json_agg(page)::text FROM
      (SELECT * FROM jobs WHERE owner = $1 ORDER BY created_at DESC LIMIT ${PAGE_SIZE}) page`,
    takes: members,
  },
  change: {
    text: `UPDATE tasks SET task_state = $3, simulated_primaries = $4, last_update_time = now()
      WHERE job_id = $1 AND task_id = $2 RETURNING task_state`,
    takes: members,
  },
  end: { text: "UPDATE jobs SET state = 'COMPLETED' WHERE job_id = $1 RETURNING state", takes: members },
};

const asBytes = (value) => (Buffer.isBuffer(value) ? value : Buffer.from(value));
const DEFINITION = Object.fromEntries(
  Object.keys(STATEMENTS).map((name) => [
    name,
    {
      path: `/floor.Store/${name}`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asBytes,
      requestDeserialize: (bytes) => bytes,
      responseSerialize: asBytes,
      responseDeserialize: (bytes) => bytes,
    },
  ]),
);

/** Serves a database; says its port. */
export function serveStore(url) {
  const { grpc } = libraries;
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  const methods = Object.entries(STATEMENTS).map(([name, { text, takes }]) => [
    name,
    ({ request, metadata }, callback) => {
      pool.query({ name, text, values: takes(request, [metadata.get('job')[0], metadata.get('name')[0]]) }).then(
        ({ rows: [row] }) => callback(null, Object.values(row)[0] ?? ''),
        (err) => callback(err),
      );
    },
  ]);
  const server = new grpc.Server(UNLIMITED);
  server.addService(DEFINITION, Object.fromEntries(methods));
  server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_err, port) => process.send(port));
}

/** Calls of a {@link serveStore}: each takes bytes, or members for JSON, and perhaps a key; it resolves to bytes. */
export function openStore(target) {
  const { grpc } = libraries;
  const client = new grpc.Client(target, grpc.credentials.createInsecure(), UNLIMITED);
  const call = ({ path, requestSerialize, responseDeserialize }) => {
    return (value, [jobId, name] = ['', '']) =>
      new Promise((resolve, reject) => {
        const message = Buffer.isBuffer(value) ? value : JSON.stringify(value);
        const metadata = new grpc.Metadata();
        metadata.set('job', jobId);
        metadata.set('name', name);
        const options = { deadline: Date.now() + DEADLINE_MS };
        const done = (err, reply) => (err ? reject(err) : resolve(reply));
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, metadata, options, done);
      });
  };
  return Object.fromEntries(Object.entries(DEFINITION).map(([name, method]) => [name, call(method)]));
}
