import { wholeCharacters } from '@tally/launcher';
import type { Clock, Logger } from '@tally/service-kit';
import type { RunnerLimits, TaskFolder, TaskResults } from './ports.js';
import { isRefusal } from './retry.js';

/** Sends a task's log to results as it grows. */
export interface LogShipper {
  /** Sends what has not been sent. Throws what results threw, unless it refused for good. */
  flush(signal: AbortSignal): Promise<void>;
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

/** Starts sending every `logShipMs`. What results has is asked of nobody: a repeat from the start does no harm. */
export function shipLog({ results, limits, clock, logger }: ShipPorts, { order, log }: TaskFolder): LogShipper {
  const ended = new AbortController();
  let offset = 0;
  let isRefused = false;
  let underWay: Promise<void> = Promise.resolve();

  const sendNew = async (signal: AbortSignal) => {
    while (!isRefused && offset < log.sizeBytes) {
      const bytes = await log.read(offset, CHUNK_BYTES);
      const length = wholeCharacters(bytes);
      if (length === 0) return;
      try {
        await results.appendLog(order, offset, new TextDecoder().decode(bytes.subarray(0, length)), signal);
      } catch (err) {
        if (!isRefusal(err)) throw err;
        isRefused = true;
        logger.warn({ err }, 'log was refused');
      }
      offset += length;
    }
  };
  const flush = (signal: AbortSignal) => {
    const next = underWay.catch(() => {}).then(() => sendNew(signal));
    underWay = next;
    return next;
  };
  const keepSending = async () => {
    for (;;) {
      await clock.sleep(limits.logShipMs, ended.signal);
      if (ended.signal.aborted) return;
      await flush(ended.signal).catch((err: unknown) => logger.debug({ err }, 'log could not be sent yet'));
    }
  };
  const running = keepSending();
  return {
    flush,
    async end() {
      ended.abort();
      await running;
    },
  };
}
