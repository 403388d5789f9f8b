import { BlockList, isIP } from 'node:net';

/** Where webhooks may lead besides public addresses: networks as `10.1.0.0/16`, `fd00::/8`, or single addresses. */
export type AllowedNetworks = BlockList;

/** @throws Error for what is no network */
export function readNetworks(texts: readonly string[]): AllowedNetworks {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix] = text.split('/');
    const family = isIP(address);
    const length = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix);
    if (family === 0 || !Number.isInteger(length)) throw new Error(`${text} is not a network`);
    list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Not of the internet: IANA special-purpose address registries (RFC 6890), and metadata services among them. */
const SPECIAL = readNetworks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/** Public addresses of IPv6 begin so; unique local, link-local, multicast and mapped ones do not (RFC 4291 section 2.4). */
const GLOBAL_V6 = readNetworks(['2000::/3']);
/** That hold an address of IPv4, or are not to be routed: Teredo, 6to4, documentation, ORCHID, NAT64 local. */
const SPECIAL_V6 = readNetworks(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** An address of IPv4 inside one of IPv6 (`::ffff:10.0.0.1`, RFC 4291 section 2.5.5.2, and NAT64, RFC 6052); undefined: there is none. */
function embeddedV4(address: string): string | undefined {
  const url = URL.parse(`http://[${address}]`);
  const host = url?.hostname.slice(1, -1) ?? '';
  const [, high, low] = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/** Whether a webhook may connect to an address, as the resolver has given it. */
export function mayReach(address: string, allowed: AllowedNetworks): boolean {
  const plain = address.replace(/%.*$/, ''); // without a zone
  const family = isIP(plain);
  if (family === 0) return false;
  const inner = family === 6 ? embeddedV4(plain) : undefined;
  if (inner !== undefined) return mayReach(inner, allowed);
  if (allowed.check(plain, family === 4 ? 'ipv4' : 'ipv6')) return true;
  if (family === 4) return !SPECIAL.check(plain, 'ipv4');
  return GLOBAL_V6.check(plain, 'ipv6') && !SPECIAL_V6.check(plain, 'ipv6');
}

const URL_LENGTH_MAX = 2048;

/** What is wrong with the address of a webhook; undefined: nothing, as far as it can be known before it is called. */
export function urlFault(text: string, allowed: AllowedNetworks): string | undefined {
  const url = text.length <= URL_LENGTH_MAX ? URL.parse(text) : null;
  if (url === null)
    return `must be an address of at most ${URL_LENGTH_MAX} characters, such as https://example.org/hook`;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !mayReach(host, allowed)) return 'must not lead to a private address';
  if (
    url.protocol !== 'https:' &&
    !(url.protocol === 'http:' && isIP(host) !== 0 && allowed.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6'))
  )
    return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password';
  return undefined;
}
