import {
  type Clock,
  createBatcher,
  currentContext,
  hasReason,
  kitError,
  newId,
  type RequestContext,
  withContext,
} from '@tally/service-kit';
import type { InputDelivery, JobData, Notifier, PendingInput, PendingInputStore, StateStore } from '../ports.js';
import { processDue } from '../upkeep/process-due.js';
import { decideRefusal } from './refuse-input.js';

/** Inputs that are delivered together, and those that are looked for at once. */
const INPUTS_MAX = 128;
const DUE_MAX = 16;
/** While tasks wait for runners in any case, nothing hurries: so many times the pause. */
const QUEUED_PAUSES = 5;
/** How often is looked whether an input is there that another copy of this service delivers, milliseconds. */
const LOOK_INTERVAL_MS = 20;

export interface DeliveryPorts {
  readonly pendingInputs: PendingInputStore;
  readonly jobData: JobData;
  readonly states: StateStore;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly workerLeaseMs: number;
  /** Tasks that are added now wait for others. */
  readonly isWindowFull: () => boolean;
  /** Between two calls. */
  readonly inputDeliveryPauseMs: number;
  /** Of the calls for those that are delivered together. */
  readonly inputDeliveryTimeoutMs: number;
}

/**
 * Time limit of a delivery by who took the input: it begins within that of a call, or not at all, and may be repeated input by input. After
 * it the input is due for others.
 */
export const deliveryLimitMs = (settings: Pick<DeliveryPorts, 'inputDeliveryTimeoutMs'>): number =>
  3 * settings.inputDeliveryTimeoutMs;

/** An input that this process is to deliver. */
interface Taken {
  readonly input: PendingInput;
  readonly takenAtMs: number;
  /** The request that brought it. */
  readonly origin: Pick<RequestContext, 'requestId' | 'traceparent'>;
}

interface Delivery extends InputDelivery {
  /** Delivers what is due: what somebody has given back, or has taken and not delivered. @throws one of the errors */
  round(): Promise<void>;
  /** Whether a delivery of this process has failed and none has succeeded since: there is something to repeat soon. */
  isBehind(): boolean;
  /** Resolves when nothing is being delivered. */
  stop(): Promise<void>;
}

/**
 * Brings inputs that are kept with their jobs to results, those together that come within a short time. An input that results refuses
 * for good fails its job; any other failure is repeated.
 */
export function createInputDelivery(ports: DeliveryPorts): Delivery {
  const { pendingInputs, jobData, notifier, clock } = ports;
  const { inputDeliveryPauseMs, inputDeliveryTimeoutMs: timeoutMs, isWindowFull } = ports;
  /** What this process delivers. */
  const underWay = new Map<string, Promise<void>>();
  let isBehind = false;

  const send = createBatcher<Taken, void>({
    sizeMax: INPUTS_MAX,
    pauseMs: () => inputDeliveryPauseMs * (isWindowFull() ? QUEUED_PAUSES : 1),
    run: async (all) => {
      // what has waited for longer may be delivered by others soon, or its job deleted
      const inputs = all.flatMap(({ input, takenAtMs }) => (clock.monotonicMs() - takenAtMs < timeoutMs ? input : []));
      // under the id and in the trace of the first
      const { origin = { requestId: newId() } } = all[0] ?? {};
      const deadline = new Date(clock.now().getTime() + timeoutMs);
      if (inputs.length > 0) await withContext({ ...origin, deadline }, () => sendAll(inputs));
      return all.map(() => undefined);
    },
  });

  const sendAll = async (inputs: readonly PendingInput[]): Promise<void> => {
    await jobData.createInputs(inputs.map(({ content }) => content));
    await pendingInputs.finish(inputs.map(({ jobKey }) => jobKey));
    isBehind = false;
    notifier.tasks();
  };
  const sendOrGiveBack = async (input: PendingInput): Promise<void> => {
    const { jobKey, jobId } = input;
    try {
      const { requestId = newId(), traceparent } = currentContext() ?? {};
      const origin = { requestId, ...(traceparent === undefined ? {} : { traceparent }) };
      await send({ input, takenAtMs: clock.monotonicMs(), origin });
    } catch (err) {
      if (isRefusal(err)) {
        const { message } = err as Error;
        await ports.states.changeJob({ jobId }, 'all', (draft) => decideRefusal(draft, jobId, message, ports));
        await pendingInputs.finish([jobKey]);
        return;
      }
      isBehind = true;
      await pendingInputs.giveBack([jobKey]).catch(() => {}); // it is due by itself, only later
      throw err;
    }
  };
  const begin = (input: PendingInput): Promise<void> => {
    const sending = sendOrGiveBack(input).finally(() => underWay.delete(input.jobId));
    underWay.set(input.jobId, sending);
    return sending;
  };

  return {
    deliver: (input) => void begin(input).catch(() => notifier.inputs()), // the loop repeats it, and tells why
    requireDelivered: async (jobId, ownerId) => {
      const { signal } = currentContext() ?? {};
      for (;;) {
        const found = await pendingInputs.take(jobId, ownerId);
        if (found === undefined) return;
        if (found === 'taken') await (underWay.get(jobId) ?? clock.sleep(LOOK_INTERVAL_MS, signal));
        else await begin(found);
        if (signal?.aborted) throw kitError('CANCELLED');
      }
    },
    round: () => processDue((limit) => pendingInputs.takeDue(limit), begin, DUE_MAX),
    isBehind: () => isBehind,
    stop: async () => {
      await Promise.allSettled(underWay.values());
    },
  };
}

const isRefusal = (err: unknown) => hasReason(err, 'UPLOAD_INVALID') || hasReason(err, 'UPLOAD_TOO_LARGE');
