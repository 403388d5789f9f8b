import type { jobs } from '@tally/contracts';
import { reportRunner } from '../../domain/direct/report-runner.js';
import type { RunnerStore } from '../../domain/ports.js';
import { readRunnerId, readRunnerReport } from '../mappers.js';

/** ReportRunner of jobs_service.proto. */
export function reportRunnerRpc(ports: { readonly runners: RunnerStore; readonly runnerExpiryMs: number }) {
  return async ({ runnerId, ...report }: jobs.ReportRunnerRequest): Promise<jobs.ReportRunnerResponse> => {
    await reportRunner(ports, readRunnerId(runnerId), readRunnerReport(report));
    return {};
  };
}
