import { z } from 'zod';

/** `input` is what was submitted, text for text; `files` is the deck made from an editor project. */
export const inputsResponse = z.discriminatedUnion('input_type', [
  z.object({
    message: z.string(),
    input_type: z.literal('editor'),
    input: z.record(z.string(), z.unknown()),
    files: z.record(z.string(), z.string()),
  }),
  z.object({ message: z.string(), input_type: z.literal('files'), input: z.record(z.string(), z.string()) }),
]);
