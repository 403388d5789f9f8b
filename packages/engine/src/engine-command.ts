import { findEngineFile } from './engine-assets.js';

/**
 * Path of the engine's command, to be run by Node: `node <path> --problem <file> --task <file> --output <file>
 * [--threads N] [--stop-on-stdin-end]`.
 */
export function engineCommandPath(): string {
  return findEngineFile('dist/src/bin/tally-engine.js');
}
