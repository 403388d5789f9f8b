export * from './merge-error.js';
export * from './number-bytes.js';
export * from './page-merger.js';
export * from './page-moments.js';
export * from './page-part.js';
export * from './task-output.js';
export * from './task-output-codec.js';
export * from './task-output-header.js';
