import { BLACK_HOLE_ICRU, findMaterial, VACUUM_ICRU } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { DeckMaterial } from '../../deck/material-table.js';
import { formatShort } from '../../deck/number-format.js';
import { warnOfUnusedTable } from '../../deck/stopping-powers.js';
import type { Physics } from '../../project/physics.js';

/** Largest ICRU id that the simulator knows. */
const ICRU_MAX = 278;

/** `mat.dat`, and the stopping powers that stand beside it. */
export interface ConvertedMaterials {
  readonly text: string;
  /** Number of a material in `geo.dat` and `detect.dat`: its medium, 0 for the black hole, 1000 for vacuum. */
  readonly numberOf: (index: number) => number;
  /** Texts of stopping powers by file name. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * `mat.dat`: a block for every material in use, numbered from 1. `RHO` stands where a zone or a quantity overrides the
 * density, `LOADDEDX` where it asks for stopping powers that the project brings, and a comment on their table for the built-in
 * engine, which has no file of them.
 */
export function convertMaterials(
  materials: readonly DeckMaterial[],
  physics: Physics,
  claimFileName: (id: string, name: string) => string,
  report: ConversionReport,
): ConvertedMaterials {
  const numbers: number[] = [];
  const blocks: string[] = [];
  const files: Record<string, string> = {};
  for (const [index, material] of materials.entries()) {
    if (material.icru === BLACK_HOLE_ICRU || material.icru === VACUUM_ICRU) {
      numbers.push(material.icru);
      continue;
    }
    const path = report.originOf(`/materials/${index}`);
    checkMaterial(material, path, report);
    numbers.push(blocks.length + 1);
    blocks.push(materialBlock(material, blocks.length + 1, attachedFile(material, physics) !== undefined));
    if (material.stoppingPowerTable === undefined) continue;
    const file = attachedFile(material, physics);
    if (file === undefined) {
      const message = `no stopping powers are attached for "${material.name}": the simulator uses its own`;
      report.warn('STOPPING_POWER_FILE_MISSING', message);
    } else {
      files[claimFileName(`stopping power ${material.icru}`, file.name)] = file.content;
    }
  }
  warnOfUnusedTable(materials, physics, report);
  return { text: blocks.join(''), files, numberOf: (index) => numbers[index] ?? BLACK_HOLE_ICRU };
}

/** Stopping powers that the material asks for, if the project has them. */
function attachedFile({ icru, stoppingPowerTable }: DeckMaterial, { availableStoppingPowerFiles }: Physics) {
  return stoppingPowerTable !== undefined ? availableStoppingPowerFiles?.[`${icru}`] : undefined;
}

function materialBlock(material: DeckMaterial, number: number, hasFile: boolean): string {
  const { icru, densityGcm3, stoppingPowerTable } = material;
  const isOwnDensity = densityGcm3 !== undefined && densityGcm3 !== findMaterial(icru)?.densityGcm3;
  const lines = [
    `MEDIUM ${number}`,
    `ICRU ${icru}`,
    ...(isOwnDensity ? [`RHO ${formatShort(densityGcm3)}`] : []),
    ...(stoppingPowerTable === undefined ? [] : [`! STOPPINGPOWER ${stoppingPowerTable}`]),
    ...(hasFile ? ['LOADDEDX'] : []),
    'END',
  ];
  return `${lines.join('\n')}\n`;
}

function checkMaterial({ name, icru, ionisationEv }: DeckMaterial, path: string, report: ConversionReport): void {
  if (icru > ICRU_MAX) report.refuse(path, `material "${name}" (ICRU ${icru}) is not known`);
  // no form of the editor has it
  if (ionisationEv !== undefined) {
    report.warn(
      'IONISATION_POTENTIAL_UNUSED',
      `the mean ionisation potential ${ionisationEv} eV of "${name}" is not used`,
    );
  }
}
