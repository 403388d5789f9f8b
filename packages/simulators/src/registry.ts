import { ConversionError } from './conversion-error.js';
import type { DeckFiles, SimulatorDriver } from './driver.js';
import type { Executables } from './executables.js';
import { isReferenceDeck } from './reference/deck-files.js';
import { createReferenceDriver } from './reference/reference-driver.js';
import { adoptForReference } from './sim-a/reference/read-deck.js';
import { createSimADriver } from './sim-a/sim-a-driver.js';
import { createSimBDriver } from './sim-b/sim-b-driver.js';
import { createSimCDriver } from './sim-c/sim-c-driver.js';
import { createSimDDriver } from './sim-d/sim-d-driver.js';
import { type InputType, SIM_TYPES, type SimType } from './sim-type.js';

/** One row of `GET /simulators`. */
export interface SimulatorDescription {
  readonly sim_type: SimType;
  readonly available: boolean;
  /** Who computes a project submitted for it, for example `reference 0.1.0` or `simA 1.0.1`. */
  readonly engine: string;
}

/** Who runs a deck. */
export interface DeckDriver {
  readonly driver: SimulatorDriver;
  /** True: the simulator's own executable is started; false: the reference engine. */
  readonly isOwn: boolean;
}

const NO_EXECUTABLES: Executables = new Map();

const CREATE_DRIVER: Readonly<Record<SimType, (engine: string) => SimulatorDriver>> = {
  simA: createSimADriver,
  simB: createSimBDriver,
  simC: createSimCDriver,
  simD: createSimDDriver,
};

function createDriver(simType: SimType, version: string): SimulatorDriver {
  return CREATE_DRIVER[simType](`${simType} ${version}`.trim());
}

/**
 * Who runs this kind of input for this simulator: its own executable where the deployment has one; the reference engine
 * for editor projects, and for files of simA, where it has none.
 * @throws ConversionError `FILES_UNSUPPORTED` for `files` that nothing here can run
 */
export function findDriver(
  simType: SimType,
  inputType: InputType,
  executables: Executables = NO_EXECUTABLES,
): SimulatorDriver {
  const version = executables.get(simType);
  if (version !== undefined) return createDriver(simType, version);
  const reference = createReferenceDriver(simType);
  if (inputType === 'editor') return reference;
  // the engine reads decks of simA itself
  if (simType === 'simA') return { ...reference, adoptFiles: adoptForReference };
  const message = `input files of ${simType} cannot be run here; submit the editor's project instead`;
  throw new ConversionError('FILES_UNSUPPORTED', [{ path: '/input_type', message }]);
}

/** A driver by its name and version, as it goes to a thread. */
export interface DriverChoice {
  readonly simType: SimType;
  /** Of the simulator's own executable; undefined: the reference engine runs the deck. */
  readonly version: string | undefined;
}

/** The driver that {@link findDeckDriver} finds for a deck, without the deck. */
export function createDeckDriver({ simType, version }: DriverChoice): SimulatorDriver {
  return version === undefined ? createReferenceDriver(simType) : createDriver(simType, version);
}

/**
 * Who runs a deck that is there already. The deck says whose it is: one of the reference engine runs on that also where
 * there is an executable by now, and one of a simulator on nothing but its executable.
 * @throws ConversionError `FILES_UNSUPPORTED` where there is none
 */
export function findDeckDriver(simType: SimType, deck: DeckFiles, executables: Executables): DeckDriver {
  if (isReferenceDeck(deck)) return { driver: createReferenceDriver(simType), isOwn: false };
  const version = executables.get(simType);
  if (version !== undefined) return { driver: createDriver(simType, version), isOwn: true };
  const message = `the deck is one of ${simType}, of which there is no executable here`;
  throw new ConversionError('FILES_UNSUPPORTED', [{ path: '/input_type', message }]);
}

/** What a deployment with these executables can run, and by what. */
export function describeSimulators(executables: Executables = NO_EXECUTABLES): SimulatorDescription[] {
  return SIM_TYPES.map((simType) => ({
    sim_type: simType,
    available: true,
    engine: findDriver(simType, 'editor', executables).engine,
  }));
}
