const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i; // RFC 4291 section 2.5.5.2

/**
 * What is counted as one address: an IPv4 address; of an IPv6 address its first 64 bits, because a single customer has
 * at least these to himself; anything else as it is.
 */
export function clientNetwork(address: string): string {
  const [text = ''] = address.trim().split('%'); // zone index
  const mapped = MAPPED.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  if (!text.includes(':') || !URL.canParse(`http://[${text}]`)) return text;
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
