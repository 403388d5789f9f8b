import {
  createBatcher,
  currentContext,
  newId,
  type RequestContext,
  ServiceError,
  withContext,
} from '@tally/service-kit';
import { answerInvalid } from '../errors.js';

/** An RPC for one thing, and one for many of them. */
interface CallForMany<Item, Result> {
  /** One result for each item, in their order. */
  readonly call: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** For each item, where the service is of the release before and has no such RPC. */
  readonly callAlone: (item: Item) => Promise<Result>;
}

/** An item, and the request that brought it. */
interface Brought<Item> {
  readonly item: Item;
  readonly context: RequestContext;
}

/** Services take 1000. */
const ITEMS_MAX = 500;

/** Sends what requests bring in the same turn of the event loop in one call, under the id and the deadline of the first: the earliest. */
export function createSharedCall<Item, Result>(rpc: CallForMany<Item, Result>): (item: Item) => Promise<Result> {
  const send = createBatcher<Brought<Item>, Result>({
    sizeMax: ITEMS_MAX,
    batchesMax: Number.POSITIVE_INFINITY, // a call that takes long holds up nobody else
    run: (brought) => withContext((brought[0] as Brought<Item>).context, () => sendAll(rpc, brought)),
  });
  return (item) => send({ item, context: currentContext() ?? { requestId: newId() } });
}

async function sendAll<Item, Result>(
  { call, callAlone }: CallForMany<Item, Result>,
  brought: readonly Brought<Item>[],
): Promise<readonly Result[]> {
  try {
    const results = await call(brought.map(({ item }) => item));
    if (results.length !== brought.length) throw answerInvalid('not one result for each item');
    return results;
  } catch (err) {
    if (!(err instanceof ServiceError) || err.status !== 'UNIMPLEMENTED') throw err;
    return Promise.all(brought.map(({ item, context }) => withContext(context, () => callAlone(item))));
  }
}
