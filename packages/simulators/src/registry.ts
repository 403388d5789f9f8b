import { ConversionError } from './conversion-error.js';
import type { SimulatorDriver } from './driver.js';
import { referenceDriver } from './reference/reference-driver.js';

/** The simulators of the interface, in its order. */
export const SIM_TYPES = ['simA', 'simB', 'simC', 'simD'] as const;
export type SimType = (typeof SIM_TYPES)[number];

/** `editor`: the editor's project; `files`: the simulator's own input files. */
export const INPUT_TYPES = ['editor', 'files'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

/** One row of `GET /simulators`. */
export interface SimulatorDescription {
  readonly sim_type: SimType;
  readonly available: boolean;
  /** Who computes a project submitted for it, for example `reference 0.1.0`. */
  readonly engine: string;
}

export function isSimType(value: unknown): value is SimType {
  return SIM_TYPES.some((simType) => simType === value);
}

/**
 * Who runs this kind of input for this simulator: editor projects run on the reference engine.
 * @throws ConversionError `FILES_UNSUPPORTED` for `files`: nothing here reads a simulator's own deck
 */
export function findDriver(simType: SimType, inputType: InputType): SimulatorDriver {
  if (inputType === 'files') {
    const message = `input files of ${simType} cannot be run here; submit the editor's project instead`;
    throw new ConversionError('FILES_UNSUPPORTED', [{ path: '/input_type', message }]);
  }
  return referenceDriver;
}

/** What this deployment can run, and by what. */
export function describeSimulators(): SimulatorDescription[] {
  return SIM_TYPES.map((simType) => ({
    sim_type: simType,
    available: true,
    engine: findDriver(simType, 'editor').engine,
  }));
}
