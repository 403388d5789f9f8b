import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TEXTS } from '../src/texts.js';

const folder = path.join(import.meta.dirname, '../src');
const sources = fs
  .readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|^texts(?:\.ts$|\/)/.test(name))
  .map((name) => ({ name, text: fs.readFileSync(path.join(folder, name), 'utf8') }));

describe('texts', () => {
  it('are in one place: no component has words of its own', () => {
    const words =
      /^\s*[A-Z][a-z]+(?: [\w ]+)?$|>\s*[A-Z][a-z]+[\w ]*<\/|\b(?:label|title|placeholder|alt|aria-label|description)="[A-Z]/m;
    expect(
      sources.flatMap(({ name, text }) => (words.test(text) ? [`${name}: ${words.exec(text)?.[0]}`] : [])),
    ).toEqual([]);
  });

  it('are all said somewhere', () => {
    const all = sources.map(({ text }) => text).join('\n');
    const names = Object.values(TEXTS).flatMap((part) => (typeof part === 'string' ? [] : Object.keys(part)));
    expect(names.filter((name) => !/^[A-Z_]+$/.test(name) && !new RegExp(`\\b${name}\\b`).test(all))).toEqual([]);
  });
});
