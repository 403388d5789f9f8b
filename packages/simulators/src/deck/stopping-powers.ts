import { ionisationEv, type LibraryMaterial, type StoppingPowerTable } from '@tally/engine';
import type { Physics } from '../project/physics.js';
import type { SimType } from '../sim-type.js';
import type { ConversionReport } from './conversion-report.js';
import { type DeckMaterial, ENGINE_TABLE } from './material-table.js';

/** A table's name for people. */
export function reportName(table: StoppingPowerTable): string {
  return table === 'icru49' ? 'ICRU 49' : 'ICRU 90';
}

/**
 * The report that holds a simulator's own mean excitation energies: 75 eV for water in SHIELD-HIT12A and FLUKA, 78 eV in
 * Geant4 and TOPAS (manuals of the programs, lists of materials).
 */
export const OWN_TABLE: Readonly<Record<SimType, StoppingPowerTable>> = {
  simA: 'icru49',
  simB: 'icru49',
  simC: 'icru90',
  simD: 'icru90',
};

/** Mean excitation energy of a material in the decks of a simulator, eV: as set, by the table asked for, or the simulator's own. */
export function findIonisationEv(material: DeckMaterial, library: LibraryMaterial, simType: SimType): number {
  return material.ionisationEv ?? ionisationEv(library, material.stoppingPowerTable ?? OWN_TABLE[simType]);
}

/** Warns of attached stopping powers in the decks of a simulator that reads none: the mean excitation energy stands in for them. */
export function warnOfAttachedPowers(material: DeckMaterial, library: LibraryMaterial, report: ConversionReport): void {
  const { name, stoppingPowerTable: table } = material;
  if (table === undefined) return;
  const ionisation = material.ionisationEv ?? ionisationEv(library, table);
  const message = `"${name}" gets the mean excitation energy ${ionisation} eV instead of the attached stopping powers, which the simulator does not read`;
  report.warn('STOPPING_POWER_FILE_UNUSED', message);
}

/** Warns of a table that the project chooses and no zone or quantity asks for. ICRU 90 is what the editor has chosen itself. */
export function warnOfUnusedTable(
  materials: readonly DeckMaterial[],
  { stoppingPowerTable }: Physics,
  report: ConversionReport,
): void {
  const table = ENGINE_TABLE[stoppingPowerTable];
  if (table === 'icru90' || materials.some((material) => material.stoppingPowerTable !== undefined)) return;
  const message = `the stopping power table ${reportName(table)} is not used: no zone asks for custom stopping powers`;
  report.warn('STOPPING_POWER_TABLE_UNUSED', `${message}, and materials have those of the simulator`);
}
