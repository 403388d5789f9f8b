import type { jobs } from '@tally/contracts';
import type { ProjectConverter } from '../domain/convert-project.js';
import { toProtoSimulator } from './mappers.js';

/** ListSimulators of jobs_service.proto. */
export function listSimulatorsRpc(converter: ProjectConverter) {
  return async (): Promise<jobs.ListSimulatorsResponse> => ({
    simulators: converter.listSimulators().map(({ simulator, isAvailable, engine }) => ({
      simulator: toProtoSimulator(simulator),
      isAvailable,
      engine,
    })),
  });
}
