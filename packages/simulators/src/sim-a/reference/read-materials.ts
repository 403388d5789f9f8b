import { BLACK_HOLE_ICRU, type Material, type StoppingPowerTable, VACUUM_ICRU } from '@tally/engine';
import { MATERIAL_FILE } from '../deck-files.js';
import { type DeckFaults, parseNumber, readWords } from './deck-reader.js';

/** Materials of a deck, and which of them a medium is. */
export interface DeckMaterials {
  readonly materials: readonly Material[];
  /** Index of the material of a medium (0: black hole, 1000: vacuum); `undefined` for one that is not there. */
  readonly find: (medium: number) => number | undefined;
}

/** The converter's comment on the table of a material that asks for one, which the simulator has no keyword for. */
const TABLE_COMMENT = /^! STOPPINGPOWER (icru49|icru90)\s*$/;

/** Reads `mat.dat`: media that are an ICRU material, with or without a density of their own. */
export function readMaterials(text: string, faults: DeckFaults): DeckMaterials {
  const materials: Material[] = [
    { name: 'black hole', icru: BLACK_HOLE_ICRU },
    { name: 'vacuum', icru: VACUUM_ICRU },
  ];
  const indexes = new Map([
    [0, 0],
    [1000, 1],
  ]);
  const tables = new Map<number, StoppingPowerTable>();
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const table = TABLE_COMMENT.exec(content)?.[1];
    if (table === 'icru49' || table === 'icru90') tables.set(index + 1, table);
  }
  let medium: { number: number; line: number; icru?: number; density?: number } | undefined;
  for (const { line, words } of readWords(text)) {
    const [keyword = '', word] = words;
    const value = parseNumber(word);
    switch (keyword.toUpperCase()) {
      case 'MEDIUM':
        medium = { number: value ?? 0, line };
        break;
      case 'ICRU':
        if (medium !== undefined && value !== undefined) medium.icru = value;
        break;
      case 'RHO':
        if (medium !== undefined && value !== undefined) medium.density = value;
        break;
      case 'LOADDEDX':
        faults.warn(
          'STOPPING_POWER_FILE_UNUSED',
          'the engine uses its own stopping powers instead of the loaded files',
        );
        break;
      case 'STATE':
        break;
      case 'END':
        if (medium === undefined) break;
        if (medium.icru === undefined) {
          faults.refuse(MATERIAL_FILE, medium.line, `medium ${medium.number} must have an ICRU material`);
        } else {
          const { number, line: start, icru, density } = medium;
          const [, table] = [...tables].find(([at]) => at > start && at < line) ?? [];
          const material = {
            name: `ICRU ${icru}`,
            icru,
            ...(density === undefined ? {} : { densityGcm3: density }),
            ...(table === undefined ? {} : { stoppingPowerTable: table }),
          };
          indexes.set(number, materials.push(material) - 1);
        }
        medium = undefined;
        break;
      default:
        faults.refuse(MATERIAL_FILE, line, `the keyword ${keyword} is not supported by the built-in engine`);
    }
  }
  return { materials, find: (number) => indexes.get(number) };
}
