import type { EventPart } from '../../clients/job-events.js';

/** Status and headers of an answer. */
interface AnswerHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of Set-Cookie headers. */
  readonly cookies?: readonly string[];
}
/** A JSON value, sent whole. */
export interface JsonAnswer extends AnswerHead {
  readonly kind: 'json';
  readonly body: object;
}
/** JSON text that has been written already, sent whole. */
export interface TextAnswer extends AnswerHead {
  readonly kind: 'text';
  /** Undefined: the client has it (If-None-Match). */
  readonly text: string | undefined;
  /** Strong validator of the content, unquoted; absent: it must not be kept. */
  readonly tag?: string;
}
/** JSON text, or a file, in pieces. A failure after the first 64 KiB cuts the connection: never a whole-looking half. */
export interface StreamAnswer extends AnswerHead {
  readonly kind: 'stream';
  /** Its long pieces may lie in the same memory (piece-memory.ts). */
  readonly text: AsyncIterable<Uint8Array | string>;
  /** A file's; absent: JSON. */
  readonly file?: {
    readonly contentType: string;
    readonly name: string;
    /** False: it is numbers already, and goes out as it is whatever the client takes. */
    readonly isCompressible: boolean;
  };
  /** True: what it is depends on Accept. */
  readonly isNegotiated?: boolean;
  /** Validator of the content, unquoted; the encoding is added to it. Strong, but weak of a file: the same numbers. */
  readonly tag?: string;
}
/** Server-sent events; ends when `end` aborts or the events do. */
export interface EventsAnswer extends AnswerHead {
  readonly kind: 'events';
  /** What is sent before them. */
  readonly head: string;
  readonly events: AsyncIterable<EventPart>;
  readonly toText: (event: EventPart) => string;
  readonly end: AbortSignal;
}
export type Answer = JsonAnswer | TextAnswer | StreamAnswer | EventsAnswer;

/** A JSON answer with a status, 200 unless given. */
export function answer(
  body: { readonly message: string; readonly [member: string]: unknown },
  status = 200,
  head: Partial<AnswerHead> = {},
): JsonAnswer {
  return { kind: 'json', ...head, status, body };
}
