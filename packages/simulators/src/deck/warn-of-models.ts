import type { Physics } from '../project/physics.js';
import type { ConversionReport } from './conversion-report.js';

/** The editor's default of the largest energy loss in a step, as a fraction. */
const DEFAULT_ENERGY_LOSS = 0.03;

/** For simulators that have physics models and steps of their own: says where the project asks for others. */
export function warnOfModels(physics: Physics, report: ConversionReport): void {
  const { energyModelStraggling: straggling, multipleScattering: scattering, energyLoss } = physics;
  if (straggling === 'Gaussian') {
    report.warn('PHYSICS_MODEL_UNUSED', 'the simulator has its own model of straggling instead of the Gaussian one');
  }
  if (scattering === 'Gaussian') {
    report.warn('PHYSICS_MODEL_UNUSED', 'the simulator has its own model of scattering instead of the Gaussian one');
  }
  if (energyLoss !== DEFAULT_ENERGY_LOSS) {
    report.warn('STEP_LENGTH_UNUSED', `the simulator chooses its steps itself, not by an energy loss of ${energyLoss}`);
  }
}
