import { describe, expect, it } from '@jest/globals';
import { mayReach, readNetworks, urlFault } from './webhook-target.js';

const none = readNetworks([]);
const site = readNetworks(['10.1.0.0/16', 'fd00:1::/32', '127.0.0.1']);

describe('an address that a webhook may reach', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    'is %s',
    (address) => expect(mayReach(address, none)).toBe(true),
  );

  it.each([
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    'fc00::1',
    'ff02::1',
    '2001:db8::1',
    '2002:a00:1::',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '0:0:0:0:0:ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::10.0.0.1',
    '::127.0.0.1',
    'fd00:ec2::254',
    'no address',
    '',
  ])('is not %j', (address) => expect(mayReach(address, none)).toBe(false));

  it.each(['10.1.2.3', 'fd00:1::7', '127.0.0.1', '::ffff:10.1.2.3'])('is %s where the site lists it', (address) =>
    expect(mayReach(address, site)).toBe(true),
  );

  it.each(['10.2.0.1', 'fd00:2::7', '127.0.0.2'])('is not %s beside what the site lists', (address) =>
    expect(mayReach(address, site)).toBe(false),
  );
});

describe('the address of a webhook', () => {
  it.each([
    ['https://example.org/hook?x=1', undefined],
    ['https://[2606:4700::1111]:8443/', undefined],
    ['http://example.org/', 'must begin with https://'],
    ['ftp://example.org/', 'must begin with https://'],
    ['https://10.0.0.1/', 'must not lead to a private address'],
    ['https://0x7f.1/', 'must not lead to a private address'],
    ['https://2130706433/', 'must not lead to a private address'],
    ['https://[::ffff:127.0.0.1]/', 'must not lead to a private address'],
    ['https://user:secret@example.org/', 'must not have a user name or a password'],
    ['no address', expect.stringContaining('must be an address')],
    [`https://example.org/${'x'.repeat(2048)}`, expect.stringContaining('must be an address')],
  ])('%j: %j', (url, fault) => expect(urlFault(url, none)).toEqual(fault));

  it('may be in clear to a network of the site', () => {
    expect(urlFault('http://127.0.0.1:8080/', site)).toBeUndefined();
    expect(urlFault('http://10.9.9.9/', site)).toBe('must not lead to a private address');
  });
});
