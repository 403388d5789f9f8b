import { z } from 'zod';

/** Log text by task key. */
export const logfilesResponse = z.object({
  message: z.string(),
  logfiles: z.record(z.string().regex(/^task_\d+$/), z.string()),
});
