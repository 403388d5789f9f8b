import { pageKindOf, results } from '@tally/contracts';
import { countBins, pageSizeBytes } from '@tally/merge';
import {
  defineReasons,
  implement,
  kitError,
  type Logger,
  Readiness,
  silentLogger,
  startGrpcServer,
} from '@tally/service-kit';
import { testCallers } from '@tally/testkit';

const fail = defineReasons('results', {
  JOB_NOT_FOUND: { status: 'NOT_FOUND', message: 'no such job', when: 'unknown' },
  TOO_LARGE: { status: 'RESOURCE_EXHAUSTED', message: 'the output is too large', when: 'over the limit' },
});
const callers = ['direct-runner'];
const elsewhere = { callers: [], handle: () => Promise.reject(kitError('INTERNAL')) };
const elsewhereStream = { callers: [], handle: () => notHere() };
async function* notHere(): AsyncGenerator<never> {
  yield await Promise.reject<never>(kitError('INTERNAL'));
}

export interface StoredPage {
  readonly header: results.PageHeader;
  readonly bytes: Buffer;
}
export interface StoredOutput {
  readonly header: results.TaskOutputHeader;
  readonly pages: StoredPage[];
}

type Rpc = 'getInput' | 'putTaskOutput' | 'appendLogs';

/** What the runner sees of results: decks, outputs and logs, kept in memory, over real gRPC. */
export interface ResultsStandIn {
  readonly address: string;
  addDeck(jobId: string, files: Readonly<Record<string, string>>): void;
  /** By `<job>/<task>`. */
  readonly outputs: Map<string, StoredOutput>;
  /** Text by attempt. */
  readonly logs: Map<string, string>;
  /** These RPCs answer UNAVAILABLE until the set is cleared. */
  readonly down: Set<Rpc>;
  /** How many outputs were not taken because `down` says so. */
  refusedOutputs: number;
  /** How often a deck was asked for. */
  deckCount: number;
  /** True: outputs are refused as too large. */
  refusesOutputs: boolean;
  stop(): Promise<void>;
}

export async function startResultsStandIn(logger: Logger = silentLogger): Promise<ResultsStandIn> {
  const decks = new Map<string, Readonly<Record<string, string>>>();
  const outputs: ResultsStandIn['outputs'] = new Map();
  const logs = new Map<string, Buffer>();
  const down: ResultsStandIn['down'] = new Set();
  const requireUp = (rpc: Rpc) => {
    if (!down.has(rpc)) return;
    if (rpc === 'putTaskOutput') state.refusedOutputs += 1;
    throw kitError('SERVICE_UNAVAILABLE');
  };
  const addLog = (attemptId: string, offset: bigint, text: Buffer) => {
    requireUp('appendLogs');
    const stored = logs.get(attemptId) ?? Buffer.alloc(0);
    if (Number(offset) > stored.length) throw kitError('INTERNAL');
    const bytes = Buffer.concat([stored, text.subarray(Math.max(0, stored.length - Number(offset)))]);
    logs.set(attemptId, bytes);
    state.logs.set(attemptId, bytes.toString());
  };
  const state: ResultsStandIn = {
    address: '',
    addDeck: (jobId, files) => void decks.set(jobId, files),
    outputs,
    logs: new Map(),
    down,
    deckCount: 0,
    refusedOutputs: 0,
    refusesOutputs: false,
    stop: async () => {},
  };
  const routes = implement(results.ResultsServiceService, {
    createInput: { callers: [], handle: () => Promise.reject(kitError('INTERNAL')) },
    getInput: {
      callers,
      handle: async function* ({ jobId, roles }) {
        requireUp('getInput');
        state.deckCount += 1;
        const deck = decks.get(jobId);
        if (deck === undefined) throw fail('JOB_NOT_FOUND');
        const kind = results.InputKind.INPUT_KIND_EDITOR;
        yield { part: { $case: 'header', value: { jobId, ownerId: 1n, kind, warnings: [] } } };
        for (const [name, text] of Object.entries(deck)) {
          yield {
            part: {
              $case: 'document',
              value: { role: roles[0] ?? results.DocumentRole.DOCUMENT_ROLE_UNSPECIFIED, name },
            },
          };
          const bytes = Buffer.from(text);
          for (let at = 0; at < bytes.length; at += 1000) {
            yield { part: { $case: 'chunk', value: bytes.subarray(at, at + 1000) } };
          }
        }
      },
    },
    putTaskOutput: {
      callers,
      handle: async (requests) => {
        requireUp('putTaskOutput');
        if (state.refusesOutputs) throw fail('TOO_LARGE');
        let header: results.TaskOutputHeader | undefined;
        const pages: StoredPage[] = [];
        for await (const { part } of requests) {
          if (part?.$case === 'header') {
            header = part.value;
            if (header.whole !== undefined) pages.push(...pagesOf(header.whole));
          } else take(pages, part);
        }
        if (header === undefined || !decks.has(header.jobId)) throw fail('JOB_NOT_FOUND');
        if (header.log !== undefined) addLog(header.attemptId, header.log.offset, header.log.text);
        outputs.set(`${header.jobId}/${header.taskId}`, {
          header: { ...header, log: undefined, whole: undefined },
          pages,
        });
        return {};
      },
    },
    mergeOutputs: elsewhere,
    putResults: elsewhere,
    getResults: elsewhereStream,
    exportCrate: elsewhereStream,
    exportResults: elsewhereStream,
    compareResults: elsewhereStream,
    listEstimators: elsewhere,
    drawCurves: elsewhere,
    appendLogs: {
      callers,
      handle: async ({ attemptId, texts }) => {
        for (const { offset, text } of texts) addLog(attemptId, offset, Buffer.from(text));
        return {};
      },
    },
    getLogs: elsewhereStream,
    getStoredBytes: elsewhere,
    deleteJobData: elsewhere,
    deleteJobParts: elsewhere,
    listJobBytes: elsewhere,
    listOwnerBytes: elsewhere,
    updateOwner: elsewhere,
  });
  const server = await startGrpcServer({
    address: '127.0.0.1:0',
    callers: testCallers('direct-runner'),
    implementations: [routes],
    readiness: new Readiness({}),
    logger,
    graceMs: 1_000,
  });
  return Object.assign(state, { address: `127.0.0.1:${server.port}`, stop: () => server.stop() });
}

function pagesOf({ pages, content }: results.WholePages): StoredPage[] {
  let at = 0;
  const stored = pages.map((page): StoredPage => {
    const records = page.recordCount === undefined ? {} : { recordCount: Number(page.recordCount) };
    const bytes = pageSizeBytes(pageKindOf(page.kind) ?? 'linear', countBins({ axes: page.axes, ...records }));
    at += bytes;
    return { header: page, bytes: content.subarray(at - bytes, at) };
  });
  if (at !== content.length) throw kitError('INTERNAL');
  return stored;
}

function take(
  pages: StoredPage[],
  part: { $case: 'page'; value: results.PageHeader } | { $case: 'chunk'; value: Buffer } | undefined,
): void {
  if (part?.$case === 'page') pages.push({ header: part.value, bytes: Buffer.alloc(0) });
  const last = pages.at(-1);
  if (part?.$case !== 'chunk' || last === undefined) return;
  pages[pages.length - 1] = { header: last.header, bytes: Buffer.concat([last.bytes, part.value]) };
}
