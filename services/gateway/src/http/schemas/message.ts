import { z } from 'zod';

/** Answer that says only how it went. */
export const messageResponse = z.object({ message: z.string() });

/** Body of every error answer (docs/http-interface.md, Conventions). */
export const problemResponse = z.object({
  message: z.string(),
  status_code: z.int().min(400).max(599),
  code: z.string(),
  request_id: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
