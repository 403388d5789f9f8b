import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';

const kit = new URL('../../dist/src/index.js', import.meta.url).href;
/** Says on standard error which modules of OpenTelemetry are loaded. */
const WATCH = `import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(\`import { writeSync } from 'node:fs';
    export function resolve(name, context, next) {
      if (name.startsWith('@opentelemetry/')) writeSync(2, name + '\\\\n');
      return next(name, context);
    }\`));`;

interface Ended {
  readonly code: number | null;
  readonly lines: readonly Record<string, unknown>[];
  readonly loaded: string;
}

/** A program that runs a service whose start is `start`, until it ends. */
async function run(start: string, env: Record<string, string> = {}): Promise<Ended> {
  const script = `${WATCH} import { writeSync } from 'node:fs';
    const { runService, commonKeys, databaseKeys, placeOf, openDatabase, startRpcServer, startParts, startSpan, Readiness } =
      await import(${JSON.stringify(kit)});
    await runService({ service: 'test', prefix: 'TEST', settings: { ...commonKeys, ...databaseKeys },
      start: (config, logger) => startParts(logger, 1000, async (lifecycle) => { ${start} }) });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env.PATH, TEST_DATABASE_URL: 'postgresql://me:hunter2@127.0.0.1:1/test', ...env },
  });
  const [out, loaded, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  const lines = out.split('\n').filter((line) => line !== '');
  return { code, loaded, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}
const STOP = `setInterval(() => {}, 1000); process.kill(process.pid, 'SIGTERM'); return {};`;

describe('the heap', () => {
  it('is collected when the service has started', async () => {
    const { code, loaded } = await run(
      `globalThis.gc = ({ flavor }) => writeSync(2, 'collected: ' + flavor + '\\n'); ${STOP}`,
    );
    expect([code, loaded]).toEqual([0, 'collected: last-resort\n']);
  });

  it('is collected again once an idle service holds more than then', async () => {
    const { code, loaded } = await run(`
      let kept;
      globalThis.gc = () => {
        writeSync(2, 'collected\\n');
        if (kept) process.kill(process.pid, 'SIGTERM');
        else setTimeout(() => (kept = Array.from({ length: 2e6 }, (_, i) => [i])), 1);
      };
      setInterval(() => {}, 1000); return {};`);
    expect([code, loaded]).toEqual([0, 'collected\ncollected\n']);
  });
});

describe('the log', () => {
  it('is JSON in every line, whatever Node warns of, a library prints and nobody catches', async () => {
    const { code, lines, loaded } = await run(`
      process.emitWarning('odd', 'OddWarning');
      console.error('E | no %s\\n  today', 'address');
      setImmediate(() => Promise.reject(new Error('lost', { cause: new Error('why') })));
      setInterval(() => {}, 1000); return {};`);
    expect([code, loaded]).toEqual([1, '']);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'error', text: 'E | no address\n  today' }),
      expect.objectContaining({ level: 'warn', err: expect.objectContaining({ name: 'OddWarning', message: 'odd' }) }),
      expect.objectContaining({ level: 'error', err: expect.objectContaining({ message: 'lost: why' }) }),
    ]);
  });
});

describe('a failed start', () => {
  it('is one line that names the part, its place and why', async () => {
    const { code, lines } = await run(`
      const database = openDatabase({ url: config.databaseUrl, connectionsMax: 1 });
      await lifecycle.start('database', placeOf(config.databaseUrl), () => database.check());`);
    expect([code, lines]).toEqual([
      1,
      [
        expect.objectContaining({
          level: 'error',
          service: 'test',
          msg: 'start failed',
          part: 'database',
          where: 'postgresql://127.0.0.1:1/test',
          reason: 'connect ECONNREFUSED 127.0.0.1:1',
        }),
      ],
    ]);
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('names the address that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const listenAddress = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { lines } = await run(`
      return startRpcServer(lifecycle, { listenAddress: ${JSON.stringify(listenAddress)}, callers: new Map(), graceMs: 1 },
        { implementations: [], readiness: new Readiness({}) });`);
    server.close();
    const reason = expect.stringContaining('EADDRINUSE') as unknown;
    expect(lines.at(-1)).toMatchObject({ part: 'gRPC server', where: listenAddress, reason, msg: 'start failed' });
  });

  it('tells all faults of the settings, values of secrets never', async () => {
    const { code, lines } = await run(STOP, { TEST_GRACE_MS: 'soon', TEST_HUE: 'red', OTEL_TRACES_EXPORTER: 'pigeon' });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.objectContaining({
        part: 'configuration',
        faults: ['TEST_GRACE_MS="soon": must be a whole number', 'TEST_HUE is not a known setting'],
      }),
    ]);
    const exporter = await run(STOP, { OTEL_TRACES_EXPORTER: 'pigeon' });
    expect(exporter.lines[0]).toMatchObject({ faults: ['OTEL_TRACES_EXPORTER="pigeon": must be otlp or none'] });
  });
});

describe('traces', () => {
  it('are off unless asked for, and nothing of OpenTelemetry is loaded then', async () => {
    const { code, loaded } = await run(`if (startSpan('work', 'internal', undefined) !== undefined) return 1; ${STOP}`);
    expect([code, loaded]).toEqual([0, '']);
    const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' };
    expect((await run(STOP, disabled)).loaded).toBe('');
  });

  it('go to the address of the environment, and what is left goes at the stop', async () => {
    const received: { url: string; type: string; auth: string; body: Buffer }[] = [];
    const server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const { 'content-type': type = '', 'x-key': auth = '' } = req.headers;
        received.push({ url: req.url ?? '', type, auth: String(auth), body: Buffer.concat(chunks) });
        res.end();
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const { code, loaded } = await run(
      `const span = startSpan('some work', 'internal', '${parent}', { job_id: 'j-17' });
       if (!/^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$/.test(span.traceparent)) throw new Error(span.traceparent);
       span.end({}, new Error('went wrong')); ${STOP}`,
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=k',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=here',
      },
    );
    server.close();
    expect(code).toBe(0);
    expect(loaded).toContain('@opentelemetry/sdk-trace-base');
    expect(received).toHaveLength(1);
    const [{ url, type, auth, body }] = received as [(typeof received)[number]];
    expect([url, type, auth]).toEqual(['/v1/traces', 'application/x-protobuf', 'k']);
    for (const part of ['some work', 'j-17', 'went wrong', 'here', 'tally']) expect(body.includes(part)).toBe(true);
    expect(body.includes(Buffer.from('4bf92f3577b34da6a3ce929d0e0e4736', 'hex'))).toBe(true);
  });
});
