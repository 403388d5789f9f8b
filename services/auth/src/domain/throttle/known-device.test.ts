import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from '../key/secret-box.js';
import { issueDeviceProof, readDeviceProof } from './known-device.js';

const box = createSecretBox([{ id: 'first', key: randomBytes(32) }]);
const now = new Date('2026-06-01T12:00:00Z');
const later = new Date('2026-07-01T12:00:00Z');

describe('the proof of a device', () => {
  it('is one for its user, until it is too old', () => {
    const { token, expiresAt } = issueDeviceProof(box, 'mira', later);
    expect(expiresAt).toEqual(later);
    const id = readDeviceProof(box, 'mira', token, now);
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(readDeviceProof(box, 'mira', token, now)).toBe(id);
    expect(readDeviceProof(box, 'mira', token, later)).toBeUndefined();
    expect(readDeviceProof(box, 'other', token, now)).toBeUndefined();
    expect(readDeviceProof(box, 'mira', issueDeviceProof(box, 'mira', later).token, now)).not.toBe(id);
  });

  it.each(['', '.', 'first', 'first.', 'first.AAAA', `first.${'A'.repeat(5_000)}`, 'other.AAAA', '{}.[]'])(
    'is not %j',
    (token) => {
      expect(readDeviceProof(box, 'mira', token, now)).toBeUndefined();
    },
  );

  it('is nothing that somebody else has sealed or changed', () => {
    const { token } = issueDeviceProof(createSecretBox([{ id: 'first', key: randomBytes(32) }]), 'mira', later);
    expect(readDeviceProof(box, 'mira', token, now)).toBeUndefined();
    const own = issueDeviceProof(box, 'mira', later).token;
    const changed = own.slice(0, -2) + (own.endsWith('AA') ? 'BB' : 'AA');
    expect(readDeviceProof(box, 'mira', changed, now)).toBeUndefined();
  });
});
