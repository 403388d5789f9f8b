import type { ConversionReport } from '../../deck/conversion-report.js';
import { warnOfModels } from '../../deck/warn-of-models.js';
import type { Physics } from '../../project/physics.js';
import { formatCard } from './card.js';

/** First and last material of a card that concerns them all, in the order of their definition. */
const FIRST_MATERIAL = 'HYDROGEN';
const LAST_MATERIAL = '@LASTMAT';

/**
 * What of the project's physics differs from the `HADROTHE` defaults: `IONFLUCT` and `DELTARAY` switch straggling off,
 * `MULSOPT` scattering. Nuclear reactions cannot be switched off.
 */
export function convertPhysics(physics: Physics, report: ConversionReport): string[] {
  if (!physics.enableNuclearReactions) {
    report.refuse('/physic/enableNuclearReactions', 'the simulator cannot switch nuclear reactions off');
  }
  warnOfModels(physics, report);
  const straggling = [
    formatCard('IONFLUCT', [-1, -1, undefined, FIRST_MATERIAL, LAST_MATERIAL]),
    formatCard('DELTARAY', [-1, undefined, undefined, FIRST_MATERIAL, LAST_MATERIAL]),
  ];
  const scattering = [formatCard('MULSOPT', [undefined, 3, 3, FIRST_MATERIAL, LAST_MATERIAL])];
  return [
    ...(physics.energyModelStraggling === 'no straggling' ? straggling : []),
    ...(physics.multipleScattering === 'no scattering' ? scattering : []),
  ];
}
