import { results } from '@tally/contracts';
import {
  currentContext,
  type GrpcServer,
  implement,
  kitError,
  Readiness,
  type Routes,
  silentLogger,
  startGrpcServer,
} from '@tally/service-kit';
import { testCallers, waitFor } from '@tally/testkit';

/** An input as it reached results. */
export interface ReceivedInput {
  readonly ownerId: bigint;
  readonly header?: results.InputHeader;
  readonly documents: readonly { readonly role: results.DocumentRole; readonly name: string; readonly text: string }[];
}

/** A call of MergeOutputs that waits for its answer. */
export interface HeldMerge {
  readonly order: results.MergeOutputsRequest;
  readonly answer: (response: results.MergeOutputsResponse) => void;
  readonly fail: (err: unknown) => void;
}

/** A results service that keeps inputs in memory and knows nothing else. Real gRPC; it can be out of order. */
export interface FakeResults {
  readonly address: string;
  readonly inputs: Map<string, ReceivedInput>;
  readonly deleted: string[];
  /** Calls of DeleteJobParts. */
  readonly trimmed: results.DeleteJobPartsRequest[];
  /** Calls of UpdateOwner, in their order. */
  readonly handed: results.UpdateOwnerRequest[];
  readonly drawn: results.DrawCurvesRequest[];
  /** The next merge that waits, or the next of a job; it waits until the test answers, or does not care and others come. */
  nextMerge(jobId?: string): Promise<HeldMerge>;
  /** From now on every call fails with UNAVAILABLE, or none. */
  setDown(isDown: boolean): void;
  /** Runs before an input is answered. */
  onInput: (jobId: string) => Promise<void>;
  /** Runs before UpdateOwner is answered. */
  onHand: () => Promise<void>;
  stop(): Promise<void>;
}

async function readInput(requests: AsyncIterable<results.CreateInputRequest>) {
  let header: results.InputHeader | undefined;
  const documents: { role: results.DocumentRole; name: string; chunks: Buffer[] }[] = [];
  for await (const { part } of requests) {
    if (part?.$case === 'header') header = part.value;
    else if (part?.$case === 'document') documents.push({ ...part.value, chunks: [] });
    else if (part?.$case === 'chunk') documents.at(-1)?.chunks.push(part.value);
  }
  const received = documents.map(({ role, name, chunks }) => ({ role, name, text: Buffer.concat(chunks).toString() }));
  if (header === undefined) throw new Error('an input without header');
  return { jobId: header.jobId, input: { ownerId: header.ownerId, header, documents: received } };
}

/** Fewer than jobs has under way at once: merges that a test leaves do not hold up the next test. */
const HELD_MAX = 4;

export async function startFakeResults(): Promise<FakeResults> {
  let isDown = false;
  const merges = new Set<HeldMerge>();
  const fake = {
    inputs: new Map<string, ReceivedInput>(),
    deleted: [] as string[],
    trimmed: [] as results.DeleteJobPartsRequest[],
    handed: [] as results.UpdateOwnerRequest[],
    drawn: [] as results.DrawCurvesRequest[],
    onInput: async () => {},
    onHand: async () => {},
  };
  const unused = () => {
    throw new Error('not part of this test');
  };
  const orDown = () => {
    if (isDown) throw kitError('SERVICE_UNAVAILABLE');
  };
  const routes = Object.fromEntries(
    Object.keys(results.ResultsServiceService).map((name) => [name, { callers: [], handle: unused }]),
  ) as unknown as Routes<typeof results.ResultsServiceService>;
  const server: GrpcServer = await startGrpcServer({
    address: '127.0.0.1:0',
    callers: testCallers('jobs'),
    readiness: new Readiness({}),
    logger: silentLogger,
    graceMs: 1_000,
    implementations: [
      implement(results.ResultsServiceService, {
        ...routes,
        createInput: {
          callers: ['jobs'],
          handle: async (requests) => {
            const { jobId, input } = await readInput(requests);
            await self.onInput(jobId);
            orDown();
            fake.inputs.set(jobId, input);
            return {};
          },
        },
        mergeOutputs: {
          callers: ['jobs'],
          handle: (order) => {
            orDown();
            return new Promise<results.MergeOutputsResponse>((resolve, reject) => {
              const end = (settle: () => void) => {
                merges.delete(merge);
                settle();
              };
              const merge: HeldMerge = {
                order,
                answer: (response) => end(() => resolve(response)),
                fail: (err) => end(() => reject(err)),
              };
              merges.add(merge);
              const [oldest] = merges;
              if (merges.size > HELD_MAX) oldest?.answer({});
              currentContext()?.signal?.addEventListener('abort', () => merge.fail(kitError('CANCELLED')));
            });
          },
        },
        drawCurves: {
          callers: ['jobs'],
          handle: async (asked) => {
            orDown();
            fake.drawn.push(asked);
            return { picture: Buffer.from('picture'), words: 'Dose over depth' };
          },
        },
        deleteJobParts: {
          callers: ['jobs'],
          handle: async (asked) => {
            orDown();
            fake.trimmed.push(asked);
            return {};
          },
        },
        updateOwner: {
          callers: ['jobs'],
          handle: async (asked) => {
            orDown();
            fake.handed.push(asked);
            await self.onHand();
            return {};
          },
        },
        deleteJobData: {
          callers: ['jobs'],
          handle: async ({ jobId }) => {
            orDown();
            fake.inputs.delete(jobId);
            fake.deleted.push(jobId);
            return {};
          },
        },
      }),
    ],
  });
  const self: FakeResults = Object.assign(fake, {
    address: `127.0.0.1:${server.port}`,
    setDown: (down: boolean) => {
      isDown = down;
    },
    nextMerge: async (jobId?: string) => {
      const isWanted = ({ order }: HeldMerge) => jobId === undefined || order.jobId === jobId;
      const merge = await waitFor(() => [...merges].find(isWanted), { what: 'a merge', intervalMs: 5 });
      merges.delete(merge);
      return merge;
    },
    stop: () => server.stop(),
  });
  return self;
}
