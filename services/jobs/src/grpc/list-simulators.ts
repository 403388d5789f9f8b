import { CONFINEMENTS, type jobs } from '@tally/contracts';
import type { ProjectConverter } from '../domain/submit/convert-project.js';
import type { FindConfinement } from '../domain/submit/find-confinement.js';
import type { FindExecutables } from '../domain/submit/find-executables.js';
import { toProtoSimulator } from './mappers.js';

/** ListSimulators of jobs_service.proto. */
export function listSimulatorsRpc(ports: {
  readonly converter: ProjectConverter;
  readonly findExecutables: FindExecutables;
  readonly findConfinement: FindConfinement;
}) {
  return async (): Promise<jobs.ListSimulatorsResponse> => ({
    simulators: ports.converter
      .listSimulators(await ports.findExecutables())
      .map(({ simulator, isAvailable, engine }) => ({
        simulator: toProtoSimulator(simulator),
        isAvailable,
        engine,
      })),
    confinements: (await ports.findConfinement()).names.map((name) => CONFINEMENTS[name]),
  });
}
