export * from './conversion-warning.js';
export * from './driver.js';
export * from './project/limits.js';
export type { Project } from './project/project.js';
export * from './project/read-project.js';
export * from './registry.js';
export * from './run.js';
export * from './seed.js';
export * from './split-primaries.js';
