import { adoptFiles } from '../deck/adopt-files.js';
import type { SimulatorDriver } from '../driver.js';
import { apportion, readPrimaries } from './apportion.js';
import { command } from './command.js';
import { convert } from './convert.js';
import { readOutputs } from './outputs.js';
import { progress } from './progress.js';

const PHASE_SPACE = { file: /\.txt$/, line: /^\s*sc?:Sc\/[^/\s=]+\/Quantity\s*=\s*"PhaseSpace"/i };

/** The driver of simD. `engine`: name and version of the executable, as results and logs show them. */
export function createSimDDriver(engine: string): SimulatorDriver {
  return {
    engine,
    convert,
    adoptFiles: (files) => adoptFiles(files, [], readPrimaries, PHASE_SPACE),
    apportion,
    command,
    progress,
    // its exit codes do not tell a bad deck from bad luck
    isRefusal: () => false,
    outputs: (folder) => readOutputs(folder, engine),
  };
}
