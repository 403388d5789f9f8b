import { ENGINE_NAME } from '@tally/engine';
import type { SimulatorDriver } from '../driver.js';
import { apportion } from './apportion.js';
import { command } from './command.js';
import { convert } from './convert.js';
import { outputs } from './outputs.js';
import { progress } from './progress.js';

/** The built-in engine as a simulator among others. */
export const referenceDriver: SimulatorDriver = {
  engine: ENGINE_NAME,
  convert,
  apportion,
  command,
  progress,
  outputs,
};
