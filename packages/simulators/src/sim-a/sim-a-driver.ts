import { adoptFiles, type UnreadLines } from '../deck/adopt-files.js';
import type { SimulatorDriver } from '../driver.js';
import { apportion, REQUIRED_FILES, readPrimaries, TASK_PRIMARIES_MAX } from './apportion.js';
import { command } from './command.js';
import { convert } from './deck/convert.js';
import { findForeign } from './find-foreign.js';
import { readOutputs } from './output/outputs.js';
import { progress } from './progress.js';

const UNREAD: readonly UnreadLines[] = [
  {
    file: /^detect\.dat$/,
    line: /^\s*Fileformat\s+(?:ascii|csv)\b/i,
    message: 'only the formats of .bdo files are read; leave the line out',
  },
];

/** The driver of simA. `engine`: name and version of the executable, as results and logs show them. */
export function createSimADriver(engine: string): SimulatorDriver {
  return {
    engine,
    convert,
    adoptFiles: (files) => adoptFiles(files, { required: REQUIRED_FILES, readPrimaries, findForeign, unread: UNREAD }),
    findTaskPrimariesMax: () => TASK_PRIMARIES_MAX,
    apportion,
    command,
    progress,
    // its exit codes do not tell a bad deck from bad luck
    isRefusal: () => false,
    outputs: (folder, primaries) => readOutputs(folder, engine, primaries),
  };
}
