import { closeSync, fdatasync, ftruncateSync, openSync, unlinkSync, write, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type ProcessIdentity, readChunks, SMALL_BYTES_MAX } from '@tally/launcher';
import { INPUT_TYPES, SIM_TYPES } from '@tally/simulators/run';
import { z } from 'zod';
import { type FailureReason, fail } from '../domain/errors.js';
import type { AttemptId, JobId, TaskEnd, WorkOrder } from '../domain/task.js';

/*
 * What the runner must know of an attempt after a crash, in one file: lines of JSON, added as things happen.
 *
 *   {"order":…}                     what was claimed; first
 *   {"process":…}                   the simulator
 *   {"end":…,"outputBytes":1234}    how it ended, and in the next 1234 bytes its output; the last one counts
 *
 * A line or output that is cut short was never there. One file and not four, because to make and to remove a file is
 * most of what the file system does for a short task.
 */

/** An attempt's id becomes a file name; jobs gives UUIDs. */
export const ATTEMPT_ID = /^[A-Za-z0-9-]{8,64}$/;
/** Longer is no line of ours. */
const LINE_BYTES_MAX = 256 * 1024;
const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** Where in the file an output lies. */
interface OutputPlace {
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

/** The journal of an attempt, open for adding to it. */
export interface Journal {
  /** At once, so that nothing comes between. */
  recordProcess(identity: ProcessIdentity): void;
  /** @param isDurable - when it resolves it survives a power cut, if the file itself does */
  recordEnd(end: TaskEnd, output: Uint8Array | undefined, isDurable: boolean): Promise<void>;
  /** Bytes [offset, offset + size) of the output of the last end, in chunks of at most 256 KiB. */
  readOutput(offsetBytes: number, sizeBytes: number): AsyncIterable<Buffer>;
  /** Closes and removes it; the attempt is forgotten. */
  remove(): void;
}

/** What a journal says. */
export interface JournalContent {
  readonly order: WorkOrder;
  readonly leader: ProcessIdentity | undefined;
  readonly end: TaskEnd | undefined;
}

/** Begins a journal; there must be none. Where it cannot be written, on a full disk for example, nothing of it is left. */
export function createJournal(file: string, order: WorkOrder): Journal {
  const descriptor = openSync(file, 'ax', 0o600);
  try {
    const sizeBytes = writeSync(descriptor, encodeLine({ order }));
    return continueJournal(file, descriptor, sizeBytes, undefined);
  } catch (err) {
    closeSync(descriptor);
    unlinkSync(file);
    throw err;
  }
}

/** A journal that an earlier run has left; `undefined`: it does not say what was claimed. */
export async function openJournal(file: string): Promise<{ journal: Journal; content: JournalContent } | undefined> {
  const handle = await open(file, 'r+');
  try {
    const { order, leader, end, output, sizeBytes } = await readJournal(handle);
    if (order === undefined) return undefined;
    await handle.truncate(sizeBytes); // what was cut short must not hide what is added
    return {
      journal: continueJournal(file, openSync(file, 'a'), sizeBytes, output),
      content: { order, leader, end },
    };
  } finally {
    await handle.close();
  }
}

function continueJournal(
  file: string,
  descriptor: number,
  startBytes: number,
  startOutput: OutputPlace | undefined,
): Journal {
  let sizeBytes = startBytes;
  let output = startOutput;
  return {
    recordProcess(identity) {
      sizeBytes += writeSync(descriptor, encodeLine({ process: identity }));
    },
    async recordEnd(end, bytes, isDurable) {
      const line = encodeLine({ end, outputBytes: bytes?.length ?? 0 });
      try {
        for (const part of partsOf(line, bytes)) await writeAll(descriptor, part);
        if (isDurable) await promisify(fdatasync)(descriptor);
      } catch (err) {
        ftruncateSync(descriptor, sizeBytes); // half of it would hide what is added later
        throw err;
      }
      output = bytes && { offsetBytes: sizeBytes + line.length, sizeBytes: bytes.length };
      sizeBytes += line.length + (bytes?.length ?? 0);
    },
    readOutput(offsetBytes, size) {
      const place = output;
      if (place === undefined || offsetBytes + size > place.sizeBytes) throw new Error('the output is not so long');
      return readChunks(file, place.offsetBytes + offsetBytes, size, CHUNK_BYTES);
    },
    remove() {
      closeSync(descriptor);
      unlinkSync(file);
    },
  };
}

function encodeLine(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** Small ones together; to put much behind a line would hold the event loop. */
function partsOf(line: Buffer, bytes: Uint8Array = new Uint8Array()): Uint8Array[] {
  return bytes.length <= SMALL_BYTES_MAX ? [Buffer.concat([line, bytes])] : [line, bytes];
}

/** Small things go to the system's memory at once; large ones may have to wait for the disk. */
async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  const isSmall = bytes.length <= SMALL_BYTES_MAX;
  for (let done = 0; done < bytes.length; ) {
    const rest = bytes.subarray(done);
    done += isSmall ? writeSync(descriptor, rest) : (await promisify(write)(descriptor, rest)).bytesWritten;
  }
}

const count = z.number().int().nonnegative();
const orderSchema: z.ZodType<WorkOrder> = z.object({
  attemptId: z
    .string()
    .regex(ATTEMPT_ID)
    .transform((text) => text as AttemptId),
  jobId: z
    .string()
    .min(1)
    .transform((text) => text as JobId),
  taskId: count,
  attempt: count,
  simType: z.enum(SIM_TYPES),
  inputType: z.enum(INPUT_TYPES),
  primaries: count,
  firstHistory: count,
  seed: z.string(),
  leaseMs: z.number().positive(),
  heartbeatMs: z.number().positive(),
  requestId: z.string().optional(),
  traceparent: z.string().optional(),
});
export const identitySchema: z.ZodType<ProcessIdentity> = z.object({
  pid: z.number().int().min(1),
  startTicks: z.number(),
  bootId: z.string(),
});
const reasonSchema = z.string().refine((text): text is FailureReason => Object.hasOwn(fail.reasons, text));
const cpuMs = z.number().nonnegative().optional();
const endSchema: z.ZodType<TaskEnd> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed'), simulatedPrimaries: count, cpuMs }),
  z.object({
    kind: z.literal('failed'),
    reason: reasonSchema,
    message: z.string(),
    isRetryable: z.boolean(),
    exitCode: z.number().optional(),
    signal: z.string().optional(),
    cpuMs,
  }),
  z.object({ kind: z.literal('released'), cpuMs }),
]);
const lineSchema = z.union([
  z.object({ order: orderSchema }),
  z.object({ process: identitySchema }),
  z.object({ end: endSchema, outputBytes: count }),
]);

interface ReadJournal extends Partial<JournalContent> {
  readonly output: OutputPlace | undefined;
  /** Up to the last thing that is whole. */
  readonly sizeBytes: number;
}

async function readJournal(handle: FileHandle): Promise<ReadJournal> {
  const { size } = await handle.stat();
  let found: ReadJournal = { output: undefined, sizeBytes: 0 };
  for (;;) {
    const at = found.sizeBytes;
    const buffer = Buffer.alloc(Math.min(LINE_BYTES_MAX, size - at));
    await handle.read(buffer, { position: at });
    const length = buffer.indexOf(NEWLINE);
    const line = length < 0 ? undefined : parseLine(buffer.subarray(0, length).toString());
    if (line === undefined) return found;
    const offsetBytes = at + length + 1;
    if ('order' in line) found = { ...found, order: line.order, sizeBytes: offsetBytes };
    else if ('process' in line) found = { ...found, leader: line.process, sizeBytes: offsetBytes };
    else {
      const sizeBytes = offsetBytes + line.outputBytes;
      if (sizeBytes > size) return found;
      const output = line.outputBytes === 0 ? undefined : { offsetBytes, sizeBytes: line.outputBytes };
      found = { ...found, end: line.end, output, sizeBytes };
    }
  }
}

function parseLine(text: string): z.output<typeof lineSchema> | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
