export * from './task-output.js';
