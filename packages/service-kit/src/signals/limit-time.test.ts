import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { withContext } from '../context.js';
import { limitTime } from './limit-time.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: object) => Promise<void>;

describe('a limit of time', () => {
  it('aborts when it is over', async () => {
    const { signal } = limitTime(1);
    if (!signal.aborted) await once(signal, 'abort');
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('holds nothing of its request once the work has ended', async () => {
    const work = () => {
      const request = { requestId: '1', body: new Uint8Array(1024) };
      withContext(request, () => limitTime(3_600_000).end());
      return new WeakRef(request);
    };
    const request = work();
    await collect({ type: 'major', execution: 'async' });
    expect(request.deref()).toBeUndefined();
  });
});
