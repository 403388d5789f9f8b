import { recountMaterials } from './materials.js';
import { DETECTORS, FIGURES, FILTERS, MATERIALS, OUTPUTS, WORLD, ZONES } from './places.js';
import { isObject, itemsAt, type JsonObject, textAt, valueAt, withValueAt } from './pointer.js';

/** What else a deletion changes, for people. */
export interface Consequence {
  readonly kind: 'zone' | 'detector' | 'output' | 'quantity';
  readonly name: string;
  /** Goes, or stays and is changed. */
  readonly isGone: boolean;
}

export interface Removal {
  readonly project: JsonObject;
  readonly consequences: readonly Consequence[];
  /** Names of what uses a material, which stays therefore. */
  readonly usedBy: readonly string[];
}

/** The project without a part, and without what cannot be without it. Every reference resolves as before. */
export function removePart(project: JsonObject, pointer: string): Removal {
  const uuid = textAt(project, `${pointer}/uuid`);
  const list = pointer.replace(/\/\d+$/, '');
  if (list === MATERIALS) {
    const usedBy = usersOfMaterial(project, uuid);
    if (usedBy.length > 0) return { project, consequences: [], usedBy };
  }
  const consequences: Consequence[] = [];
  let changed = withValueAt(project, pointer, undefined);
  if (list === FIGURES && uuid !== '') changed = withoutFigure(changed, uuid, consequences);
  if (list === ZONES && uuid !== '') changed = withoutZone(changed, uuid, consequences);
  if (list === DETECTORS && uuid !== '') changed = withoutDetector(changed, uuid, consequences);
  if (list === FILTERS && uuid !== '') changed = withoutFilter(changed, uuid, consequences);
  return { project: recountMaterials(changed), consequences, usedBy: [] };
}

/** Names of zones and quantities of a material. */
export function usersOfMaterial(project: JsonObject, uuid: string): string[] {
  const quantities = itemsAt(project, OUTPUTS).flatMap(({ value }) => itemsAt(value, '/quantities'));
  const owners = [...itemsAt(project, ZONES), ...quantities].map(({ value }) => value);
  const world = valueAt(project, WORLD);
  return [...owners, ...(isObject(world) ? [world] : [])]
    .filter((owner) => textAt(owner, '/materialUuid') === uuid)
    .map((owner) => textAt(owner, '/name'));
}

/** Removes items of a list from the last on, so that the indexes before them hold. */
function withoutItems(project: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.toReversed().reduce((changed, pointer) => withValueAt(changed, pointer, undefined), project);
}

function withoutFigure(project: JsonObject, uuid: string, consequences: Consequence[]): JsonObject {
  let changed = project;
  const empty: string[] = [];
  for (const { pointer, value } of itemsAt(project, ZONES)) {
    const terms = valueAt(value, '/unionOperations');
    if (!Array.isArray(terms) || !JSON.stringify(terms).includes(JSON.stringify(uuid))) continue;
    const kept = terms.map((term) => withoutOperations(term, uuid)).filter(({ length }) => length > 0);
    consequences.push({ kind: 'zone', name: textAt(value, '/name'), isGone: kept.length === 0 });
    if (kept.length === 0) empty.push(pointer);
    else changed = withOperations(changed, pointer, kept);
  }
  const uuids = empty.map((pointer) => textAt(project, `${pointer}/uuid`));
  changed = withoutItems(changed, empty);
  return uuids.reduce((before, zone) => withoutZone(before, zone, consequences), changed);
}

/** A term without a figure; without its first one, what was to be cut or kept of it is nothing. */
function withoutOperations(term: unknown, uuid: string): unknown[] {
  if (!Array.isArray(term)) return [];
  const operations: unknown[] = term;
  const kept = operations.filter((operation) => textAt(operation, '/objectUuid') !== uuid);
  return kept.length === 0 || textAt(kept[0], '/mode') === 'union' ? kept : [];
}

/** The project with other operations of a zone, and with the count of its figures that the field's editor keeps. */
export function withOperations(project: JsonObject, zone: string, terms: readonly unknown[]): JsonObject {
  const changed = withValueAt(project, `${zone}/unionOperations`, terms);
  if (!isObject(valueAt(project, `${zone}/subscribedObjects`))) return changed;
  const counts: Record<string, number> = {};
  for (const operation of terms.flatMap((term): unknown[] => (Array.isArray(term) ? term : []))) {
    const uuid = textAt(operation, '/objectUuid');
    counts[uuid] = (counts[uuid] ?? 0) + 1;
  }
  return withValueAt(changed, `${zone}/subscribedObjects`, counts);
}

function withoutZone(project: JsonObject, uuid: string, consequences: Consequence[]): JsonObject {
  const detectors = itemsAt(project, DETECTORS).filter(
    ({ value }) => textAt(value, '/geometryData/parameters/zoneUuid') === uuid,
  );
  const outputs = itemsAt(project, OUTPUTS).filter(({ value }) => textAt(value, '/zoneUuid') === uuid);
  for (const { value } of detectors)
    consequences.push({ kind: 'detector', name: textAt(value, '/name'), isGone: true });
  for (const { value } of outputs) consequences.push({ kind: 'output', name: textAt(value, '/name'), isGone: true });
  const changed = withoutItems(
    withoutItems(
      project,
      outputs.map(({ pointer }) => pointer),
    ),
    detectors.map(({ pointer }) => pointer),
  );
  return detectors.reduce(
    (before, { value }) => withoutDetector(before, textAt(value, '/uuid'), consequences),
    changed,
  );
}

function withoutDetector(project: JsonObject, uuid: string, consequences: Consequence[]): JsonObject {
  const outputs = itemsAt(project, OUTPUTS).filter(({ value }) => textAt(value, '/detectorUuid') === uuid);
  for (const { value } of outputs) consequences.push({ kind: 'output', name: textAt(value, '/name'), isGone: true });
  return withoutItems(
    project,
    outputs.map(({ pointer }) => pointer),
  );
}

function withoutFilter(project: JsonObject, uuid: string, consequences: Consequence[]): JsonObject {
  let changed = project;
  for (const { pointer } of itemsAt(project, OUTPUTS)) {
    for (const quantity of itemsAt(project, `${pointer}/quantities`)) {
      if (textAt(quantity.value, '/filter') !== uuid) continue;
      consequences.push({ kind: 'quantity', name: textAt(quantity.value, '/name'), isGone: false });
      changed = withValueAt(changed, `${quantity.pointer}/filter`, undefined);
    }
  }
  return changed;
}
