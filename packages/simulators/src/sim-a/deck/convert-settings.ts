import { BLACK_HOLE_ICRU, VACUUM_ICRU } from '@tally/engine';
import { formatShort } from '../../deck/number-format.js';
import type { Quantity } from '../../project/scoring.js';
import { block } from './convert-detectors.js';
import { KERMA_MEDIA } from './quantity.js';
import type { ScoringContext } from './scoring-context.js';

/** Names that the editor gives by itself and that say nothing. */
const GENERIC_NAME = /^Quantity(_\d+)?$/;

/** What a `Settings` block would say about a quantity, before it has a name; `undefined` when there is nothing to say. */
export interface QuantitySettings {
  /** Not yet unique or free of blanks. */
  readonly name: string;
  readonly lines: readonly string[];
}

/** Factor, offset, number of primaries, and the medium of dose and LET or of the neutron kerma. */
export function convertSettings(
  quantity: Quantity,
  path: string,
  context: ScoringContext,
): QuantitySettings | undefined {
  const { rescale, offset, primaries } = quantity;
  const medium = readMedium(quantity, path, context);
  const kermaMedium = readKermaMedium(quantity, path, context);
  const lines = [
    ...(rescale === undefined ? [] : [`Rescale ${formatShort(rescale)}`]),
    ...(offset === undefined ? [] : [`Offset ${formatShort(offset)}`]),
    ...(primaries === undefined ? [] : [`Primaries ${formatShort(primaries)}`]),
    ...(medium === undefined ? [] : [`Medium ${medium.number}`]),
    ...(kermaMedium === undefined ? [] : [`NKMedium ${kermaMedium}`]),
  ];
  if (lines.length === 0) return undefined;
  return { name: settingsName(quantity, kermaMedium ?? medium?.name), lines };
}

export function settingsBlock(name: string, { lines }: QuantitySettings): string {
  return block('Settings', [`Name ${name}`, ...lines]);
}

function settingsName(quantity: Quantity, medium: string | undefined): string {
  if (!GENERIC_NAME.test(quantity.name)) return quantity.name.replaceAll(/\W/g, '');
  const prefix = quantity.primaries !== undefined ? 'Absolute_' : quantity.rescale !== undefined ? 'Rescaled_' : '';
  return `${prefix}${quantity.keyword}_${quantity.name}${medium === undefined ? '' : `_to_${medium}`}`;
}

function readMedium(
  quantity: Quantity,
  path: string,
  { materialTable, materialNumbers, report }: ScoringContext,
): { number: number; name: string } | undefined {
  if (quantity.materialUuid === undefined) return undefined;
  const index = materialNumbers.get(path);
  const material = index === undefined ? undefined : materialTable.materials[index];
  const number = index === undefined ? undefined : materialTable.numberOf(index);
  if (material === undefined || number === undefined) throw new Error(`no material for ${path}`);
  const place = `${path}/materialUuid`;
  if (material.icru === VACUUM_ICRU || material.icru === BLACK_HOLE_ICRU) {
    report.refuse(place, `"${material.name}" is no medium for ${quantity.keyword}`);
  }
  return { number, name: material.sanitizedName ?? material.name };
}

function readKermaMedium(quantity: Quantity, path: string, { report }: ScoringContext): string | undefined {
  const { medium } = quantity;
  if (medium !== undefined && !KERMA_MEDIA.includes(medium)) {
    report.refuse(`${path}/medium`, `"${medium}" is no medium of the neutron kerma`);
  }
  return medium;
}
