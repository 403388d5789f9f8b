import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../process/free-port.js';
import { waitFor } from '../wait-for.js';
import { provideGoProgram } from './go-programs.js';

/** A running S3 server with one bucket. */
export interface ObjectStoreServer {
  /** `http://host:port/bucket`. */
  readonly url: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Keys of the objects in the bucket, as they lie on the disk. */
  keys(): readonly string[];
  /** Stops the server and keeps what it has; `start` brings it back. */
  pause(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Versity's gateway to S3 over a folder. */
const GATEWAY = { module: 's3-server', package: 'github.com/versity/versitygw/cmd/versitygw' };
const BUCKET = 'tally';

/** Starts an S3 server on a free port. Undefined, with a line that says why: there is none here. */
export async function startObjectStore(log: (line: string) => void): Promise<ObjectStoreServer | undefined> {
  const provided = await provideGoProgram(GATEWAY);
  if ('reason' in provided) {
    log(`no S3 server from a Go module, and tests that store in it are skipped: ${provided.reason}`);
    return undefined;
  }
  const { program } = provided;
  const folder = mkdtempSync(path.join(tmpdir(), 'tally-s3-'));
  const [data, sidecar] = ['data', 'sidecar'].map((name) => path.join(folder, name)) as [string, string];
  mkdirSync(path.join(data, BUCKET), { recursive: true });
  mkdirSync(sidecar);
  const [accessKey, secretKey] = ['test-access', 'test-secret'];
  const port = await freePort();
  let child: ReturnType<typeof spawn> | undefined;
  const start = async () => {
    // beside the files: extended attributes are not everywhere
    const args = ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', sidecar, data];
    const env = { PATH: process.env.PATH, ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey };
    child = spawn(program, args, { env, stdio: 'ignore' });
    await waitFor(() => answers(port), { what: 'the S3 server' });
  };
  const pause = async () => {
    const ended = new Promise((resolve) => child?.once('close', resolve));
    child?.kill('SIGTERM');
    await ended;
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}/${BUCKET}`,
    accessKey,
    secretKey,
    keys: () =>
      readdirSync(path.join(data, BUCKET), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(path.join(data, BUCKET), path.join(entry.parentPath, entry.name))),
    pause,
    start,
    stop: async () => {
      await pause();
      rmSync(folder, { recursive: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
