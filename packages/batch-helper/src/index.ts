export * from './batch-job.js';
export * from './file-format.js';
export * from './helper-program.js';
export * from './job-folder.js';
export * from './task-files.js';
