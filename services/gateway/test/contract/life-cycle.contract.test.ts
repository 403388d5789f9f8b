import { afterEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ConfigError, createLogger, loadConfig } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { CONFIG_PREFIX, gatewayConfigSchema } from '../../src/config.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';
import { startTestGateway } from '../start.js';

const started: GatewayUnderTest[] = [];
const start = async (...args: Parameters<typeof startGatewayUnderTest>) => {
  const gateway = await startGatewayUnderTest(...args);
  started.push(gateway);
  return gateway;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map((gateway) => gateway.stop()));
});

describe('the start', () => {
  it('is refused when cookies without Secure would leave the machine', async () => {
    for (const listenAddress of [
      '0.0.0.0:0',
      '[::]:0',
      '10.0.0.1:80',
      'localhost.example.org:80',
      '127.0.0.1.example.org:80',
    ]) {
      await expect(startTestGateway({ cookieSecure: false, listenAddress })).rejects.toThrow(ConfigError);
    }
  });

  it('is refused with origins that are not exact, and names the setting', () => {
    for (const origins of ['*', 'https://a.org/', 'https://*.a.org/x', 'a.org']) {
      expect(() => loadConfig(CONFIG_PREFIX, gatewayConfigSchema, { GATEWAY_ORIGINS: origins })).toThrow(
        'GATEWAY_ORIGINS',
      );
    }
  });

  it('does not wait for the services', async () => {
    const gateway = await startTestGateway({});
    const status = await fetch(`http://127.0.0.1:${gateway.port}/`);
    expect(status.status).toBe(200);
    await gateway.stop();
  });
});

describe('cookies over plain HTTP on a loopback address', () => {
  it('have no Secure and SameSite=Lax', async () => {
    const gateway = await start({ cookieSecure: false });
    gateway.auth.answers.deleteSession = async () => ({});
    const reply = await gateway.send('DELETE', '/auth/logout');
    expect(reply.headers.getSetCookie()).toEqual([
      'access_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      'refresh_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });
});

describe('the address of a client', () => {
  const addressSeen = async (gateway: GatewayUnderTest) => {
    gateway.auth.answers.createUser = async () => ({});
    const json = { username: 'ada', password: 'long enough' };
    await gateway.send('PUT', '/auth/register', { json, headers: { 'X-Forwarded-For': '203.0.113.9, 198.51.100.7' } });
    return gateway.auth.calls.find(({ rpc }) => rpc === 'createUser')?.request;
  };

  it('is that of the connection, whatever a header says', async () => {
    expect(await addressSeen(await start())).toMatchObject({ remoteAddress: '127.0.0.1' });
  });

  it('is the one that a trusted proxy adds, not those that its client made up', async () => {
    const gateway = await start({ trustedProxies: ['127.0.0.0/8'] });
    expect(await addressSeen(gateway)).toMatchObject({ remoteAddress: '198.51.100.7' });
  });
});

describe('memory for bodies', () => {
  it('is bounded: 503 with Retry-After while there is no room', async () => {
    const gateway = await start({ buffersBytesMax: 320 });
    const reply = await gateway.send('POST', '/auth/login', { json: { username: 'ada', password: 'x'.repeat(40) } });
    expect([reply.body.code, reply.status, reply.headers.get('retry-after')]).toEqual(['OVERLOADED', 503, '1']);
    for (let i = 0; i < 5; i++) {
      expect((await gateway.send('POST', '/auth/login', { json: { username: 'ada' } })).status).toBe(400);
    }
  });
});

describe('a stop', () => {
  it('finishes a running request and takes no new one', async () => {
    const gateway = await start();
    let finish = () => {};
    let isRunning = false;
    gateway.jobs.answers.listSimulators = async () => {
      isRunning = true;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { simulators: [], confinements: [] };
    };
    const running = gateway.send('GET', '/simulators');
    await waitFor(() => isRunning);
    const stopped = gateway.stop();
    await waitFor(() =>
      fetch(`${gateway.url}/`).then(
        () => false,
        () => true,
      ),
    );
    finish();
    const reply = await running;
    expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
  });

  it('cuts what is still running after the time of grace', async () => {
    const gateway = await start({ graceMs: 700 });
    let isRunning = false;
    gateway.jobs.answers.listSimulators = () => {
      isRunning = true;
      return new Promise(() => {});
    };
    const running = expect(gateway.send('GET', '/simulators')).rejects.toThrow('fetch failed');
    await waitFor(() => isRunning);
    const startedAt = performance.now();
    await gateway.stop();
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    await running;
  });
});

describe('the log', () => {
  it('has one line per request, with its facts and without its secrets', async () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
    const gateway = await start({}, createLogger({ service: 'gateway', level: 'info', write }));
    const json = { username: 'ada', password: 'hunter2-hunter2' };
    await gateway.send('POST', '/auth/login', { json, headers: { 'X-Request-ID': 'r-1' } });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await gateway.send('GET', '/jobs?job_id=j-1&token=hunter3', { headers: { 'X-Request-ID': 'r-2', traceparent } });
    await gateway.send('GET', '/reset/hunter4', { headers: { 'X-Request-ID': 'r-3' } });
    const ofRequests = await waitFor(() => {
      const found = lines.filter(({ msg, request_id }) => msg === 'request' && String(request_id).startsWith('r-'));
      return found.length === 3 && found;
    });
    expect(ofRequests).toEqual([
      expect.objectContaining({ request_id: 'r-1', method: 'POST', route: '/auth/login', status: 500, level: 'error' }),
      expect.objectContaining({
        request_id: 'r-2',
        route: '/jobs',
        user_id: '7',
        job_id: 'j-1',
        code: 'INTERNAL',
        trace_id: traceparent.slice(3, 35),
      }),
      expect.objectContaining({ request_id: 'r-3', route: 'none', status: 404, code: 'PATH_NOT_FOUND', level: 'info' }),
    ]);
    expect(ofRequests.every(({ duration_ms }) => Number.isInteger(duration_ms))).toBe(true);
    const text = JSON.stringify(lines);
    expect(text).not.toMatch(/hunter|eyJ/);
  });

  it('has the fault behind an "internal error" of the gateway itself', async () => {
    const lines: string[] = [];
    const gateway = await start({}, createLogger({ service: 'gateway', write: (line) => lines.push(line) }));
    gateway.jobs.answers.listSimulators = async () => ({
      simulators: [{ simulator: jobs.Simulator.SIMULATOR_UNSPECIFIED, isAvailable: true, engine: '' }],
      confinements: [],
    });
    expect((await gateway.send('GET', '/simulators')).body.message).toBe('internal error');
    expect(lines.join()).toContain('unknown enum value 0');
  });
});
