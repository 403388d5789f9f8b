import { type FieldFault, ServiceError } from '@tally/service-kit';
import {
  ConversionError,
  convertProject,
  describeSimulators,
  type Executables,
  findDriver,
  isOmission,
  type OnUnsupported,
  type Project,
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
  /** Of an editor's project that the built-in engine computes. */
  readonly simulatorDeck: SimulatorDeck | undefined;
}

/** The deck of the simulator that was asked for, where another runs: to be shown. */
export interface SimulatorDeck {
  /** File name → text; none if the simulator cannot do the project. */
  readonly files: Readonly<Record<string, string>>;
  /** What it lacks, or why there is none; empty: nothing to say. */
  readonly note: string;
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
   * @param onUnsupported - what becomes of quantities that cannot be scored
   * @throws ServiceError PROJECT_INVALID, PROJECT_TOO_LARGE, PROJECT_UNSUPPORTED, INPUT_TYPE_UNSUPPORTED with a field
   * for every fault; CONVERSION_FAILED when the converter itself failed
   */
  convert(
    wanted: { readonly simulator: Simulator; readonly inputType: InputType; readonly onUnsupported: OnUnsupported },
    simData: unknown,
    executables: Executables,
  ): ConvertedProject;
}

const OMISSIONS_NAMED_MAX = 5;

export function createProjectConverter(): ProjectConverter {
  return {
    listSimulators: (executables) =>
      describeSimulators(executables).flatMap(({ sim_type, available, engine }) => {
        const simulator = SIMULATORS.find((name) => name === sim_type);
        return simulator === undefined ? [] : [{ simulator, isAvailable: available, engine }];
      }),
    convert: ({ simulator, inputType, onUnsupported }, simData, executables) => {
      try {
        const driver = findDriver(simulator, inputType, executables);
        if (inputType === 'files') return takeFiles(driver, simData, onUnsupported);
        const { project, ...converted } = takeProject(driver, simData, onUnsupported);
        const isOwn = executables.has(simulator);
        return { ...converted, simulatorDeck: isOwn ? undefined : makeSimulatorDeck(simulator, project) };
      } catch (err) {
        throw toServiceError(err);
      }
    },
  };
}

function takeProject(driver: SimulatorDriver, simData: unknown, onUnsupported: OnUnsupported) {
  const whole = readProject(simData);
  const { files, warnings, project } = convertProject(driver, whole, onUnsupported);
  return { title: readTitle(project), primaries: readPrimaries(project), deck: files, warnings, project };
}

/** As much of a project as the simulator can do: the built-in engine may do more. */
function makeSimulatorDeck(simulator: Simulator, project: Project): SimulatorDeck {
  try {
    const driver = findDriver(simulator, 'editor', new Map([[simulator, '']]));
    const { files, warnings } = convertProject(driver, project, 'omit');
    const omissions = warnings.filter(isOmission);
    return { files, note: omissions.length === 0 ? '' : `in the deck of ${simulator} ${listOmissions(omissions)}` };
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    return { files: {}, note: `there is no deck of ${simulator}: ${err.message}` };
  }
}

function listOmissions(omissions: readonly Warning[]): string {
  const named = omissions.slice(0, OMISSIONS_NAMED_MAX).map(({ message }) => message);
  const others = omissions.length - named.length;
  return [...named, ...(others > 0 ? [`and so are ${others} more`] : [])].join('; ');
}

function takeFiles(driver: SimulatorDriver, simData: unknown, onUnsupported: OnUnsupported): ConvertedProject {
  const given = readInputFiles(simData);
  const { files, primaries, warnings } = driver.adoptFiles(given, onUnsupported);
  return { title: Object.keys(given)[0], primaries, deck: files, warnings, simulatorDeck: undefined };
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
