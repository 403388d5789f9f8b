import { OutputError } from '../output-error.js';

/** A row with ten thousand energy bins has less. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;
const LINE_FEED = 10;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)(?:\(\w*\))?$/i;

/** Reads a simulator's text file line by line: a file is never one string, however long it is. */
export class TextReader {
  private readonly buffer: Buffer;
  private position = 0;
  /** Number of the last line read, from 1. */
  line = 0;

  /** @param fileName - for errors */
  constructor(
    bytes: Uint8Array,
    readonly fileName: string,
  ) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws OutputError `UNREADABLE`, naming file and line */
  fail(message: string): never {
    throw new OutputError('UNREADABLE', this.fileName, `line ${this.line}: ${message}`);
  }

  /** The next line without its end; `undefined` after the last. */
  next(): string | undefined {
    const start = this.position;
    if (start >= this.buffer.byteLength) return undefined;
    const found = this.buffer.indexOf(LINE_FEED, start);
    const end = found < 0 ? this.buffer.byteLength : found;
    this.line += 1;
    if (end - start > LINE_BYTES_MAX) this.fail(`has ${end - start} bytes, more than ${LINE_BYTES_MAX}`);
    this.position = end + 1;
    return this.buffer.toString('latin1', start, end).trimEnd();
  }

  /** The next line, which is left to be read again. */
  peek(): string | undefined {
    const { position, line } = this;
    const next = this.next();
    this.position = position;
    this.line = line;
    return next;
  }

  /** A number as simulators write it, NaN and infinity included. @throws OutputError `UNREADABLE` */
  number(text: string | undefined): number {
    const trimmed = text?.trim() ?? '';
    if (NUMBER.test(trimmed)) return Number(trimmed);
    if (NOT_FINITE.test(trimmed)) return Number.NaN;
    return this.fail(`${JSON.stringify(trimmed.slice(0, 40))} is not a number`);
  }

  /** A whole number from 0. @throws OutputError `UNREADABLE` */
  count(text: string | undefined): number {
    const trimmed = text?.trim() ?? '';
    return /^\d{1,15}$/.test(trimmed)
      ? Number(trimmed)
      : this.fail(`${JSON.stringify(trimmed.slice(0, 40))} is not a count`);
  }
}
