import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { workspaceRoot } from '../src/index.js';

// tools/previous/compatibility.mjs: docs/compatibility.md.

type Method = { methodKind: string; input: { typeName: string }; output: { typeName: string }; idempotency: number };
interface Contracts {
  readonly methods: ReadonlyMap<string, Method>;
}
interface Compatibility {
  readonly compatibilityDocument: (known: {
    callers: Record<string, readonly string[]>;
    previous: Contracts;
    now: Contracts;
    versions: { previous: string; now: string };
  }) => string;
}
const file = path.join(workspaceRoot(), 'tools/previous/compatibility.mjs');
const { compatibilityDocument } = (await import(pathToFileURL(file).href)) as Compatibility;

const method = (input: string): Method => ({
  methodKind: 'unary',
  input: { typeName: input },
  output: { typeName: 'Answer' },
  idempotency: 0,
});
const contracts = (...methods: [string, string][]): Contracts => ({
  methods: new Map(methods.map(([name, input]) => [name, method(input)])),
});
const PUT = '/batch_bridge.v1.BatchBridgeService/Put';
const GET = '/jobs.v1.JobsService/Get';
const callers = { jobs: ['gateway'], 'batch-bridge': ['jobs'] };
const versions = { previous: '1.0.0', now: '1.1.0' };

it('names each caller with each service it calls, and the RPCs that only the later version has', () => {
  const previous = contracts([GET, 'Question']);
  const text = compatibilityDocument({
    callers,
    previous,
    now: contracts([GET, 'Question'], [PUT, 'Question']),
    versions,
  });
  expect(text).toContain('| gateway | jobs | yes | yes | yes | yes |');
  expect(text).toContain('| jobs | batch-bridge | yes | yes | yes | yes, but for what is new |');
  expect(text).toContain('| batch-bridge | `Put` |');
});

it('is not made of releases that do not go together', () => {
  const changed = contracts([GET, 'AnotherQuestion']);
  expect(() =>
    compatibilityDocument({ callers, previous: contracts([GET, 'Question']), now: changed, versions }),
  ).toThrow(GET);
});
