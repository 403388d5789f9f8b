import type { Project } from '../project/project.js';
import type { ConversionReport } from './conversion-report.js';

/** Refuses a CT cube, which nothing here converts, and a range modulator where the simulator has none. */
export function refuseSpecialComponents(
  project: Project,
  simulator: { readonly hasModulator: boolean },
  report: ConversionReport,
): void {
  const { CTCube, modulator } = project.specialComponentsManager;
  const path = '/specialComponentsManager';
  if (CTCube !== undefined && CTCube !== null) report.refuse(`${path}/CTCube`, 'a CT cube is not supported');
  if (modulator && !simulator.hasModulator) {
    report.refuse(`${path}/modulator`, `a range modulator ("${modulator.sourceFile.name}") is not supported`);
  }
}
