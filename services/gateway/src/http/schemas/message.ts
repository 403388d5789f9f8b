import { z } from 'zod';

/** Answer with a message only. */
export const messageResponse = z.object({ message: z.string() });

/** Body of every error answer (docs/http-interface.md, Conventions). */
export const problemResponse = z
  .object({
    message: z.string(),
    status_code: z.int().min(400).max(599).meta({ description: 'The HTTP status' }),
    code: z.string().meta({ description: 'Stable machine word' }),
    request_id: z.string(),
    errors: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Every wrong field, by its path' }),
  })
  .meta({ id: 'Problem', description: 'Body of every error answer' });
