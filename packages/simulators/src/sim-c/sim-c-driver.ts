import { adoptFiles } from '../deck/adopt-files.js';
import type { SimulatorDriver } from '../driver.js';
import { apportion, readPrimaries, TASK_PRIMARIES_MAX } from './apportion.js';
import { command } from './command.js';
import { convert } from './deck/convert.js';
import { findForeign } from './find-foreign.js';
import { readOutputs } from './output/outputs.js';
import { announcesFinish, countHistories, FINISH_FILE, progress } from './progress.js';

/** `EX_DATAERR` of sysexits.h: what simulators/geant4 says of a deck that Geant4 refuses. Other programs may not use it. */
const REFUSED_EXIT_CODE = 65;

/** The driver of simC. `engine`: name and version of the executable, as results and logs show them. */
export function createSimCDriver(engine: string): SimulatorDriver {
  return {
    engine,
    convert,
    adoptFiles: (files) => adoptFiles(files, { required: [], readPrimaries, findForeign }),
    findTaskPrimariesMax: () => TASK_PRIMARIES_MAX,
    apportion,
    command,
    progress,
    countHistories,
    finishFile: FINISH_FILE,
    announcesFinish,
    isRefusal: (exitCode) => exitCode === REFUSED_EXIT_CODE,
    outputs: (folder, primaries) => readOutputs(folder, engine, primaries),
  };
}
