import type { z } from 'zod';

/** One thing in a problem that the engine cannot take. */
export interface Fault {
  /** Where, as a JSON path: `outputs[0].quantities[1].keyword`. */
  readonly path: string;
  /** What is wrong, naming the thing. */
  readonly message: string;
}

/** Thrown by `simulate` for a problem or task that `validateProblem` or `validateTask` finds faulty. */
export class ProblemError extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('\n'));
    this.name = 'ProblemError';
  }
}

function jsonPath(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '');
}

/** The faults of a value that does not have the schema's shape. */
export function shapeFaults(error: z.ZodError): Fault[] {
  return error.issues.map(({ path, message }) => ({ path: jsonPath(path), message }));
}
