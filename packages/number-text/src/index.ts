/** Text with lists of numbers: its parts, and how they are written. */
export * from './number-module.js';
export * from './text-parts.js';
