import { z } from 'zod';

/** Log text by key: task_<n>, and names that workers gave. */
export const logfilesResponse = z.object({
  message: z.string(),
  logfiles: z.record(z.string(), z.string()),
});
