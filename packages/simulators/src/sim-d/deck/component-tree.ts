import type { BodyRelations } from '../../deck/geometry/body-relations.js';
import type { Layer } from './decision-list.js';

/** A body placed in the simulator's geometry. */
export interface Component {
  readonly body: number;
  readonly fill: number;
  /** 0: the mass world; from 1 on: a parallel world whose materials lie over all lower ones. */
  readonly world: number;
  /** Index of the component that it is inside of; absent: directly in the world. */
  readonly parent?: number;
}

/**
 * Places filled bodies, first over later: a body goes inside what contains it; one that cuts through another's surface
 * goes to a parallel world over it. Bodies that are wholly under others, or of what they are put into, are left out.
 * @param background - fill of the world that components without a parent are in
 * @returns parents before their children
 */
export function placeComponents(
  layers: readonly Layer[],
  background: number | undefined,
  relations: BodyRelations,
): Component[] {
  const components: Component[] = [];
  const visible = layers.filter(
    ({ body }, index) => !layers.slice(0, index).some((over) => relations.contains(over.body, body)),
  );
  for (const { body, fill } of visible.toReversed()) {
    const below = components
      .map((component, index) => ({ ...component, index }))
      .filter((component) => !relations.areApart(component.body, body));
    const world = below.reduce((highest, component) => {
      const isInside = relations.contains(component.body, body);
      // in parallel worlds nothing is nested
      return Math.max(highest, isInside && component.world === 0 ? 0 : component.world + 1);
    }, 0);
    const parent = world === 0 ? below.at(-1)?.index : undefined;
    const around = parent === undefined ? background : components[parent]?.fill;
    if (world === 0 && fill === around) continue;
    components.push({ body, fill, world, ...(parent === undefined ? {} : { parent }) });
  }
  return components;
}
