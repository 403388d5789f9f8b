export * from '@tally/merge/readings';
export type { components, operations, paths } from './gen/http.js';
export * from './http-answer.js';
export * from './http-error.js';
export * from './operation-types.js';
export { describeProjectChanges } from './project-changes/describe-changes.js';
export * from './tally-client.js';
export * from './templates.js';
