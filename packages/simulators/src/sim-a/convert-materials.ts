import { BLACK_HOLE_ICRU, findMaterial, VACUUM_ICRU } from '@tally/engine';
import type { ConversionReport } from '../deck/conversion-report.js';
import type { DeckMaterial } from '../deck/material-table.js';
import { formatShort } from '../deck/number-format.js';
import type { Physics } from '../project/physics.js';

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
 * `mat.dat`: a block for every material in use, numbered from 1. `RHO` stands wherever the project's density is not the
 * library's, so that a change at the material itself counts too; the reference converter writes it for zones only.
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
    refuseUnknown(material, path, report);
    numbers.push(blocks.length + 1);
    blocks.push(materialBlock(material, blocks.length + 1));
    if (!material.hasCustomStoppingPower) continue;
    const file = physics.availableStoppingPowerFiles?.[`${material.icru}`];
    if (file === undefined) {
      report.refuse(path, `no stopping powers are attached for "${material.name}" (ICRU ${material.icru})`);
    } else {
      files[claimFileName(`stopping power ${material.icru}`, file.name)] = file.content;
    }
  }
  return { text: blocks.join(''), files, numberOf: (index) => numbers[index] ?? BLACK_HOLE_ICRU };
}

function materialBlock(material: DeckMaterial, number: number): string {
  const { icru, densityGcm3, hasCustomStoppingPower } = material;
  const isOwnDensity = densityGcm3 !== undefined && densityGcm3 !== findMaterial(icru)?.densityGcm3;
  const lines = [
    `MEDIUM ${number}`,
    `ICRU ${icru}`,
    ...(isOwnDensity ? [`RHO ${formatShort(densityGcm3)}`] : []),
    ...(hasCustomStoppingPower ? ['LOADDEDX'] : []),
    'END',
  ];
  return `${lines.join('\n')}\n`;
}

function refuseUnknown({ name, icru, ionisationEv }: DeckMaterial, path: string, report: ConversionReport): void {
  if (icru > ICRU_MAX) report.refuse(path, `material "${name}" (ICRU ${icru}) is not known`);
  if (ionisationEv !== undefined) {
    report.refuse(path, `a mean ionisation potential of its own for "${name}" is not supported`);
  }
}
