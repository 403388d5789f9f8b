import type { ConversionReport } from '../../deck/conversion-report.js';
import { warnOfModels } from '../../deck/warn-of-models.js';
import type { Physics } from '../../project/physics.js';
import { texts } from './parameter.js';

const ELECTROMAGNETIC = 'g4em-standard_opt4';
const NUCLEAR = ['g4h-phy_QGSP_BIC_HP', 'g4decay', 'g4ion-binarycascade', 'g4h-elastic_HP', 'g4stopping'] as const;

/** The physics list. Straggling and scattering are the simulator's own models and cannot be off. */
export function convertPhysics(physics: Physics, report: ConversionReport): string[] {
  const { energyModelStraggling, multipleScattering, enableNuclearReactions } = physics;
  if (energyModelStraggling === 'no straggling') {
    report.refuse('/physic/energyModelStraggling', 'straggling cannot be switched off');
  }
  if (multipleScattering === 'no scattering') {
    report.refuse('/physic/multipleScattering', 'multiple scattering cannot be switched off');
  }
  warnOfModels(physics, report);
  return [texts('Ph/Default/Modules', enableNuclearReactions ? [ELECTROMAGNETIC, ...NUCLEAR] : [ELECTROMAGNETIC])];
}
