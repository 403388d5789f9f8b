import { z } from 'zod';

/** `input` is what was submitted, text for text; `files` is the deck of an editor's project for the simulator asked for. */
export const inputsResponse = z.discriminatedUnion('input_type', [
  z.object({
    message: z.string(),
    input_type: z.literal('editor'),
    input: z.record(z.string(), z.unknown()),
    files: z
      .record(z.string(), z.string())
      .meta({ description: 'Deck of sim_type, also where the built-in engine computes in its place' }),
    files_note: z
      .string()
      .optional()
      .meta({ description: 'Where the built-in engine computes: what files lacks, or why it is empty' }),
  }),
  z.object({ message: z.string(), input_type: z.literal('files'), input: z.record(z.string(), z.string()) }),
]);
