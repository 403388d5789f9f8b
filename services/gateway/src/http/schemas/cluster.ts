import { z } from 'zod';

const partition = z
  .object({
    name: z.string(),
    wall_time_seconds_max: z.int().min(0).meta({ description: 'Longest wall time of a task' }),
    memory_mib_max: z.int().min(0).meta({ description: 'Largest memory of a task' }),
    wall_time_seconds_default: z.int().min(0).meta({ description: 'Unless the option `time` is given' }),
    memory_mib_default: z.int().min(0).meta({ description: 'Unless the option `mem` is given' }),
  })
  .meta({ id: 'Partition' });

export const clustersResponse = z.object({
  message: z.string(),
  clusters: z.array(
    z.object({
      cluster_name: z.string(),
      display_name: z.string(),
      available: z.boolean(),
      default: z.boolean().meta({ description: 'Whether submissions that name no cluster go here' }),
      scheduler_options: z.array(z.string()).meta({ description: 'Names that `scheduler_options` may have' }),
      partitions: z.array(partition).meta({ description: 'Of the option `partition`; the first unless it is given' }),
    }),
  ),
});
