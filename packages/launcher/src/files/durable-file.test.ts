import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDurably, readChunks, writeDurably } from './durable-file.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-durable-'));
  file = path.join(folder, 'a');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a durable file', () => {
  it('is replaced by writing', async () => {
    await writeDurably(file, 'one');
    await writeDurably(file, Buffer.from('two'));
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['a'], 'two']);
  });

  it('is not replaced by creating, and one of many wins', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const won = await Promise.all(texts.map((text) => createDurably(file, text)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(texts[won.indexOf(true)]);
    expect(await createDurably(file, 'late')).toBe(false);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('is read in chunks, and not beyond its end', async () => {
    await writeDurably(file, 'abcdefg');
    const chunks: string[] = [];
    for await (const chunk of readChunks(file, 1, 5, 2)) chunks.push(chunk.toString());
    expect(chunks).toEqual(['bc', 'de', 'f']);
    await expect(readChunks(file, 1, 50, 100).next()).resolves.toMatchObject({ done: false });
    const rest = readChunks(file, 1, 50, 100);
    await rest.next();
    await expect(rest.next()).rejects.toThrow('shorter than it says');
  });
});
