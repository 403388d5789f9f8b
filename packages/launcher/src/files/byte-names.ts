import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';

/*
 * A name is bytes. Node shows one that is not UTF-8 by replacement characters, and finds no file by these, so whoever must reach every
 * file of a simulator's folder keeps to the bytes.
 */

/** A path whose names need not be text. */
export type BytePath = string | Buffer;

/** Path of an entry of a folder. */
export function joinBytes(folder: BytePath, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), name]);
}

/** What is in a folder, by the bytes of its names. */
export function listBytes(folder: BytePath): Promise<Dirent<Buffer>[]> {
  return readdir(folder, { withFileTypes: true, encoding: 'buffer' });
}
