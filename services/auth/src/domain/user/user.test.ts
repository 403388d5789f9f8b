import { describe, expect, it } from '@jest/globals';
import { normalizeUsername, usernameFault } from './user.js';

describe('a user name', () => {
  it.each([
    ['mira', 'mira'],
    [' mira ', 'mira'],
    ['mira\u00a0', 'mira'],
    ['\u3000mira', 'mira'],
    ['ｍｉｒａ', 'mira'],
    ['ﬁona', 'fiona'],
    ['Zoe\u0308', 'Zo\u00eb'],
    ['Mira', 'Mira'],
  ])('%j is %j', (given, expected) => {
    expect(normalizeUsername(given)).toBe(expected);
    expect(usernameFault(normalizeUsername(given))).toBeUndefined();
  });

  it.each([
    ['zero-width space', 'mi\u200bra'],
    ['zero-width joiner', 'mi\u200dra'],
    ['soft hyphen', 'mi\u00adra'],
    ['byte order mark inside', 'mi\ufeffra'],
    ['right-to-left mark', 'mira\u200f'],
    ['right-to-left override', '\u202eraim'],
    ['isolate', '\u2067mira'],
    ['variation selector', 'mira\ufe0f'],
    ['Hangul filler', '\u3164'],
    ['blank of Braille', '\u2800'],
    ['tag', 'mira\u{e0041}'],
  ])('has no %s', (_what, name) => {
    expect(usernameFault(normalizeUsername(name))?.message).toBe('must not contain invisible characters');
  });
});
