import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type OidcProvider, subjectOf } from '@tally/testkit';
import type { JWTPayload } from 'jose';

/** A token that must be refused, and why. */
export interface ForgedToken {
  readonly why: string;
  readonly token: string;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const now = (): number => Math.floor(Date.now() / 1000);

/** Claims of a good access token of the realm. */
export function goodClaims(realm: OidcProvider, username: string): JWTPayload {
  return {
    iss: realm.issuer,
    aud: realm.audience,
    sub: subjectOf(username),
    preferred_username: username,
    iat: now() - 5,
    exp: now() + 300,
  };
}

function without(claims: JWTPayload, name: string): JWTPayload {
  return Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
}

/** Signs by hand, so that libraries cannot refuse to. */
function forge(header: object, claims: object, makeSignature: (input: string) => Buffer | string): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${Buffer.from(makeSignature(input)).toString('base64url')}`;
}

const byRsa = (key: KeyObject) => (input: string) => sign('RSA-SHA256', Buffer.from(input), key);

/** Tokens with a right signature of the realm and something else wrong. */
async function wrongContents(realm: OidcProvider): Promise<ForgedToken[]> {
  const good = goodClaims(realm, 'mira');
  const { idToken } = await realm.login('mira');
  const contents: [string, JWTPayload, object?][] = [
    ['another issuer', { ...good, iss: 'https://elsewhere.example' }],
    ['the issuer with a slash more', { ...good, iss: `${realm.issuer}/` }],
    ['the issuer in upper case', { ...good, iss: realm.issuer.toUpperCase() }],
    ['no issuer', without(good, 'iss')],
    ['an issuer list', { ...good, iss: [realm.issuer] as never }],
    ['another audience', { ...good, aud: 'urn:other' }],
    ['a list of other audiences', { ...good, aud: ['urn:other', 'account'] }],
    ['an audience that begins like ours', { ...good, aud: `${realm.audience}-2` }],
    ['no audience', without(good, 'aud')],
    ['another audience and another azp', { ...good, aud: 'account', azp: 'other-client' }],
    ['an empty audience list', { ...good, aud: [] }],
    ['no expiry', without(good, 'exp')],
    ['an expiry that is text', { ...good, exp: String(now() + 300) as never }],
    ['an expiry of null', { ...good, exp: null as never }],
    ['expired, beyond the skew', { ...good, exp: now() - 31 }],
    ['expired long ago', { ...good, exp: 1 }],
    ['not yet valid, beyond the skew', { ...good, nbf: now() + 90 }],
    ['not before as text', { ...good, nbf: 'tomorrow' as never }],
    ['issued in the future', { ...good, iat: now() + 90 }],
    ['older than five minutes', { ...good, iat: now() - 340 }],
    ['issued at no time', { ...good, iat: undefined }],
    ['issued at a text', { ...good, iat: 'now' as never }],
    ['no subject', without(good, 'sub')],
    ['an empty subject', { ...good, sub: '' }],
    ['a subject that is a number', { ...good, sub: 7 as never }],
    ['a zero byte in the subject', { ...good, sub: 'a\0b' }],
    ['no user name', without(good, 'preferred_username')],
    ['an empty user name', { ...good, preferred_username: '' }],
    ['a user name that is a list', { ...good, preferred_username: ['mira'] }],
    ['a user name that is an object', { ...good, preferred_username: { toString: 'mira' } }],
    ['a zero byte in the user name', { ...good, preferred_username: 'mi\0ra' }],
    ['a user name of 129 characters', { ...good, preferred_username: 'x'.repeat(129) }],
    ['the purpose of an id token (claim typ)', { ...good, typ: 'ID' }],
    ['the purpose of a refresh token (claim typ)', { ...good, typ: 'Refresh' }],
    ['the purpose of a log-out token (header typ)', good, { typ: 'logout+jwt' }],
    ['no purpose', good, { typ: undefined }],
    ['the header type of any token', good, { typ: 'JWT' }],
    ['a critical extension nobody knows', good, { crit: ['x'], x: 1 }],
    ['an unencoded payload', good, { crit: ['b64'], b64: false }],
    ['another key id', good, { kid: 'no-such-key' }],
    ['a key id that is a path', good, { kid: '../../../../dev/null' }],
    ['no key id', good, { kid: undefined }],
    ['more than 16 KiB', { ...good, padding: 'x'.repeat(20_000) }],
  ];
  const signed = contents.map(([why, claims, header]): ForgedToken => ({ why, token: realm.sign(claims, header) }));
  return [...signed, { why: 'the id token of a login', token: idToken }];
}

/** Tokens with good contents and no signature of the realm. */
async function wrongSignatures(realm: OidcProvider, otherRealm: OidcProvider): Promise<ForgedToken[]> {
  const good = goodClaims(realm, 'mira');
  const [jwk] = await realm.publicKeys();
  if (jwk?.kid === undefined) throw new Error('the realm has a key');
  const header = { alg: 'RS256', typ: 'at+jwt', kid: jwk.kid };
  const publicKey = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ownEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const secrets: [string, string | Buffer][] = [
    ['the public key as PEM (SPKI)', publicKey.export({ format: 'pem', type: 'spki' })],
    ['the public key as PEM (PKCS #1)', publicKey.export({ format: 'pem', type: 'pkcs1' })],
    ['the public key as DER', publicKey.export({ format: 'der', type: 'spki' })],
    ['the public key as JWK', JSON.stringify(jwk)],
    ['an empty secret', ''],
  ];
  const ownJwk = own.publicKey.export({ format: 'jwk' });
  return [
    ...secrets.map(([what, secret]) => ({
      why: `HS256 with ${what}`,
      token: forge({ ...header, alg: 'HS256' }, good, (input) => createHmac('sha256', secret).update(input).digest()),
    })),
    ...['none', 'None', 'NONE', '', 'RS1', 'EdDSA', 'RSA-OAEP'].map((alg) => ({
      why: `algorithm "${alg}" without a signature`,
      token: forge({ ...header, alg }, good, () => ''),
    })),
    { why: 'no algorithm', token: forge({ typ: 'at+jwt', kid: jwk.kid }, good, () => '') },
    { why: 'a stranger’s key under the realm’s key id', token: forge(header, good, byRsa(own.privateKey)) },
    { why: 'a stranger’s key brought along', token: forge({ ...header, jwk: ownJwk }, good, byRsa(own.privateKey)) },
    {
      why: 'a stranger’s key by address',
      token: forge(
        { ...header, jku: 'https://evil.example/jwks', x5u: 'https://evil.example' },
        good,
        byRsa(own.privateKey),
      ),
    },
    {
      why: 'ES256 under the id of an RSA key',
      token: forge({ ...header, alg: 'ES256' }, good, (input) =>
        sign('sha256', Buffer.from(input), { key: ownEc.privateKey, dsaEncoding: 'ieee-p1363' }),
      ),
    },
    { why: 'an all-zero ES256 signature', token: forge({ ...header, alg: 'ES256' }, good, () => Buffer.alloc(64)) },
    { why: 'another realm', token: (await otherRealm.login('mira')).accessToken },
    { why: 'another realm that names ours', token: otherRealm.sign(good, { kid: jwk.kid }) },
  ];
}

/** Genuine tokens that were changed, and what is no token at all. */
async function brokenTexts(realm: OidcProvider): Promise<ForgedToken[]> {
  const { accessToken } = await realm.login('mira');
  const [header = '', payload = '', signature = ''] = accessToken.split('.');
  const changed = encode({ ...decode(payload), preferred_username: 'admin' });
  const flipped = `${signature.slice(0, 40)}${signature[40] === 'A' ? 'B' : 'A'}${signature.slice(41)}`;
  const texts: [string, string][] = [
    ['changed claims', `${header}.${changed}.${signature}`],
    ['a changed header', `${encode({ ...decode(header), alg: 'RS512' })}.${payload}.${signature}`],
    ['a changed signature', `${header}.${payload}.${flipped}`],
    ['a cut signature', `${header}.${payload}.${signature.slice(0, -8)}`],
    ['no signature', `${header}.${payload}.`],
    ['two parts', `${header}.${payload}`],
    ['five parts', `${accessToken}.a.b`],
    ['parts in another order', `${payload}.${header}.${signature}`],
    ['a blank before it', ` ${accessToken}`],
    ['a line break after it', `${accessToken}\n`],
    ['the bearer word before it', `Bearer ${accessToken}`],
    ['nothing', ''],
    ['dots', '..'],
    ['a word', 'garbage'],
    ['bytes', '\0\u0001\ufffd'],
    ['JSON', '{"alg":"RS256"}'],
    ['a header that is no JSON', `e30x.${payload}.${signature}`],
    ['a header that is a list', `${encode([])}.${payload}.${signature}`],
    ['a header that is null', `${encode(null)}.${payload}.${signature}`],
    ['claims that are a list', `${header}.${encode([])}.${signature}`],
    ['a megabyte less a little', 'x'.repeat(900_000)],
  ];
  return texts.map(([why, token]) => ({ why, token }));
}

/** Every kind of token that must not log anybody in. */
export async function forgedTokens(realm: OidcProvider, otherRealm: OidcProvider): Promise<ForgedToken[]> {
  return [
    ...(await wrongContents(realm)),
    ...(await wrongSignatures(realm, otherRealm)),
    ...(await brokenTexts(realm)),
  ];
}
