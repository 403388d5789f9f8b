/**
 * What services know of each other: the code generated from proto/, one namespace for each package, the names of enum values,
 * the queues, and how task outputs, results and their pages travel.
 */

export * from './enums.js';
export * from './estimates.js';
export * from './external-worker.js';
export * from './failure.js';
export * as authOperator from './gen/auth/v1/auth_operator_service.js';
export * as auth from './gen/auth/v1/auth_service.js';
export * as batchBridge from './gen/batch_bridge/v1/batch_bridge_service.js';
export { Duration } from './gen/google/protobuf/duration.js';
export * as rpc from './gen/google/rpc/status.js';
export * as health from './gen/grpc/health/v1/health.js';
export { IDEMPOTENT_METHODS } from './gen/idempotency.js';
export * as jobsOperator from './gen/jobs/v1/jobs_operator_service.js';
export * as jobs from './gen/jobs/v1/jobs_service.js';
export * as messages from './gen/jobs/v1/queue_messages.js';
export * from './gzip-member.js';
export * from './logged-ids.js';
export * from './projects.js';
export * from './queues.js';
export * as results from './results.js';
export * from './task-output.js';
