import { describe, expect, it } from '@jest/globals';
import { startParts } from './lifecycle.js';
import { silentLogger } from './logger.js';

describe('life cycle', () => {
  it('stops in reversed order, and a failing step skips nothing', async () => {
    const stopped: string[] = [];
    const running = await startParts(silentLogger, 1000, async (lifecycle) => {
      lifecycle.add('database', () => void stopped.push('database'));
      lifecycle.add('broker', () => {
        stopped.push('broker');
        throw new Error('no');
      });
      lifecycle.add('server', () => void stopped.push('server'));
      return {};
    });
    await running.stop();
    await running.stop();
    expect(stopped).toEqual(['server', 'broker', 'database']);
  });

  it('stops what had started when the start fails', async () => {
    const stopped: string[] = [];
    const start = startParts(silentLogger, 1000, async (lifecycle) => {
      lifecycle.add('database', () => void stopped.push('database'));
      throw new Error('port in use');
    });
    await expect(start).rejects.toThrow('port in use');
    expect(stopped).toEqual(['database']);
  });

  it('gives up on a part that hangs', async () => {
    const stopped: string[] = [];
    const running = await startParts(silentLogger, 20, async (lifecycle) => {
      lifecycle.add('database', () => void stopped.push('database'));
      lifecycle.add('hanging', () => new Promise<void>(() => {}));
      return {};
    });
    await running.stop();
    expect(stopped).toEqual(['database']);
  });
});
