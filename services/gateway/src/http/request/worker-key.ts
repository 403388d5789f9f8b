import type { IncomingMessage } from 'node:http';
import { fail } from '../../errors.js';
import { parseMember } from './body.js';
import type { BodyShare } from './body-budget.js';
import { JsonScanner } from './json-scanner.js';

/** Who a worker says that it is. */
export interface ShownKey {
  readonly jobRef: string;
  readonly updateKey: string;
}

/** A worker whose key is right. */
export interface KnownWorker extends ShownKey {
  readonly jobId: string;
}

/** Asks jobs. @throws ServiceError UPDATE_KEY_INVALID and what else the call may fail with */
export type CheckKey = (shown: ShownKey) => Promise<KnownWorker>;

/** The key of the headers `Authorization: Bearer` and `X-Job-ID`; undefined unless both are there. */
export function keyOfHeaders({ headers }: IncomingMessage): ShownKey | undefined {
  const updateKey = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const jobRef = headers['x-job-id'];
  return updateKey === undefined || typeof jobRef !== 'string' ? undefined : { jobRef, updateKey };
}

/** Names of the job in bodies of workers. */
const JOB_MEMBERS = ['simulation_id', 'sim_id'];

/** The key in the beginning of a body. @throws ServiceError UPDATE_KEY_MISSING, BODY_MALFORMED */
export function keyOfHead(head: Buffer, req: IncomingMessage): ShownKey {
  const scanner = new JsonScanner({ keysMax: Number.POSITIVE_INFINITY, valuesMax: Number.POSITIVE_INFINITY });
  scanner.push(head);
  const members = scanner.membersSoFar(head);
  const textOf = (name: string) => {
    const member = members.get(name);
    const value = member === undefined ? undefined : parseMember(member);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const jobRef = JOB_MEMBERS.map(textOf).find((text) => text !== undefined);
  const updateKey = textOf('update_key') ?? /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (jobRef !== undefined && updateKey !== undefined) return { jobRef, updateKey };
  const message = `A body of more than ${head.length} bytes must begin with the job and its update key`;
  throw fail('UPDATE_KEY_MISSING', { message });
}

/** A body that has to show a key before more than its beginning is read. */
export interface KeyedBody {
  /** Takes the next piece. */
  readonly take: (piece: Buffer) => Promise<void> | void;
  /** The body is whole. */
  readonly end: () => void;
  /** Undefined: the body is so small that it has been read without. */
  readonly worker: KnownWorker | undefined;
}

/**
 * Holds back the beginning of a body until its key has been checked; a body that is no longer than that is passed on without,
 * as reading it costs no more than asking.
 * @param headBytes - what is read without a key
 */
export function createKeyedBody(
  req: IncomingMessage,
  options: {
    readonly headBytes: number;
    readonly share: BodyShare;
    readonly checkKey: CheckKey;
    /** Who has shown a key in the headers. */
    readonly known: KnownWorker | undefined;
  },
  push: (piece: Buffer) => void,
): KeyedBody {
  const { headBytes, share, checkKey, known: early } = options;
  const head: Buffer[] = [];
  let [bytes, isPassing] = [0, early !== undefined];
  let worker = early;
  const pass = () => {
    isPassing = true;
    share.release();
    for (const piece of head.splice(0)) push(piece);
  };
  return {
    get worker() {
      return worker;
    },
    take(piece) {
      if (isPassing) return push(piece);
      share.hold(piece.length);
      head.push(piece);
      bytes += piece.length;
      if (bytes <= headBytes) return;
      return checkKey(keyOfHeaders(req) ?? keyOfHead(Buffer.concat(head).subarray(0, headBytes), req)).then((known) => {
        worker = known;
        share.recognize();
        pass();
      });
    },
    end: () => {
      if (!isPassing) pass();
    },
  };
}
