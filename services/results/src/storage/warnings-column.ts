import type { OutputWarning } from '@tally/merge';
import { z } from 'zod';

const column = z.array(z.object({ code: z.string(), message: z.string() }));

/** The column `warnings` of task outputs and results. */
export function readWarningsColumn(json: unknown): OutputWarning[] {
  return column.parse(json);
}

export function toWarningsColumn(warnings: readonly OutputWarning[]): { code: string; message: string }[] {
  return warnings.map(({ code, message }) => ({ code, message }));
}
