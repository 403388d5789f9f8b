/*
 * What needs no driver. A service that converts nothing, and a runner that waits for its first task, load this and not the
 * drivers, which make and read decks and take more memory than all the rest.
 */
export * from './conversion-error.js';
export { isDeckFileName } from './deck/foreign-path.js';
export * from './executables.js';
export * from './output-error.js';
export * from './run/judge-run.js';
export * from './run/line-tail.js';
export * from './run/progress-meter.js';
export * from './run/read-lines.js';
export * from './run/read-run-output.js';
export * from './run/watch-progress.js';
export * from './sim-type.js';
export * from './version-probe.js';
