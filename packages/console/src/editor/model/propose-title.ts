import { readStack } from './layers.js';
import { findParticle } from './particles.js';
import { MATERIALS } from './places.js';
import { itemsAt, type JsonObject, numberAt, textAt, valueAt } from './pointer.js';

/** Layers that a title names. */
const LAYERS_MAX = 3;

/** What a project without a title is called: its beam, and what it goes through. */
export function proposeTitle(project: JsonObject): string {
  const particle = findParticle(valueAt(project, '/beam/particle'));
  const name = particle?.label.replace(/,.*$/, '') ?? textAt(project, '/beam/particle/name');
  const isList = textAt(project, '/beam/sourceType') === 'file';
  const energy = isList
    ? 'spots'
    : `${numberAt(project, '/beam/energy')} ${textAt(project, '/beam/energyUnit') || 'MeV'}`;
  const materials = new Map(itemsAt(project, MATERIALS).map(({ value }) => [value.uuid, textAt(value, '/name')]));
  const layers = (readStack(project)?.layers ?? []).slice(0, LAYERS_MAX).map(({ materialUuid, thicknessCm }) => {
    const words = (materials.get(materialUuid) ?? '')
      .toLowerCase()
      .replace(/,.*$|\(.*$/, '')
      .trim();
    return `${words} ${thicknessCm} cm`;
  });
  return [`${name} ${energy}`.trim(), ...layers].join(', ').slice(0, 256);
}
