import { expect, it } from '@jest/globals';
import { toTree } from './flame-graph.mjs';

const frame = (functionName, url = '') => ({ functionName, url, lineNumber: 6 });

it('adds up the milliseconds of frames and leaves waiting out', () => {
  const nodes = [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 4] },
    { id: 2, callFrame: frame('(idle)') },
    {
      id: 3,
      callFrame: frame('query', 'file:///x/node_modules/.pnpm/pg@8/node_modules/pg/lib/client.js'),
      children: [5],
    },
    { id: 4, callFrame: frame('never', 'node:net') },
    { id: 5, callFrame: frame('', 'file:///x/services/jobs/dist/src/storage/task-store.js') },
  ];
  const profile = { nodes, samples: [2, 3, 5, 5], timeDeltas: [9_000, 1_000, 2_000, 500] };
  expect(toTree(profile)).toEqual({
    name: '(root)',
    value: 3.5,
    children: [
      {
        name: 'query pg/lib/client.js:7',
        value: 3.5,
        children: [{ name: '(anonymous) services/jobs/dist/src/storage/task-store.js:7', value: 2.5, children: [] }],
      },
    ],
  });
});
