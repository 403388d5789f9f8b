import { wholeCharacters } from '@tally/launcher';
import type { Clock, Logger } from '@tally/service-kit';
import type { LogPiece, RunnerLimits, TaskFolder, TaskResults } from './ports.js';
import { isRefusal } from './retry.js';

/** Sends a task's log to results as it grows. */
export interface LogShipper {
  /**
   * Sends what has not been sent, but for a last piece, which it gives to be sent together with other things; again
   * when it is asked again. Throws what results threw, unless it refused for good.
   */
  flush(signal: AbortSignal): Promise<LogPiece | undefined>;
  /** Sends no more by itself; resolves when nothing is under way. */
  end(): Promise<void>;
}

interface ShipPorts {
  readonly results: Pick<TaskResults, 'appendLog'>;
  readonly limits: Pick<RunnerLimits, 'logShipMs'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Bytes of log text in one call; the contract allows 256 KiB. */
const CHUNK_BYTES = 128 * 1024;
const NOTHING = new Uint8Array();

/** Starts sending every `logShipMs`. The offset that results has is not requested: a repeat from the start does no harm. */
export function shipLog({ results, limits, clock, logger }: ShipPorts, { order, log }: TaskFolder): LogShipper {
  const ended = new AbortController();
  let offset = 0;
  let isRefused = false;
  let underWay: Promise<unknown> = Promise.resolve();

  const readLog = async () => {
    try {
      return await log.read(offset, CHUNK_BYTES);
    } catch (err) {
      logger.error({ err }, 'log could not be read');
      return NOTHING; // a log is not worth a task
    }
  };
  const nextPiece = async (): Promise<LogPiece | undefined> => {
    if (isRefused || offset >= log.sizeBytes) return undefined;
    const bytes = await readLog();
    const length = wholeCharacters(bytes);
    if (length === 0) return undefined;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, length));
    return { offset, text, endOffset: offset + length };
  };
  const send = async (piece: LogPiece, signal: AbortSignal) => {
    try {
      await results.appendLog(order, piece, signal);
    } catch (err) {
      if (!isRefusal(err)) throw err;
      isRefused = true;
      logger.warn({ err }, 'log was refused');
    }
    offset = piece.endOffset;
  };
  const sendNew = async (signal: AbortSignal) => {
    for (let piece = await nextPiece(); piece !== undefined; piece = await nextPiece()) await send(piece, signal);
  };
  const sendAllButLast = async (signal: AbortSignal) => {
    for (let piece = await nextPiece(); piece !== undefined; piece = await nextPiece()) {
      if (piece.endOffset >= log.sizeBytes) return piece;
      await send(piece, signal);
    }
    return undefined;
  };
  const after = <T>(work: () => Promise<T>): Promise<T> => {
    const next = underWay.then(work, work);
    underWay = next;
    return next;
  };
  const keepSending = async () => {
    for (;;) {
      await clock.sleep(limits.logShipMs, ended.signal);
      if (ended.signal.aborted) return;
      const sent = after(() => sendNew(ended.signal));
      await sent.catch((err: unknown) => logger.debug({ err }, 'log could not be sent yet'));
    }
  };
  const running = keepSending();
  return {
    flush: (signal) => after(() => sendAllButLast(signal)),
    async end() {
      ended.abort('ended');
      await running;
    },
  };
}
