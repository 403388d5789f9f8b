import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultsOf, initialValues, parseEnv, VALUES } from '../../deploy/single/lib/values.mjs';
import { createAuthority } from '../../packages/testkit/dist/src/index.js';

const HOST = 'tally.hospital.example';
const RIGHT = { ...initialValues(), TALLY_HOST: HOST };
const WRONG = {
  TALLY_HOST: 'https://tally.hospital.example',
  TALLY_TLS: 'off',
  TALLY_TLS_CERTIFICATE: '/nowhere/certificate.pem',
  TALLY_TLS_KEY: 'key.pem',
  TALLY_EMAIL: 'it at hospital',
  TALLY_REGISTRATION: 'true',
  TALLY_SLOTS: '0',
  TALLY_SIMULATORS_IMAGE: 'simulators',
  TALLY_SIMULATORS: '[]',
  TALLY_CLUSTERS: '{"name":"one"}',
  TALLY_BACKUP_DIR: 'backups',
  TALLY_BACKUPS_KEPT: 'all',
};

let folder;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-values-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('values of tally.env', () => {
  it('are right as they are at first, with a name of the server', () => {
    expect(faultsOf(RIGHT)).toEqual([]);
  });

  it.each(Object.keys(VALUES))(
    '%s is named where it is missing or wrong, with what it may be and what it is for',
    (name) => {
      const { purpose, may } = VALUES[name];
      const { [name]: _, ...without } = RIGHT;
      expect(faultsOf(without)).toContain(`${name} is missing. It may be ${may}. ${purpose}`);
      const wrong = WRONG[name];
      expect(faultsOf({ ...RIGHT, [name]: wrong })).toContain(
        `${name}=${wrong} is not right: it may be ${may}. ${purpose}`,
      );
    },
  );

  it('do not go on with a name that is none, a name twice, or a line of another kind', () => {
    expect(faultsOf({ ...RIGHT, TALLY_PORT: '1' })).toEqual([
      expect.stringMatching(/^TALLY_PORT is no value of tally.env/),
    ]);
    expect(parseEnv('# slots\nTALLY_SLOTS="2"\nTALLY_SLOTS=3\nexport X\n')).toEqual({
      values: { TALLY_SLOTS: '2' },
      faults: ['TALLY_SLOTS is given twice.', 'line 4 is not NAME=value: export X'],
    });
  });
});

describe('a certificate of the site', () => {
  const authority = createAuthority();
  const ours = authority.issue(HOST);
  const faultsWith = ({ cert, key }) => {
    const files = { TALLY_TLS_CERTIFICATE: cert, TALLY_TLS_KEY: key };
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    const values = Object.fromEntries(Object.keys(files).map((name) => [name, path.join(folder, name)]));
    return faultsOf({ ...RIGHT, TALLY_TLS: 'files', ...values });
  };

  it('is taken with its key, where it is for the name of the server', () => {
    expect(faultsWith(ours)).toEqual([]);
  });

  it('is asked for with its key', () => {
    expect(faultsOf({ ...RIGHT, TALLY_TLS: 'files' })).toEqual([
      expect.stringMatching(/^TALLY_TLS_CERTIFICATE is missing, which TALLY_TLS=files needs/),
      expect.stringMatching(/^TALLY_TLS_KEY is missing, which TALLY_TLS=files needs/),
    ]);
  });

  it.each([
    [
      'has expired',
      () => authority.issue(HOST, { validUntil: new Date('2026-01-31') }),
      'TALLY_TLS_CERTIFICATE has expired on 2026-01-31.',
    ],
    [
      'is for another server',
      () => authority.issue('other.example'),
      `TALLY_TLS_CERTIFICATE is not for ${HOST} (TALLY_HOST), but for DNS:other.example.`,
    ],
    [
      'has another key',
      () => ({ ...ours, key: authority.issue(HOST).key }),
      'TALLY_TLS_KEY is not the key of TALLY_TLS_CERTIFICATE.',
    ],
    [
      'is no PEM',
      () => ({ ...ours, cert: 'certificate' }),
      expect.stringMatching(/^TALLY_TLS_CERTIFICATE or TALLY_TLS_KEY cannot be read as PEM/),
    ],
  ])('that %s is refused', (_, make, fault) => {
    expect(faultsWith(make())).toEqual([fault]);
  });
});
