export * from './program.js';
export * from './terminal/plot.js';
