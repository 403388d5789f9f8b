import type { ConversionReport } from '../deck/conversion-report.js';
import type { Physics } from '../project/physics.js';
import { texts } from './parameter.js';

/** The editor's own limit of a step, which says nothing about what the user wants. */
const DEFAULT_ENERGY_LOSS = 0.03;
const ELECTROMAGNETIC = 'g4em-standard_opt4';
const NUCLEAR = ['g4h-phy_QGSP_BIC_HP', 'g4decay', 'g4ion-binarycascade', 'g4h-elastic_HP', 'g4stopping'] as const;

/** The physics list. Straggling and scattering are the simulator's own models and cannot be off. */
export function convertPhysics(physics: Physics, report: ConversionReport): string[] {
  const { energyModelStraggling, multipleScattering, energyLoss, enableNuclearReactions } = physics;
  if (energyModelStraggling === 'no straggling') {
    report.refuse('/physic/energyModelStraggling', 'straggling cannot be switched off');
  }
  if (multipleScattering === 'no scattering') {
    report.refuse('/physic/multipleScattering', 'multiple scattering cannot be switched off');
  }
  if (energyModelStraggling === 'Gaussian' || multipleScattering === 'Gaussian') {
    report.warn('PHYSICS_MODEL_UNUSED', 'straggling and scattering are the models of the simulator, not Gaussian');
  }
  if (energyLoss !== DEFAULT_ENERGY_LOSS) {
    report.warn('ENERGY_LOSS_UNUSED', 'the simulator chooses its steps itself, whatever energy loss they may have');
  }
  return [texts('Ph/Default/Modules', enableNuclearReactions ? [ELECTROMAGNETIC, ...NUCLEAR] : [ELECTROMAGNETIC])];
}
