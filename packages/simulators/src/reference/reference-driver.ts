import { ENGINE_NAME } from '@tally/engine';
import { ConversionError } from '../conversion-error.js';
import type { SimulatorDriver } from '../driver.js';
import type { SimType } from '../sim-type.js';
import { apportion } from './apportion.js';
import { command } from './command.js';
import { convert } from './convert.js';
import { FINISH_FILE } from './deck-files.js';
import { outputs } from './outputs.js';
import { progress } from './progress.js';

/** The engine's command refuses a problem or task with this exit code (packages/engine, engine-command.ts). */
const REFUSED_EXIT_CODE = 2;

/** The built-in engine in the place of a simulator, whose stopping powers it takes. */
export function createReferenceDriver(simType: SimType): SimulatorDriver {
  return {
    engine: ENGINE_NAME,
    convert: (project) => convert(project, simType),
    adoptFiles() {
      const message = 'the built-in engine does not read input files; submit the project of the editor instead';
      throw new ConversionError('FILES_UNSUPPORTED', [{ path: '/input_type', message }]);
    },
    findTaskPrimariesMax: () => Number.MAX_SAFE_INTEGER,
    apportion,
    command,
    progress,
    finishFile: FINISH_FILE,
    isRefusal: (exitCode) => exitCode === REFUSED_EXIT_CODE,
    outputs,
  };
}
