import { findEngineFile } from './engine-assets.js';

/**
 * Path of the engine's command, to be run by Node: `node <path> --problem <file> --task <file> --output <file>
 * [--threads N] [--finish-file <file>] [--stop-on-stdin-end]`. One file that needs no other.
 */
export function engineCommandPath(): string {
  return findEngineFile('dist/tally-engine.mjs');
}
