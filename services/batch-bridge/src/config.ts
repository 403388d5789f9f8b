import { type ConfigOf, type ConfigSchema, commonKeys, serverKeys } from '@tally/service-kit';

export const CONFIG_PREFIX = 'BATCH';

/** Settings of batch-bridge. Clusters come with the batch platform. */
export const batchBridgeConfigSchema = { ...commonKeys, ...serverKeys } as const satisfies ConfigSchema;
export type BatchBridgeConfig = ConfigOf<typeof batchBridgeConfigSchema>;
