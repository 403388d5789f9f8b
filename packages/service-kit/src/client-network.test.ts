import { describe, expect, it } from '@jest/globals';
import { clientNetwork } from './client-network.js';

describe('addresses are counted', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
    ['unknown', 'unknown'],
    ['not:an:address', 'not:an:address'],
  ])('%s as %s', (address, expected) => {
    expect(clientNetwork(address)).toBe(expected);
  });
});
