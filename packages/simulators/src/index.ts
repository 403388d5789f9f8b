export * from './conversion-error.js';
export * from './driver.js';
export * from './output-error.js';
export * from './project/limits.js';
export type { Project } from './project/project.js';
export * from './project/read-project.js';
export * from './registry.js';
export * from './seed.js';
export * from './split-primaries.js';
