import { results } from '@tally/contracts';
import { type Implementation, implement } from '@tally/service-kit';
import type { InputLimits } from '../domain/input/input.js';
import type { StoredUsage } from '../domain/input/stored-usage.js';
import type { AppendLogPorts } from '../domain/log/append-log.js';
import type { PageLimits } from '../domain/page/page-rules.js';
import type { CratePorts } from '../domain/result/export-crate.js';
import { appendLogRpc } from './append-log.js';
import { compareResultsRpc } from './compare-results.js';
import { createInputRpc } from './create-input.js';
import { deleteJobDataRpc } from './delete-job-data.js';
import { exportCrateRpc } from './export-crate.js';
import { exportResultsRpc } from './export-results.js';
import { getInputRpc } from './get-input.js';
import { getLogsRpc } from './get-logs.js';
import { getResultsRpc } from './get-results.js';
import { listEstimatorsRpc } from './list-estimators.js';
import { mergeOutputsRpc } from './merge-outputs.js';
import { putResultsRpc } from './put-results.js';
import { putTaskOutputRpc } from './put-task-output.js';
import type { UploadLimits } from './upload-messages.js';

/** Everything that the RPCs need. */
export interface ResultsPorts extends CratePorts, AppendLogPorts {
  readonly usage: StoredUsage;
  readonly limits: PageLimits & InputLimits & UploadLimits;
}

/** The RPCs of results with their callers. */
export function resultsRpcs(ports: ResultsPorts): Implementation {
  const runner = ['direct-runner'];
  const gateway = ['gateway'];
  /** Who passes on what external workers upload. */
  const forwarders = ['gateway', 'batch-bridge'];
  const workers = [...runner, ...forwarders];
  return implement(results.ResultsServiceService, {
    createInput: { callers: ['jobs'], handle: createInputRpc(ports) },
    getInput: { callers: [...gateway, ...runner, 'batch-bridge'], handle: getInputRpc(ports) },
    putTaskOutput: { callers: workers, handle: putTaskOutputRpc(ports), isQuiet: true },
    mergeOutputs: { callers: ['jobs'], handle: mergeOutputsRpc(ports) },
    putResults: { callers: forwarders, handle: putResultsRpc(ports) },
    getResults: { callers: gateway, handle: getResultsRpc(ports) },
    compareResults: { callers: gateway, handle: compareResultsRpc(ports) },
    exportResults: { callers: gateway, handle: exportResultsRpc(ports) },
    exportCrate: { callers: gateway, handle: exportCrateRpc(ports) },
    listEstimators: { callers: gateway, handle: listEstimatorsRpc(ports) },
    appendLog: { callers: workers, handle: appendLogRpc(ports), isQuiet: true },
    getLogs: { callers: gateway, handle: getLogsRpc(ports) },
    deleteJobData: { callers: ['jobs'], handle: deleteJobDataRpc(ports) },
  });
}
