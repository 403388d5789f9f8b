import { describe, expect, it } from '@jest/globals';
import { createMetrics, serveMetrics, splitAddress } from './metrics.js';

describe('addresses to listen on', () => {
  it.each([
    ['0.0.0.0:9464', '0.0.0.0', 9464],
    ['localhost:0', 'localhost', 0],
    ['[::]:7000', '::', 7000],
    ['[2001:db8::1]:80', '2001:db8::1', 80],
  ])('%s has a host as sockets take it', (address, host, port) => {
    expect(splitAddress(address)).toEqual([host, port]);
  });

  it('may be of IPv6', async () => {
    const server = await serveMetrics(createMetrics('test'), '[::1]:0');
    expect((await fetch(`http://[::1]:${server.port}/metrics`)).status).toBe(200);
    await server.stop();
  });
});
