// A bare service: bytes, texts, and jobs with their tasks, in PostgreSQL behind a gRPC hop, one named statement and one commit a
// call. Messages are bytes, JSON where they have members.
import pg from 'pg';
import { libraries } from './libraries.mjs';

const CONNECTIONS = 10;
const DEADLINE_MS = 60_000;
const UNLIMITED = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };

export const SCHEMA = `
  CREATE TABLE bodies (id bigserial PRIMARY KEY, content bytea);
  CREATE TABLE texts (id bigserial PRIMARY KEY, content text);
  CREATE TABLE jobs (id bigserial PRIMARY KEY, body_id bigint, state text, created_at timestamptz DEFAULT now());
  CREATE TABLE tasks (job_id bigint, task_id int, state text, requested bigint, simulated bigint, updated_at timestamptz,
    PRIMARY KEY (job_id, task_id))`;

const asText = (bytes) => [bytes.toString()];
const asMembers = (bytes) => Object.values(JSON.parse(bytes.toString()));

/** A statement for each method, and its values from the bytes of a request. */
const STATEMENTS = {
  put: { text: 'INSERT INTO bodies (content) VALUES ($1) RETURNING id::text', takes: (bytes) => [bytes] },
  get: { text: 'SELECT content FROM bodies WHERE id = $1', takes: asText },
  putText: { text: 'INSERT INTO texts (content) VALUES ($1) RETURNING id::text', takes: asText },
  getText: { text: 'SELECT content FROM texts WHERE id = $1', takes: asText },
  submit: {
    text: `WITH job AS (INSERT INTO jobs (body_id, state) VALUES ($1, 'PENDING') RETURNING id),
      added AS (INSERT INTO tasks SELECT id, n, 'PENDING', 1000, 0, now() FROM job, generate_series(1, $2::int) n)
      SELECT id::text FROM job`,
    takes: asMembers,
  },
  tasks: { text: 'SELECT json_agg(tasks)::text FROM tasks WHERE job_id = $1', takes: asText },
  change: {
    text: 'UPDATE tasks SET state = $3, updated_at = now() WHERE job_id = $1 AND task_id = $2 RETURNING state',
    takes: asMembers,
  },
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

/** Answers with the one value of the one row; says its port to the process that has forked this one. */
export function serveStore(url) {
  const { grpc } = libraries;
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  const methods = Object.entries(STATEMENTS).map(([name, { text, takes }]) => [
    name,
    ({ request }, callback) => {
      pool.query({ name, text, values: takes(request) }).then(
        ({ rows: [row] }) => callback(null, Object.values(row)[0]),
        (err) => callback(err),
      );
    },
  ]);
  const server = new grpc.Server(UNLIMITED);
  server.addService(DEFINITION, Object.fromEntries(methods));
  server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_err, port) => process.send(port));
}

/** Calls of a {@link serveStore}: each takes bytes, or members for JSON, and resolves to bytes. */
export function openStore(target) {
  const { grpc } = libraries;
  const client = new grpc.Client(target, grpc.credentials.createInsecure(), UNLIMITED);
  const call = ({ path, requestSerialize, responseDeserialize }) => {
    return (value) =>
      new Promise((resolve, reject) => {
        const message = typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value);
        const options = { deadline: Date.now() + DEADLINE_MS };
        const done = (err, reply) => (err ? reject(err) : resolve(reply));
        const metadata = new grpc.Metadata();
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, metadata, options, done);
      });
  };
  return Object.fromEntries(Object.entries(DEFINITION).map(([name, method]) => [name, call(method)]));
}
