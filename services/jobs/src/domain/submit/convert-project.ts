import { createHash } from 'node:crypto';
import { type FieldFault, ServiceError } from '@tally/service-kit';
import {
  ConversionError,
  convertProject,
  costOf,
  describeProject,
  describeSimulators,
  describeWorkload,
  type Executables,
  findDriver,
  isOmission,
  type OnUnsupported,
  type ProblemDescription,
  type Project,
  readPrimaries,
  readProject,
  readTitle,
  type SimulatorDriver,
  type TaskCost,
  WORKLOAD_OF_FILES,
  type Workload,
} from '@tally/simulators';
import { fail } from '../errors.js';
import { type InputType, SIMULATORS, type Simulator, type UserId, type Warning } from '../job.js';
import { readInputFiles } from './read-input-files.js';

/** A project as a job needs it. @typeParam Text - of files: UTF-8 */
export interface ConvertedProject<Text = Uint8Array> {
  /** One line: the project's, or the name of the first file; undefined when the project has none. */
  readonly title: string | undefined;
  readonly primaries: number;
  /** More than so many the simulator does not count in one task. */
  readonly taskPrimariesMax: number;
  /** The deck: file name → text. */
  readonly deck: Readonly<Record<string, Text>>;
  readonly warnings: readonly Warning[];
  readonly work: JobWork;
  /** What it scores, by the names of results; undefined: users' own files do not say. */
  readonly estimators: readonly { readonly name: string; readonly pageCount: number }[] | undefined;
  /** What it simulates; undefined: users' own files do not say. */
  readonly problem?: ProblemDescription | undefined;
  /** Of an editor's project that the built-in engine computes. */
  readonly simulatorDeck: SimulatorDeck<Text> | undefined;
}

/** What a job costs by the model, to be compared with what it took. */
export interface JobWork extends TaskCost {
  /** Who computes, for example `reference 0.1.0`. */
  readonly engine: string;
  /** See {@link Workload}. */
  readonly kind: string;
  /** The same for the same project, or the same files, whatever its title and primaries: SHA-256 in hexadecimal. */
  readonly fingerprint: string;
}

/** The deck of the simulator that was asked for, where another runs: to be shown. */
export interface SimulatorDeck<Text = Uint8Array> {
  /** File name → text; none if the simulator cannot do the project. */
  readonly files: Readonly<Record<string, Text>>;
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

/** How a project is to be converted. */
export interface WantedConversion {
  readonly simulator: Simulator;
  readonly inputType: InputType;
  /** What becomes of quantities that cannot be scored. */
  readonly onUnsupported: OnUnsupported;
}

/** Everything that knows simulators; pure functions of @tally/simulators behind it. */
export interface ProjectConverter {
  /** @param executables - simulators of which there is an executable where the jobs will run */
  listSimulators(executables: Executables): readonly SimulatorStatus[];
  /**
   * Of one owner one project after the other, and owners take turns.
   * @param simDataJson - UTF-8 JSON text
   * @param executables - as of listSimulators
   * @throws ServiceError PROJECT_INVALID, PROJECT_TOO_LARGE, PROJECT_UNSUPPORTED, INPUT_TYPE_UNSUPPORTED with a field
   * for every fault; CONVERSION_FAILED when the converter itself failed; CONVERSIONS_BUSY
   */
  convert(
    wanted: WantedConversion & { readonly ownerId: UserId },
    simDataJson: Uint8Array,
    executables: Executables,
  ): Promise<ConvertedProject>;
}

const OMISSIONS_NAMED_MAX = 5;

/** What the simulators of the interface run on. @param executables - as of {@link ProjectConverter.listSimulators} */
export function listSimulators(executables: Executables): readonly SimulatorStatus[] {
  return describeSimulators(executables).flatMap(({ sim_type, available, engine }) => {
    const simulator = SIMULATORS.find((name) => name === sim_type);
    return simulator === undefined ? [] : [{ simulator, isAvailable: available, engine }];
  });
}

/** Reads and converts a project; see {@link ProjectConverter.convert}. Takes as long as the text is large. */
export function convertSimData(
  { simulator, inputType, onUnsupported }: WantedConversion,
  simDataJson: Uint8Array,
  executables: Executables,
): ConvertedProject<string> {
  const simData = parseSimData(simDataJson);
  try {
    const driver = findDriver(simulator, inputType, executables);
    if (inputType === 'files') return takeFiles(driver, simData, onUnsupported);
    const { project, ...converted } = takeProject(driver, simulator, simData, onUnsupported);
    const isOwn = executables.has(simulator);
    return { ...converted, simulatorDeck: isOwn ? undefined : makeSimulatorDeck(simulator, project) };
  } catch (err) {
    throw toServiceError(err);
  }
}

/** The same with its files as bytes, each in memory of its own, which a thread can hand over. */
export function encodeDecks({ deck, simulatorDeck, ...project }: ConvertedProject<string>): ConvertedProject {
  return {
    ...project,
    deck: encodeFiles(deck),
    simulatorDeck: simulatorDeck && { ...simulatorDeck, files: encodeFiles(simulatorDeck.files) },
  };
}

function encodeFiles(files: Readonly<Record<string, string>>): Record<string, Uint8Array<ArrayBuffer>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, utf8.encode(text)]));
}

const utf8 = new TextEncoder();

function parseSimData(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    const fields = [{ field: '/sim_data', message: 'is not JSON in UTF-8' }];
    throw fail('PROJECT_INVALID', { message: 'sim_data is not JSON', fields, cause });
  }
}

function takeProject(driver: SimulatorDriver, simulator: Simulator, simData: unknown, onUnsupported: OnUnsupported) {
  const whole = readProject(simData);
  const { files, warnings, project, manifest } = convertProject(driver, whole, onUnsupported);
  const estimators = manifest.estimators.map(({ name, pages }) => ({ name, pageCount: pages.length }));
  const { project: _, readingWarnings: __, omitted, beam, ...rest } = project;
  const physics = [{ ...rest, beam: { ...beam, numberOfParticles: 0 } }, [...omitted]];
  const work = workOf(driver, describeWorkload(project), physics);
  return {
    title: readTitle(project),
    primaries: readPrimaries(project),
    taskPrimariesMax: driver.findTaskPrimariesMax(files),
    deck: files,
    warnings,
    work,
    estimators,
    problem: describeProject(project, simulator),
    project,
  };
}

function workOf({ engine }: SimulatorDriver, workload: Workload, physics: unknown): JobWork {
  const fingerprint = createHash('sha256').update(JSON.stringify(physics)).digest('hex');
  return { engine, kind: workload.kind, ...costOf(engine, workload), fingerprint };
}

/** As much of a project as the simulator can do: the built-in engine may do more. */
function makeSimulatorDeck(simulator: Simulator, project: Project): SimulatorDeck<string> {
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

function takeFiles(driver: SimulatorDriver, simData: unknown, onUnsupported: OnUnsupported): ConvertedProject<string> {
  const given = readInputFiles(simData);
  const { files, primaries, warnings } = driver.adoptFiles(given, onUnsupported);
  const work = workOf(driver, WORKLOAD_OF_FILES, given);
  return {
    title: Object.keys(given)[0],
    primaries,
    taskPrimariesMax: driver.findTaskPrimariesMax(files),
    deck: files,
    warnings,
    work,
    estimators: undefined,
    problem: undefined,
    simulatorDeck: undefined,
  };
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
