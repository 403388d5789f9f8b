import { type FieldFault, ServiceError } from '@tally/service-kit';
import {
  ConversionError,
  describeSimulators,
  type Executables,
  findDriver,
  readPrimaries,
  readProject,
  readTitle,
  type SimulatorDriver,
} from '@tally/simulators';
import { fail } from '../errors.js';
import { type InputType, SIMULATORS, type Simulator, type Warning } from '../job.js';
import { readInputFiles } from './read-input-files.js';

/** A project as a job needs it. */
export interface ConvertedProject {
  /** One line: the project's, or the name of the first file; undefined when the project has none. */
  readonly title: string | undefined;
  readonly primaries: number;
  /** The deck: file name → text. */
  readonly deck: Readonly<Record<string, string>>;
  readonly warnings: readonly Warning[];
}

/** What a simulator name runs on in this deployment. */
export interface SimulatorStatus {
  readonly simulator: Simulator;
  readonly isAvailable: boolean;
  /** For example `reference 0.1.0`. */
  readonly engine: string;
}

/** Everything that knows simulators; pure functions of @tally/simulators behind it. */
export interface ProjectConverter {
  /** @param executables - simulators of which there is an executable where the jobs will run */
  listSimulators(executables: Executables): readonly SimulatorStatus[];
  /**
   * @param executables - as of listSimulators
   * @throws ServiceError PROJECT_INVALID, PROJECT_TOO_LARGE, PROJECT_UNSUPPORTED, INPUT_TYPE_UNSUPPORTED with a field
   * for every fault; CONVERSION_FAILED when the converter itself failed
   */
  convert(simulator: Simulator, inputType: InputType, simData: unknown, executables: Executables): ConvertedProject;
}

export function createProjectConverter(): ProjectConverter {
  return {
    listSimulators: (executables) =>
      describeSimulators(executables).flatMap(({ sim_type, available, engine }) => {
        const simulator = SIMULATORS.find((name) => name === sim_type);
        return simulator === undefined ? [] : [{ simulator, isAvailable: available, engine }];
      }),
    convert: (simulator, inputType, simData, executables) => {
      try {
        const driver = findDriver(simulator, inputType, executables);
        return inputType === 'files' ? takeFiles(driver, simData) : convertProject(driver, simData);
      } catch (err) {
        throw toServiceError(err);
      }
    },
  };
}

function convertProject(driver: SimulatorDriver, simData: unknown): ConvertedProject {
  const project = readProject(simData);
  const { files, warnings } = driver.convert(project);
  return { title: readTitle(project), primaries: readPrimaries(project), deck: files, warnings };
}

function takeFiles(driver: SimulatorDriver, simData: unknown): ConvertedProject {
  const given = readInputFiles(simData);
  const { files, primaries, warnings } = driver.adoptFiles(given);
  return { title: Object.keys(given)[0], primaries, deck: files, warnings };
}

/** The reason that a user can act on, or CONVERSION_FAILED for what should not have happened. */
function toServiceError(err: unknown) {
  if (err instanceof ServiceError) return err;
  if (!(err instanceof ConversionError)) return fail('CONVERSION_FAILED', { cause: err });
  const fields = err.items.map(({ path, message }): FieldFault => ({ field: `/sim_data${path}`, message }));
  switch (err.reason) {
    case 'PROJECT_INVALID':
    case 'PROJECT_TOO_LARGE':
    case 'PROJECT_UNSUPPORTED': {
      const message = `${fail.reasons[err.reason].message}: ${err.message}`;
      return fail(err.reason, { message, fields, cause: err });
    }
    case 'FILES_INVALID': {
      const message = `the input files cannot be run: ${err.message}`;
      return fail('PROJECT_INVALID', { message, fields, cause: err });
    }
    case 'FILES_UNSUPPORTED':
      return fail('INPUT_TYPE_UNSUPPORTED', {
        message: err.message,
        fields: err.items.map(({ path, message }): FieldFault => ({ field: path, message })),
        cause: err,
      });
    case 'DECK_INVALID':
      return fail('CONVERSION_FAILED', { cause: err });
  }
}
