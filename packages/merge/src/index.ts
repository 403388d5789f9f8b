export * from './merge-error.js';
export * from './page-moments.js';
export * from './task-output.js';
export * from './task-output-codec.js';
export * from './task-output-header.js';
