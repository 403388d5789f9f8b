export * from './durable-file.js';
export * from './end-processes.js';
export * from './follow-file.js';
export * from './launch.js';
export * from './line-splitter.js';
export * from './log-file.js';
export * from './pause.js';
export * from './process-table.js';
