import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { composeText } from '../../deploy/single/lib/compose.mjs';
import { initialValues } from '../../deploy/single/lib/values.mjs';

const TEMPLATE = fs.readFileSync(path.join(import.meta.dirname, '../../deploy/single/compose.yaml'), 'utf8');

/** The compose file of a machine with these values. */
const textOf = (values = {}, settings = {}) =>
  composeText(TEMPLATE, {
    values: { ...initialValues(), TALLY_SLOTS: '2', ...values },
    version: '1.2.3',
    settings,
    configuration: 'of-the-proxy',
  });
const servicesOf = (...args) => parse(textOf(...args)).services;
const namesOf = (values) => Object.keys(servicesOf(values));

it('has a runner and a host of its simulators for each slot', () => {
  const names = namesOf({ TALLY_SLOTS: '3' });
  expect(names.filter((name) => name.startsWith('direct-runner-'))).toHaveLength(3);
  expect(names.filter((name) => name.startsWith('simulator-host-'))).toHaveLength(3);
  const { 'direct-runner-3': runner, 'simulator-host-3': host } = servicesOf({ TALLY_SLOTS: '3' });
  const control = '/var/lib/tally/services/direct-runner-3-control:/control';
  expect(runner.volumes).toContain(control);
  expect(host.volumes).toContain(`${control}:ro`);
});

it('has batch-bridge and its migration with clusters alone', () => {
  expect(namesOf({ TALLY_CLUSTERS: '[]' })).toEqual(expect.arrayContaining(['batch-bridge', 'migrate-batch-bridge']));
  expect(namesOf({}).filter((name) => name.includes('batch'))).toEqual([]);
});

it('gives a service the settings of the machine, word for word, below those that the release fixes', () => {
  const { auth, 'migrate-auth': migration } = servicesOf(
    {},
    { auth: { AUTH_OPERATORS: '["$a"] # x', AUTH_LISTEN_ADDRESS: '1.1.1.1:1' } },
  );
  expect(auth.environment).toMatchObject({ AUTH_OPERATORS: '["$$a"] # x', AUTH_LISTEN_ADDRESS: '0.0.0.0:7000' });
  expect(migration.environment).toEqual({ DATABASE_URL_FILE: '/run/secrets/tally/database-url' });
});

it('leaves nothing for the machine to fill in', () => {
  expect(textOf().match(/@[A-Z_]+@/g)).toBeNull();
  expect(servicesOf({ TALLY_SIMULATORS_IMAGE: 'site/codes:4' })['simulator-host-2'].image).toBe('site/codes:4');
  expect(servicesOf().caddy.labels).toEqual({ 'tally.configuration': 'of-the-proxy' });
});

it('gives no container rights, a writable root or an unbounded memory', () => {
  for (const service of Object.values(servicesOf({ TALLY_CLUSTERS: '[]' })))
    expect(service).toMatchObject({
      user: expect.stringMatching(/^100\d\d:100\d\d$/),
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
    });
});

/** Programs of this machine that know the specification and can check a file without starting anything. */
const PROGRAMS = [['docker', 'compose'], ['docker-compose']].filter(([program, ...args]) => {
  const { status, stdout } = spawnSync(program, [...args, 'version'], { encoding: 'utf8' });
  return status === 0 && /version v?[2-9]/.test(stdout);
});

function expectValid([program, ...args]) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-compose-'));
  const file = path.join(dir, 'compose.yaml');
  const values = { TALLY_CLUSTERS: '[]' };
  fs.writeFileSync(file, textOf(values, { auth: { AUTH_CALLERS: '$a' } }));
  const { status, stdout, stderr } = spawnSync(program, [...args, '--file', file, 'config'], { encoding: 'utf8' });
  fs.rmSync(dir, { recursive: true });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  expect(Object.keys(parse(stdout).services).toSorted()).toEqual(namesOf(values).toSorted());
}

if (PROGRAMS.length === 0) it.todo('is valid for Docker Compose 2, and there is none here');
for (const words of PROGRAMS) it(`is valid for ${words.join(' ')}`, () => expectValid(words));
