import type { StoppingPowerTable } from '../problem/problem.js';
import type { LibraryMaterial } from './material-library.js';
import { SLOW_COEFFICIENTS, SLOW_STOPPING, SLOW_STOPPING_ICRU90 } from './slow-stopping-data.js';

/** A call that fills the slow stopping powers of the module's last material. */
type SlowCall = readonly [name: 'addSlowStopping' | 'addSlowFit', ...values: number[]];

/** Rows of `key;numbers;numbers` by their key. */
function parseRows(text: string): ReadonlyMap<number, readonly (readonly number[])[]> {
  const rows = text.trim().split('\n');
  return new Map(
    rows.map((row) => {
      const [key = '', ...lists] = row.split(';');
      return [Number(key), lists.map((list) => list.split(' ').map(Number))];
    }),
  );
}

const tables = parseRows(SLOW_STOPPING);
const tablesIcru90 = parseRows(SLOW_STOPPING_ICRU90);
const coefficients = parseRows(SLOW_COEFFICIENTS);
/** The heaviest element with coefficients; heavier ones take them, per electron of theirs. */
const LAST_ELEMENT = 92;

function tableCalls([protons = [], alphas = []]: readonly (readonly number[])[], share: number): SlowCall[] {
  return protons.map((value, i) => ['addSlowStopping', i, share, value, alphas[i] ?? 0]);
}

/** Whether a material has a table of its own, or is a Bragg sum of its elements. */
export function isTabulated({ icru }: LibraryMaterial): boolean {
  return tables.has(icru);
}

/** Calls that give the last material the slow stopping powers of a library material. */
export function slowStoppingCalls(material: LibraryMaterial, table: StoppingPowerTable): SlowCall[] {
  const own = (table === 'icru90' ? tablesIcru90.get(material.icru) : undefined) ?? tables.get(material.icru);
  if (own !== undefined) return tableCalls(own, 1);
  return material.composition.flatMap(({ z, atomicWeight, fraction }): SlowCall[] => {
    const element = tables.get(z);
    if (element !== undefined) return tableCalls(element, fraction);
    const fit = coefficients.get(z);
    if (fit !== undefined) return [['addSlowFit', fraction, atomicWeight, ...fit.flat()]];
    return tableCalls(tables.get(LAST_ELEMENT) ?? [], fraction);
  });
}
