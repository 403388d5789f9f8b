import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { JOB_ID, UPDATE_KEY } from './job-fixture.js';

/** A helper's report of a task in one request. */
export interface ToldUpdate {
  readonly task_id: number;
  readonly task_state: string;
  readonly simulated_primaries: number;
  readonly failure?: string;
  readonly start_time?: string;
  readonly end_time?: string;
}

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** What a request is: its path, and its parsed body. */
export interface ToldRequest {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** The worker-facing endpoints as the gateway has them, in memory. */
export interface FakeGateway {
  readonly url: string;
  readonly requests: readonly ToldRequest[];
  /** Log text of each task, put together by offset. */
  readonly logs: ReadonlyMap<number, string>;
  readonly outputs: ReadonlyMap<number, Buffer>;
  readonly updates: readonly ToldUpdate[];
  /** Answers so from now on; `undefined`: as usual. */
  refuse(decide: ((request: ToldRequest) => Refusal | 'hang-up' | undefined) | undefined): void;
  /** Answers that tasks must stop. */
  cancel(): void;
  /** Answers that tasks are to end with what they have. */
  finish(): void;
  stop(): Promise<void>;
}

interface Body {
  readonly simulation_id: string;
  readonly update_key: string;
  readonly task_id: number;
  readonly update_dict: Omit<ToldUpdate, 'task_id'>;
  readonly logfiles: Readonly<Record<string, string>>;
  readonly offsets: Readonly<Record<string, number>>;
  readonly task_output: string;
}

export async function startGateway(tls?: { readonly key: string; readonly cert: string }): Promise<FakeGateway> {
  const requests: ToldRequest[] = [];
  const logs = new Map<number, string>();
  const outputs = new Map<number, Buffer>();
  const updates: ToldUpdate[] = [];
  let decide: Parameters<FakeGateway['refuse']>[0];
  let cancel = false;
  let finish = false;
  const apply = (path: string, body: Body): object => {
    if (path === '/tasks') {
      updates.push({ task_id: body.task_id, ...body.update_dict });
      return { applied: true, cancel, finish };
    }
    if (path === '/results') outputs.set(body.task_id, Buffer.from(body.task_output, 'base64'));
    for (const [key, piece] of Object.entries(body.logfiles ?? {})) {
      const taskId = Number(/^task_(\d+)$/.exec(key)?.[1]);
      const before = Buffer.from(logs.get(taskId) ?? '');
      const offset = body.offsets[key] ?? Number.NaN;
      if (!(offset <= before.length)) throw new Error(`a gap in the log of task ${taskId}`);
      logs.set(taskId, Buffer.concat([before.subarray(0, offset), Buffer.from(piece)]).toString());
    }
    return { applied: true };
  };
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const body = JSON.parse(await text(request)) as Body;
    const path = request.url ?? '';
    requests.push({ path, body: { ...body } });
    const isOurs = body.update_key === UPDATE_KEY && body.simulation_id === JOB_ID;
    const refusal = decide?.({ path, body: { ...body } }) ?? (isOurs ? undefined : { status: 401 });
    if (refusal === 'hang-up') return request.socket.destroy();
    const { status, headers, message } = refusal ?? { status: 202, headers: {}, message: 'done' };
    const answer = refusal === undefined ? apply(path, body) : {};
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    return response.end(JSON.stringify({ message, ...answer }));
  };
  const listener = (request: http.IncomingMessage, response: http.ServerResponse) => {
    handle(request, response).catch((err: unknown) =>
      response.writeHead(400).end(JSON.stringify({ message: String(err) })),
    );
  };
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    logs,
    outputs,
    updates,
    refuse(next) {
      decide = next;
    },
    cancel() {
      cancel = true;
    },
    finish() {
      finish = true;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
