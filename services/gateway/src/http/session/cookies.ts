import { parseCookie, stringifySetCookie } from 'cookie';

/** Names of the session cookies (docs/http-interface.md, Authentication). */
export const SESSION_COOKIES = ['access_token', 'refresh_token'] as const;
export type SessionCookie = (typeof SESSION_COOKIES)[number];

/** Keeps what a login gives to a device; no session. */
const DEVICE_COOKIE = 'device_token';

/** The proof of an earlier login on this device; empty: there is none. */
export function readDeviceCookie(header: string | undefined): string {
  return (header === undefined ? undefined : parseCookie(header, { decode: (text) => text })[DEVICE_COOKIE]) ?? '';
}

/** Reads a session cookie; an empty one counts as none. Values are taken as they are, without percent-decoding. */
export function readCookie(header: string | undefined, name: SessionCookie): string | undefined {
  if (header === undefined) return undefined;
  const value = parseCookie(header, { decode: (text) => text })[name];
  return value === '' ? undefined : value;
}

/** Whether a request brings one of the session cookies. */
export function hasSessionCookie(header: string | undefined): boolean {
  return SESSION_COOKIES.some((name) => readCookie(header, name) !== undefined);
}

/** Writes session cookies. Without `isSecure` (loopback only) SameSite is Lax, because browsers refuse None then. */
export class CookieWriter {
  readonly #attributes;

  constructor(isSecure: boolean) {
    this.#attributes = { path: '/', httpOnly: true, secure: isSecure, sameSite: isSecure ? 'none' : 'lax' } as const;
  }

  /** Value of a Set-Cookie header that gives the cookie. */
  set(name: SessionCookie, value: string): string {
    return stringifySetCookie({ name, value, ...this.#attributes });
  }

  /** Value of a Set-Cookie header that gives the proof of a device. */
  setDevice(value: string, expiresAt: Date, now: Date): string {
    const maxAge = Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000));
    return stringifySetCookie({ name: DEVICE_COOKIE, value, maxAge, ...this.#attributes });
  }

  /** Values of the Set-Cookie headers that take both cookies away. */
  clearAll(): string[] {
    return SESSION_COOKIES.map((name) => stringifySetCookie({ name, value: '', maxAge: 0, ...this.#attributes }));
  }
}
