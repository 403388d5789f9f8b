/** Text with lists of numbers: its parts, how they are written, and how numbers are read; text for JSON strings. */

export * from './json-string.js';
export * from './number-module.js';
export * from './read-numbers.js';
export * from './text-parts.js';
