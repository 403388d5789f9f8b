// What threads of the tests do, by the name of what is asked.
import { getPriority, setPriority } from 'node:os';
import { ServiceError } from '../../dist/src/errors.js';
import { serveThread } from '../../dist/src/threads/serve-thread.js';
import { yieldProcessor } from '../../dist/src/threads/yield-processor.js';

const works = {
  double: ({ bytes }) => {
    const value = bytes.map((byte) => 2 * byte);
    return { value, transfer: [value.buffer] };
  },
  refuse: () => {
    throw new ServiceError('test', 'TOO_ODD', 'INVALID_ARGUMENT', 'it is odd', {
      fields: [{ field: 'a', message: 'b' }],
    });
  },
  fail: () => {
    throw new TypeError('a mistake');
  },
  niceness: () => ({ value: getPriority() }),
  yield: ({ niceness }) => {
    setPriority(niceness);
    yieldProcessor();
    return { value: getPriority() };
  },
  spin: () => {
    for (;;);
  },
  fill: () => {
    const all = [];
    for (;;) all.push(Array.from({ length: 1000 }, (_, i) => ({ i })));
  },
};

serveThread((input) => works[input.work](input));
