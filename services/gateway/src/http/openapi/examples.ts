import { z } from 'zod';
import recorded from './examples.json' with { type: 'json' };

const texts = z.record(z.string(), z.string()).optional();

const example = z.object({
  summary: z.string().min(1),
  query: texts,
  headers: texts,
  body: z.unknown().optional(),
  status: z.int(),
  /** Absent where the answer has no body (304). */
  answer: z.unknown().optional(),
});

/** A request and its real answer, recorded from the suite by `pnpm docs:examples`. */
export type Example = Readonly<z.output<typeof example>>;

/** Examples by operation: `GET /jobs/direct`. */
export type Examples = Readonly<Record<string, readonly Example[]>>;

export const EXAMPLES: Examples = z.record(z.string(), z.array(example)).parse(recorded satisfies unknown);
