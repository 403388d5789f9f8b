import { results } from '@tally/contracts';
import { type Implementation, implement } from '@tally/service-kit';
import type { InputLimits } from '../domain/input.js';
import type { PageLimits } from '../domain/page-rules.js';
import type { InputStore, LogStore } from '../domain/ports.js';
import type { ReadableResultsPorts } from '../domain/readable-results.js';
import type { Slots } from '../domain/slots.js';
import { handleAppendLog } from './append-log.js';
import { handleCreateInput } from './create-input.js';
import { handleDeleteJobData } from './delete-job-data.js';
import { handleGetInput } from './get-input.js';
import { handleGetLogs } from './get-logs.js';
import { handleGetResults } from './get-results.js';
import { handleGetTaskPages } from './get-task-pages.js';
import { handleListEstimators } from './list-estimators.js';
import { handleListTaskPages } from './list-task-pages.js';
import { handlePutResults } from './put-results.js';
import { handlePutTaskOutput } from './put-task-output.js';

/** Everything that the RPCs need. */
export interface ResultsPorts extends ReadableResultsPorts {
  readonly inputs: InputStore;
  readonly logs: LogStore;
  /** Uploads that run at once. */
  readonly uploads: Slots;
  readonly limits: PageLimits & InputLimits;
  readonly logBytesMax: number;
}

/** The RPCs of results with their callers. */
export function resultsRpcs(ports: ResultsPorts): Implementation {
  const runner = ['direct-runner'];
  const gateway = ['gateway'];
  /** Runners, and who passes on what workers outside upload. */
  const workers = [...runner, 'gateway', 'batch-bridge'];
  return implement(results.ResultsServiceService, {
    createInput: { callers: ['jobs'], handle: handleCreateInput(ports) },
    getInput: { callers: [...gateway, ...runner, 'batch-bridge'], handle: handleGetInput(ports) },
    putTaskOutput: { callers: workers, handle: handlePutTaskOutput(ports) },
    listTaskPages: { callers: runner, handle: handleListTaskPages(ports) },
    getTaskPages: { callers: runner, handle: handleGetTaskPages(ports) },
    putResults: { callers: workers, handle: handlePutResults(ports) },
    getResults: { callers: gateway, handle: handleGetResults(ports) },
    listEstimators: { callers: gateway, handle: handleListEstimators(ports) },
    appendLog: { callers: workers, handle: handleAppendLog(ports), isQuiet: true },
    getLogs: { callers: gateway, handle: handleGetLogs(ports) },
    deleteJobData: { callers: ['jobs'], handle: handleDeleteJobData(ports) },
  });
}
