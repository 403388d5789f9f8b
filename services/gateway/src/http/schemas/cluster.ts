import { z } from 'zod';

export const clustersResponse = z.object({
  message: z.string(),
  clusters: z.array(z.object({ cluster_name: z.string(), display_name: z.string(), available: z.boolean() })),
});
