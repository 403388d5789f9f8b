// What a call between two services costs: a bare call of @grpc/grpc-js against service-kit's client and server, which add
// deadline, metadata, authentication, request id, log line and metrics. node bench/grpc.mjs (`pnpm bench:grpc`), after a
// build. The server is a process of its own.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { jobs } from '../packages/contracts/dist/src/index.js';
import {
  createGrpcClient,
  createLogger,
  createMetrics,
  implement,
  Readiness,
  startGrpcServer,
  withContext,
} from '../packages/service-kit/dist/src/index.js';
import { compareVariants } from './load/micro.mjs';
import { ProcessGroup } from './load/processes.mjs';

const contracts = path.join(import.meta.dirname, '../packages/contracts/package.json');
const grpc = createRequire(contracts)('@grpc/grpc-js');
const definition = jobs.JobsServiceService;
const { reportTask } = definition;
const TOKEN = 'token of the bench';
const ANSWER = { mustStop: false };
const [, , role] = process.argv;

/** A bare server and two of service-kit, one without log lines; says their ports. */
async function serve() {
  const bare = new grpc.Server();
  bare.addService({ reportTask }, { reportTask: (_call, reply) => reply(null, ANSWER) });
  const address = '127.0.0.1:0';
  const barePort = await new Promise((resolve) => {
    bare.bindAsync(address, grpc.ServerCredentials.createInsecure(), (_err, port) => resolve(port));
  });
  const start = async (isQuiet) => {
    const route = { callers: ['bench'], isQuiet, handle: async () => ANSWER };
    const routes = Object.fromEntries(Object.keys(definition).map((name) => [name, route]));
    const { port } = await startGrpcServer({
      address,
      callers: new Map([['bench', [createHash('sha256').update(TOKEN).digest()]]]),
      implementations: [implement(definition, routes)],
      readiness: new Readiness({}),
      logger: createLogger({ service: 'bench', write: () => {} }),
      metrics: createMetrics('bench'),
      graceMs: 1_000,
    });
    return port;
  };
  process.send([barePort, await start(true), await start(false)]);
}

async function compare() {
  const server = fork(import.meta.filename, ['server']);
  const [[barePort, quietPort, port]] = await once(server, 'message');
  const bare = new grpc.Client(`127.0.0.1:${barePort}`, grpc.credentials.createInsecure());
  const metadata = new grpc.Metadata();
  const message = { attemptId: 'attempt', simulatedPrimaries: 5n };
  const { path: method, requestSerialize, responseDeserialize } = reportTask;
  const callBare = () =>
    new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + 5_000 };
      const done = (err, reply) => (err === null ? resolve(reply) : reject(err));
      bare.makeUnaryRequest(method, requestSerialize, responseDeserialize, message, metadata, options, done);
    });
  const clientOf = (at) =>
    createGrpcClient(definition, { target: `127.0.0.1:${at}`, caller: 'bench', token: TOKEN, timeoutMs: 5_000 });
  const [quiet, loud] = [clientOf(quietPort), clientOf(port)];
  const request = () => ({ requestId: 'request', userId: 5n, deadline: new Date(Date.now() + 5_000) });
  const variants = {
    'grpc-js': callBare,
    'service-kit, no log line': () => quiet.reportTask(message),
    'service-kit': () => loud.reportTask(message),
    'service-kit, inside a request': () => withContext(request(), () => loud.reportTask(message)),
  };
  await compareVariants(variants, { callers: [1, 16], processes: new ProcessGroup(() => ({ server: server.pid })) });
  server.kill();
  process.exit(0);
}

await (role === 'server' ? serve() : compare());
