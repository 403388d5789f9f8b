import { adoptFiles, type UnreadLines } from '../deck/adopt-files.js';
import type { SimulatorDriver } from '../driver.js';
import { apportion, readPrimaries } from './apportion.js';
import { command } from './command.js';
import { convert } from './deck/convert.js';
import { findForeign } from './find-foreign.js';
import { readOutputs } from './output/outputs.js';
import { progress } from './progress.js';

const PARAMETER_FILE = /\.txt$/;
const UNREAD: readonly UnreadLines[] = [
  {
    file: PARAMETER_FILE,
    line: /^\s*sc?:Sc\/[^/\s=]+\/Quantity\s*=\s*"PhaseSpace"/i,
    message: 'phase space is not stored here; leave it out',
  },
  {
    file: PARAMETER_FILE,
    line: /^\s*sc?:Sc\/[^/\s=]+\/OutputType\s*=\s*"(?!csv"|binary"|ascii")/i,
    message: 'only the types csv and binary of outputs are read',
  },
];

/** The driver of simD. `engine`: name and version of the executable, as results and logs show them. */
export function createSimDDriver(engine: string): SimulatorDriver {
  return {
    engine,
    convert,
    adoptFiles: (files) => adoptFiles(files, { required: [], readPrimaries, findForeign, unread: UNREAD }),
    apportion,
    command,
    progress,
    // its exit codes do not tell a bad deck from bad luck
    isRefusal: () => false,
    outputs: (folder) => readOutputs(folder, engine),
  };
}
