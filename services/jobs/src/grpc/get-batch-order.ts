import type { jobs } from '@tally/contracts';
import { type BatchOrderPorts, getBatchOrder } from '../domain/batch/get-batch-order.js';
import { readJobId, toProtoInputType, toProtoSimulator, toProtoState } from './mappers.js';

/** GetBatchOrder of jobs_service.proto. */
export function getBatchOrderRpc(ports: BatchOrderPorts) {
  return async ({ jobId }: jobs.GetBatchOrderRequest): Promise<jobs.GetBatchOrderResponse> => {
    const order = await getBatchOrder(ports, readJobId(jobId));
    return {
      ...order,
      simulator: toProtoSimulator(order.simulator),
      inputType: toProtoInputType(order.inputType),
      tasks: order.tasks.map((task) => ({ ...task, state: toProtoState(task.state) })),
    };
  };
}
