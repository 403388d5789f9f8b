import { CONFINEMENTS, type jobs } from '@tally/contracts';
import { type BuiltInEngineSetting, decideUse, isOffered } from '../domain/submit/built-in-engine.js';
import type { ProjectConverter } from '../domain/submit/convert-project.js';
import type { FindConfinement } from '../domain/submit/find-confinement.js';
import type { FindExecutables } from '../domain/submit/find-executables.js';
import { toProtoSimulator } from './mappers.js';

/** ListSimulators of jobs_service.proto. */
export async function listSimulatorsRpc(ports: {
  readonly converter: ProjectConverter;
  readonly findExecutables: FindExecutables;
  readonly builtInEngine: BuiltInEngineSetting;
  readonly findConfinement: FindConfinement;
}): Promise<jobs.ListSimulatorsResponse> {
  const executables = await ports.findExecutables();
  const use = decideUse(ports.builtInEngine, executables.size > 0);
  const simulators = ports.converter.listSimulators(executables).map((status) => {
    const isAvailable = status.isAvailable && isOffered(status.simulator, executables, use);
    return { simulator: toProtoSimulator(status.simulator), isAvailable, engine: isAvailable ? status.engine : '' };
  });
  const { names } = await ports.findConfinement();
  return { simulators, confinements: names.map((name) => CONFINEMENTS[name]) };
}
