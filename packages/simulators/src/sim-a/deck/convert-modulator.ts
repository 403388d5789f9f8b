import type { ConversionReport } from '../../deck/conversion-report.js';
import type { Project } from '../../project/project.js';
import type { ZoneNumbers } from './zone-numbers.js';

/** A range modulator as `beam.dat` names it. */
export interface Modulator {
  /** Number of its zone in `geo.dat`. */
  readonly zone: number;
  readonly fileName: string;
  /** The thickness map. */
  readonly text: string;
  readonly method: 'modulus' | 'sampling';
  /** The zone counts as vacuum; otherwise as its own material. */
  readonly isVacuum: boolean;
}

/** `undefined` when the project has none, or after refusing one that cannot be written. */
export function convertModulator(
  project: Project,
  zones: ZoneNumbers,
  claimFileName: (id: string, name: string) => string,
  report: ConversionReport,
): Modulator | undefined {
  const { modulator } = project.specialComponentsManager;
  if (!modulator) return undefined;
  const path = '/specialComponentsManager/modulator';
  const { name, value } = modulator.sourceFile;
  if (value === '') report.refuse(`${path}/sourceFile/value`, 'must not be empty: it is the map of the modulator');
  const zone = zones.find(modulator.geometryData.parameters.zoneUuid);
  if (zone === undefined) {
    report.refuse(`${path}/geometryData/parameters/zoneUuid`, 'must refer to a zone that has a volume');
    return undefined;
  }
  return {
    zone,
    fileName: claimFileName('modulator', name === '' ? 'modulator.dat' : name),
    text: value,
    method: modulator.simulationMethod,
    isVacuum: modulator.interpretationMode === 'vacumm',
  };
}
