import { results } from '@tally/contracts';
import { actingInRole, actingUser, type Implementation, implement } from '@tally/service-kit';
import { createInput } from '../domain/input/create-input.js';
import { deleteJobData, deleteJobParts } from '../domain/input/delete-job-data.js';
import { getInput } from '../domain/input/get-input.js';
import type { InputLimits } from '../domain/input/input.js';
import type { StoredUsage } from '../domain/input/stored-usage.js';
import { updateOwner } from '../domain/input/update-owner.js';
import { type AppendLogPorts, appendLogs } from '../domain/log/append-logs.js';
import { getLogs } from '../domain/log/get-logs.js';
import { putTaskOutput } from '../domain/output/put-task-output.js';
import type { PageLimits } from '../domain/page/page-rules.js';
import { type DrawCurvesPorts, drawCurves } from '../domain/result/draw-curves.js';
import { type CratePorts, exportCrate } from '../domain/result/export-crate.js';
import { exportResults } from '../domain/result/export-results.js';
import { getResults } from '../domain/result/get-results.js';
import { listEstimators } from '../domain/result/list-estimators.js';
import { putResults } from '../domain/result/put-results.js';
import { compareResultsRpc } from './compare-results.js';
import {
  isJobId,
  mapStream,
  parseCrateRun,
  parseFormat,
  parseInputPart,
  parseJobId,
  parseLogPieces,
  parsePart,
  parseResultsPart,
  parseRole,
  parseSelection,
  parseTaskOutputParts,
  parseWantedFile,
  toCrateMessage,
  toEstimators,
  toExportMessage,
  toInputMessage,
  toLogsMessage,
  toResultsMessage,
} from './mappers.js';
import { mergeOutputsRpc } from './merge-outputs.js';
import { currentReader } from './reader.js';
import { each, receiveUpload, type UploadLimits } from './upload-messages.js';

/** Everything that the RPCs need. */
export interface ResultsPorts extends CratePorts, AppendLogPorts, DrawCurvesPorts {
  readonly usage: StoredUsage;
  readonly limits: PageLimits & InputLimits & UploadLimits;
}

/** Who passes on what external workers upload. */
const FORWARDERS = ['gateway', 'batch-bridge'];
const WORKERS = ['direct-runner', ...FORWARDERS];
const GATEWAY = ['gateway'];
const JOBS = ['jobs'];
const JOBS_AT_ONCE_MAX = 1_000;

type Rpcs = Parameters<typeof implement<typeof results.ResultsServiceService>>[1];
type Reading =
  | 'getInput'
  | 'getResults'
  | 'compareResults'
  | 'exportResults'
  | 'getStoredBytes'
  | 'listJobBytes'
  | 'listOwnerBytes'
  | 'exportCrate'
  | 'listEstimators'
  | 'getLogs';

/** The RPCs of results with their callers: each parses, calls the use case, and maps what it gives. */
export function resultsRpcs(ports: ResultsPorts): Implementation {
  return implement(results.ResultsServiceService, { ...writingRpcs(ports), ...readingRpcs(ports) });
}

function writingRpcs(ports: ResultsPorts): Omit<Rpcs, Reading> {
  /** An RPC whose requests are the parts of an upload. */
  const upload =
    <In, Part>(
      parse: (message: In) => Part,
      store: (parts: AsyncIterable<Part>, signal: AbortSignal) => Promise<void>,
    ) =>
    async (messages: AsyncIterable<In>) => {
      await receiveUpload(messages, parse, store, ports.limits);
      return {};
    };
  return {
    createInput: {
      callers: JOBS,
      handle: upload(parseInputPart, (parts, signal) => createInput(ports, parts, signal)),
    },
    putTaskOutput: {
      callers: WORKERS,
      handle: upload(parseTaskOutputParts, (lists, signal) => putTaskOutput(ports, each(lists), signal)),
      isQuiet: true,
    },
    drawCurves: {
      callers: JOBS,
      handle: async ({ ownerId, jobs }) => {
        const drawn = await drawCurves(
          ports,
          ownerId,
          jobs.map(({ jobId, label }) => ({ jobId: parseJobId(jobId), label })),
        );
        return { picture: Buffer.from(drawn?.picture ?? []), words: drawn?.words ?? '' };
      },
    },
    mergeOutputs: { callers: JOBS, handle: mergeOutputsRpc(ports) },
    putResults: {
      callers: FORWARDERS,
      handle: upload(parseResultsPart, (parts, signal) => putResults(ports, parts, signal)),
    },
    appendLogs: {
      callers: WORKERS,
      handle: async (request) => {
        await appendLogs(ports, parseJobId(request.jobId), parseLogPieces(request));
        return {};
      },
      isQuiet: true,
    },
    deleteJobParts: {
      callers: JOBS,
      handle: async ({ jobId, ...parts }) => {
        if (isJobId(jobId)) await deleteJobParts(ports, jobId, parts);
        return {};
      },
    },
    updateOwner: {
      callers: JOBS,
      handle: async ({ jobIds, ownerId, newOwnerId }) => {
        await updateOwner(ports, jobIds.filter(isJobId), ownerId, newOwnerId);
        return {};
      },
    },
    deleteJobData: {
      callers: JOBS,
      handle: async ({ jobId }) => {
        if (isJobId(jobId)) await deleteJobData(ports, jobId);
        return {};
      },
    },
  };
}

function readingRpcs(ports: ResultsPorts): Pick<Rpcs, Reading> {
  return {
    // a runner, or the bridge to a cluster, reads the input of any job, everybody else the acting user's
    getInput: {
      callers: WORKERS,
      handle: ({ jobId, roles }) =>
        mapStream(getInput(ports, parseJobId(jobId), roles.map(parseRole), currentReader()), toInputMessage),
    },
    getResults: {
      callers: GATEWAY,
      handle: (request) => {
        const [selection, part] = [parseSelection(request), parsePart(request)];
        return mapStream(
          getResults(ports, parseJobId(request.jobId), selection, part, currentReader()),
          toResultsMessage,
        );
      },
    },
    compareResults: { callers: GATEWAY, handle: compareResultsRpc(ports) },
    getStoredBytes: {
      callers: GATEWAY,
      handle: async () => ({ storedBytes: BigInt(Math.round(await ports.usage.readBytes(actingUser()))) }),
      isQuiet: true,
    },
    listJobBytes: {
      callers: GATEWAY,
      handle: async ({ jobIds }) => {
        actingInRole('operator');
        return { jobs: [...(await ports.inputs.listBytes(jobIds.filter(isJobId).slice(0, JOBS_AT_ONCE_MAX)))] };
      },
    },
    listOwnerBytes: {
      callers: GATEWAY,
      handle: async () => {
        actingInRole('operator');
        return { owners: [...(await ports.inputs.listOwnerBytes())] };
      },
    },
    exportResults: {
      callers: GATEWAY,
      handle: (request) => {
        const [selection, part] = [parseSelection(request), parsePart(request)];
        const parts = exportResults(
          ports,
          parseJobId(request.jobId),
          selection,
          part,
          parseWantedFile(request),
          currentReader(),
        );
        return mapStream(parts, toExportMessage);
      },
    },
    exportCrate: {
      callers: GATEWAY,
      handle: (request) => {
        const parts = exportCrate(ports, parseCrateRun(request), parseFormat(request.format), currentReader());
        return mapStream(parts, toCrateMessage);
      },
    },
    listEstimators: {
      callers: GATEWAY,
      handle: async ({ jobId }) => toEstimators(await listEstimators(ports, parseJobId(jobId), currentReader())),
    },
    getLogs: {
      callers: GATEWAY,
      handle: ({ jobId }) => mapStream(getLogs(ports, parseJobId(jobId), currentReader()), toLogsMessage),
    },
  };
}
