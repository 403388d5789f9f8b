import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const TOOL = path.join(import.meta.dirname, '../k8s-secrets.mjs');

/** The Secrets, decoded, by name, that the tool makes where `existing` are there. */
function makeSecrets(existing) {
  const items = Object.entries(existing).map(([name, data]) => ({ metadata: { name }, data: encode(data) }));
  const made = execFileSync(process.execPath, [TOOL, '--trial'], {
    input: JSON.stringify({ items }),
    encoding: 'utf8',
  });
  return Object.fromEntries(JSON.parse(made).items.map(({ metadata, stringData }) => [metadata.name, stringData]));
}

const encode = (data) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));

it('a second run changes nothing', () => {
  const first = makeSecrets({});
  expect(makeSecrets(first)).toEqual(first);
});

it('what is missing is made, and accepted by those that it calls', () => {
  const first = makeSecrets({});
  const { 'caller-token': token, ...rest } = first['tally-gateway'];
  const second = makeSecrets({ ...first, 'tally-gateway': { ...rest, 'extra-key': 'of the site' } });
  expect(second['tally-gateway']).toMatchObject({ ...rest, 'extra-key': 'of the site' });
  expect(second['tally-gateway']['caller-token']).not.toBe(token);
  expect(second['tally-auth']['encryption-key']).toBe(first['tally-auth']['encryption-key']);
  expect(second['tally-auth'].callers.split(',')).toHaveLength(first['tally-auth'].callers.split(',').length + 1);
});

it('without the Secrets that exist nothing is made', () => {
  const run = () => execFileSync(process.execPath, [TOOL, '--trial'], { input: '', stdio: 'pipe' });
  expect(run).toThrow('get secrets -o json');
});
