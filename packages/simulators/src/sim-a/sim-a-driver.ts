import { adoptFiles } from '../deck/adopt-files.js';
import type { SimulatorDriver } from '../driver.js';
import { apportion, REQUIRED_FILES, readPrimaries } from './apportion.js';
import { command } from './command.js';
import { convert } from './convert.js';
import { readOutputs } from './outputs.js';
import { progress } from './progress.js';

/** The driver of simA. `engine`: name and version of the executable, as results and logs show them. */
export function createSimADriver(engine: string): SimulatorDriver {
  return {
    engine,
    convert,
    adoptFiles: (files) => adoptFiles(files, REQUIRED_FILES, readPrimaries),
    apportion,
    command,
    progress,
    // its exit codes do not tell a bad deck from bad luck
    isRefusal: () => false,
    outputs: (folder) => readOutputs(folder, engine),
  };
}
