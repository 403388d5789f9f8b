export * from './folder/batch-job.js';
export * from './folder/file-format.js';
export * from './folder/job-folder.js';
export * from './folder/task-files.js';
export * from './helper-program.js';
