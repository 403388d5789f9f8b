import { UserError } from './exit-codes.js';
import type { Source } from './source.js';

const DOSES: readonly unknown[] = ['Dose', 'DoseGy'];

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * The results that a target is about unless it is said: the only ones of a project, or the only ones with a dose.
 * @throws UserError with the names to choose from
 */
export function targetEstimatorOf(source: Source): string {
  if (source.input_type === 'files')
    throw new UserError('--target is for projects: a deck does not say what it scores');
  const outputs = listOf(membersOf(membersOf(source.sim_data).scoringManager).outputs).map(membersOf);
  const isDose = (quantity: unknown) => DOSES.includes(membersOf(quantity).keyword);
  const doses = outputs.filter(({ quantities }) => listOf(quantities).some(isDose));
  const [only, ...others] = outputs.length === 1 ? outputs : doses;
  if (typeof only?.name === 'string' && others.length === 0) return only.name;
  const names = outputs.flatMap(({ name }) => (typeof name === 'string' ? `"${name}"` : [])).join(', ');
  throw new UserError(
    `--target needs --target-estimator, one of ${names || 'its results, of which the project has none'}`,
  );
}
