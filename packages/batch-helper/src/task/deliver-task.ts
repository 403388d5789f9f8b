import { wholeCharacters } from '@tally/launcher';
import type { HelperLimits } from '../folder/batch-job.js';
import type { BatchTaskEnd, Delivered } from '../folder/task-files.js';
import type { TaskStore } from '../folder/task-store.js';
import type { Gateway, TaskUpdate } from '../gateway/gateway.js';
import { GatewayError } from '../gateway/gateway-error.js';
import { retryRequest } from '../gateway/retry-request.js';

/** Bytes of log text in one request; the service takes 256 KiB. */
const LOG_CHUNK_BYTES = 128 * 1024;

export interface DeliveryPorts {
  readonly gateway: Gateway;
  readonly limits: Pick<HelperLimits, 'retryPauseMs' | 'retryPauseMsMax'>;
  /** Lines for the operators of the cluster. */
  readonly print: (line: string) => void;
}

/** How a delivery ended. `refused`: a repeat would be refused as well; `unfinished`: the rest is left to the collect job or to batch-bridge. */
export type Delivery =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'nothing-to-deliver' }
  | { readonly kind: 'refused' | 'unfinished'; readonly reason: string };

/**
 * Delivers what the folder of a task holds to the service: its log, its output, its end, in this order, and writes into
 * `delivered.json` what the service has. A task without an end: its log only.
 * @param signal - ends the retries
 */
export async function deliverTask(ports: DeliveryPorts, store: TaskStore, signal: AbortSignal): Promise<Delivery> {
  const { gateway, limits, print } = ports;
  const send = <T>(work: () => Promise<T>): Promise<T> =>
    retryRequest(work, {
      ...limits,
      signal,
      onRetry: (err) => print(`task ${store.taskId}: retrying: ${describe(err)}`),
    });
  const before = await store.readDelivered();
  try {
    let delivered = await deliverLog(gateway, store, before, send, signal);
    const end = await store.readEnd();
    if (end !== undefined && !delivered.end) {
      let reported = end;
      if (end.taskState === 'COMPLETED' && !delivered.output) {
        reported = await deliverOutput(gateway, store, end, send, signal);
        delivered = { ...delivered, output: reported === end };
        await store.writeDelivered(delivered);
      }
      await send(() => gateway.updateTask(store.taskId, endUpdate(reported), signal));
      delivered = { ...delivered, end: true };
      await store.writeDelivered(delivered);
    }
    return { kind: isSame(before, delivered) ? 'nothing-to-deliver' : 'delivered' };
  } catch (err) {
    const isRefused = err instanceof GatewayError && err.isPermanent;
    return { kind: isRefused ? 'refused' : 'unfinished', reason: describe(err) };
  }
}

type Send = <T>(work: () => Promise<T>) => Promise<T>;

/** Sends what the service does not have of the log; a piece that it refuses is left out. */
export async function deliverLog(
  gateway: Gateway,
  store: TaskStore,
  before: Delivered,
  send: Send,
  signal: AbortSignal,
): Promise<Delivered> {
  const sizeBytes = await store.logBytes();
  let delivered = before;
  while (delivered.logBytes < sizeBytes) {
    const offset = delivered.logBytes;
    const bytes = await store.readLog(offset, Math.min(LOG_CHUNK_BYTES, sizeBytes - offset));
    const length = wholeCharacters(bytes);
    if (length === 0) break; // the rest is being written
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, length));
    await send(() => gateway.appendLog(store.taskId, offset, text, signal)).catch(unlessRefused);
    delivered = { ...delivered, logBytes: offset + length };
    await store.writeDelivered(delivered);
  }
  return delivered;
}

/** Resolves to the end that is to be reported: a task whose output is refused has failed. */
async function deliverOutput(
  gateway: Gateway,
  store: TaskStore,
  end: BatchTaskEnd,
  send: Send,
  signal: AbortSignal,
): Promise<BatchTaskEnd> {
  const refused = await send(async () => {
    const output = await store.openOutput(end.simulatedPrimaries);
    await gateway.putOutput(store.taskId, output, signal);
  }).catch(unlessRefused);
  if (refused === undefined) return end;
  return {
    ...end,
    taskState: 'FAILED',
    failure: `OUTPUT_REFUSED: the output of the task was not accepted: ${refused.message}`,
  };
}

/** A permanent refusal of one piece must not hold up the rest; unless everything that we send would be refused. */
function unlessRefused(err: unknown): GatewayError {
  if (err instanceof GatewayError && err.isPermanent && !err.isLeftToBridge) return err;
  throw err;
}

function endUpdate(end: BatchTaskEnd): TaskUpdate {
  return {
    task_state: end.taskState,
    simulated_primaries: end.simulatedPrimaries,
    start_time: end.startTime.toISOString(),
    end_time: end.endTime.toISOString(),
    ...(end.taskState === 'FAILED' ? { failure: end.failure } : {}),
  };
}

function isSame(one: Delivered, other: Delivered): boolean {
  return one.logBytes === other.logBytes && one.output === other.output && one.end === other.end;
}

function describe(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
