import { boundsOf, figuresOf, roundCm, shapeOf, withRoom } from './bounds.js';
import { colorOf, recountMaterials, WATER } from './materials.js';
import { freeName, newFigure, newZone } from './parts.js';
import { DETECTORS, FIGURES, MATERIALS, ZONES } from './places.js';
import {
  itemsAt,
  type JsonObject,
  listAt,
  numberAt,
  textAt,
  type Vector,
  valueAt,
  vectorAt,
  withValueAt,
} from './pointer.js';
import { removePart } from './remove.js';

/** A box of a stack, with the zone that it fills. */
export interface Layer {
  /** Empty: it is to be made. */
  readonly figureUuid: string;
  readonly name: string;
  readonly materialUuid: string;
  readonly thicknessCm: number;
}

/** Boxes of one size across z that lie on each other without a gap, each a zone of its own. */
export interface Stack {
  readonly layers: readonly Layer[];
  readonly widthCm: number;
  readonly heightCm: number;
  /** Of its axis. */
  readonly center: readonly [number, number];
  /** Where the first layer begins. */
  readonly startCm: number;
}

/** What the form calls a layer until its material is chosen. */
const UNNAMED = /^Layer(?:_\d+)?$/;
/** Lengths that differ by less are the same: files have rounded numbers, cm. */
const TOLERANCE_CM = 1e-6;
const isNear = (one: number, other: number): boolean => Math.abs(one - other) < TOLERANCE_CM;

interface Slab extends Layer {
  readonly lower: number;
  readonly upper: number;
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

/** Boxes that stand upright and are the whole of one zone. */
function slabsOf(project: JsonObject): Slab[] {
  const materials = new Map<string, string>();
  const shared = new Set<string>();
  for (const { value } of itemsAt(project, ZONES)) {
    const operations = listAt(value, '/unionOperations').flat();
    const [first] = operations;
    const uuid = textAt(first, '/objectUuid');
    if (operations.length === 1 && !materials.has(uuid)) materials.set(uuid, textAt(value, '/materialUuid'));
    else for (const operation of operations) shared.add(textAt(operation, '/objectUuid'));
  }
  return figuresOf(project).flatMap(({ value }): Slab[] => {
    const figureUuid = textAt(value, '/uuid');
    const materialUuid = materials.get(figureUuid);
    const isUpright = vectorAt(value, '/geometryData/rotation').every((angle) => angle === 0);
    if (shapeOf(value) !== 'box' || !isUpright || materialUuid === undefined || shared.has(figureUuid)) return [];
    const { lower, upper } = boundsOf(value);
    const [x, y] = vectorAt(value, '/geometryData/position');
    const thicknessCm = numberAt(value, '/geometryData/parameters/depth');
    const [width, height] = ['width', 'height'].map((size) => numberAt(value, `/geometryData/parameters/${size}`));
    if (!(thicknessCm > 0) || width === undefined || height === undefined) return [];
    const place = { lower: lower[2], upper: upper[2], width, height, x, y };
    return [{ figureUuid, name: textAt(value, '/name'), materialUuid, thicknessCm, ...place }];
  });
}

/** The longest stack of a project; `undefined` where no box is a layer. */
export function readStack(project: JsonObject): Stack | undefined {
  const slabs = slabsOf(project).toSorted((one, other) => one.lower - other.lower);
  const chains: Slab[][] = [];
  for (const slab of slabs) {
    const chain = chains.find((one) => {
      const last = one.at(-1);
      const sides = ['width', 'height', 'x', 'y'] as const;
      return (
        last !== undefined && isNear(last.upper, slab.lower) && sides.every((side) => isNear(last[side], slab[side]))
      );
    });
    if (chain === undefined) chains.push([slab]);
    else chain.push(slab);
  }
  const [longest] = chains.toSorted((one, other) => other.length - one.length);
  const first = longest?.[0];
  if (longest === undefined || first === undefined) return undefined;
  const layers = longest.map(({ figureUuid, name, materialUuid, thicknessCm }) => ({
    figureUuid,
    name,
    materialUuid,
    thicknessCm,
  }));
  return { layers, widthCm: first.width, heightCm: first.height, center: [first.x, first.y], startCm: first.lower };
}

export const lengthOf = ({ layers }: Stack): number =>
  roundCm(layers.reduce((sum, { thicknessCm }) => sum + thicknessCm, 0));

/**
 * The project with a stack as it shall be. Layers that are new get a figure and a zone, those that are missing lose theirs,
 * detectors over the whole length of the stack before are so afterwards, and the world has room for it.
 */
export function writeStack(project: JsonObject, stack: Stack): JsonObject {
  const before = readStack(project);
  const kept = new Set(stack.layers.map(({ figureUuid }) => figureUuid));
  let changed = (before?.layers ?? []).reduce((last, { figureUuid }) => {
    const figure = kept.has(figureUuid) ? undefined : figureAt(last, figureUuid);
    return figure === undefined ? last : removePart(last, figure).project;
  }, project);
  let start = stack.startCm;
  for (const layer of stack.layers) {
    const position: Vector = [stack.center[0], stack.center[1], roundCm(start + layer.thicknessCm / 2)];
    const sizes = { width: stack.widthCm, height: stack.heightCm, depth: layer.thicknessCm };
    changed = writeLayer(changed, layer, position, sizes);
    start = roundCm(start + layer.thicknessCm);
  }
  if (before !== undefined) changed = stretchDetectors(changed, before, stack);
  return recountMaterials(withRoom(changed));
}

const figureAt = (project: JsonObject, uuid: string): string | undefined =>
  figuresOf(project).find(({ value }) => value.uuid === uuid)?.pointer;

function writeLayer(project: JsonObject, layer: Layer, position: Vector, sizes: JsonObject): JsonObject {
  const pointer = layer.figureUuid === '' ? undefined : figureAt(project, layer.figureUuid);
  if (pointer === undefined) {
    const name = freeName(project, FIGURES, layer.name);
    const figure = newFigure(name, 'box', sizes, position, colorIn(project, layer.materialUuid));
    const zone = newZone(freeName(project, ZONES, layer.name), textAt(figure, '/uuid'), layer.materialUuid);
    return withValueAt(withValueAt(project, `${FIGURES}/-`, figure), `${ZONES}/-`, zone);
  }
  let changed = withNumbers(withName(project, layer, pointer), `${pointer}/geometryData/position`, position);
  for (const [size, cm] of Object.entries(sizes)) {
    changed = withNumber(changed, `${pointer}/geometryData/parameters/${size}`, cm);
  }
  const zone = itemsAt(changed, ZONES).find(
    ({ value }) => textAt(value, '/unionOperations/0/0/objectUuid') === layer.figureUuid,
  );
  if (zone === undefined || textAt(zone.value, '/materialUuid') === layer.materialUuid) return changed;
  const before = colorIn(project, textAt(zone.value, '/materialUuid'));
  // a colour that nobody chose is that of the material
  if (valueAt(changed, `${pointer}/colorHex`) === before)
    changed = withValueAt(changed, `${pointer}/colorHex`, colorIn(project, layer.materialUuid));
  const other = withValueAt(changed, `${zone.pointer}/materialUuid`, layer.materialUuid);
  return withValueAt(other, `${zone.pointer}/customMaterial`, undefined);
}

/** A layer that nobody has named goes by its material. */
function withName(project: JsonObject, layer: Layer, pointer: string): JsonObject {
  const before = textAt(project, `${pointer}/name`);
  if (before === layer.name || !UNNAMED.test(before)) return project;
  const zone = itemsAt(project, ZONES).find(
    ({ value }) => textAt(value, '/unionOperations/0/0/objectUuid') === layer.figureUuid,
  );
  const named = withValueAt(project, `${pointer}/name`, freeName(project, FIGURES, layer.name));
  if (zone === undefined || !UNNAMED.test(textAt(zone.value, '/name'))) return named;
  return withValueAt(named, `${zone.pointer}/name`, freeName(project, ZONES, layer.name));
}

const colorIn = (project: JsonObject, materialUuid: string): number =>
  colorOf(
    numberAt(itemsAt(project, MATERIALS).find(({ value }) => value.uuid === materialUuid)?.value, '/icru', WATER),
  );

const withNumber = (project: JsonObject, pointer: string, value: unknown): JsonObject =>
  valueAt(project, pointer) === value ? project : withValueAt(project, pointer, value);

const withNumbers = (project: JsonObject, pointer: string, values: Vector): JsonObject =>
  values.reduce<JsonObject>((changed, value, i) => withNumber(changed, `${pointer}/${i}`, value), project);

/** Detectors that went from the beginning of the stack to its end go so again, with bins of about the same size. */
function stretchDetectors(project: JsonObject, before: Stack, after: Stack): JsonObject {
  const [oldLength, newLength] = [lengthOf(before), lengthOf(after)];
  const oldCenter = before.startCm + oldLength / 2;
  if (isNear(oldLength, newLength) && isNear(before.startCm, after.startCm)) return project;
  return itemsAt(project, DETECTORS).reduce((changed, { pointer, value }) => {
    const depth = numberAt(value, '/geometryData/parameters/depth');
    const center = numberAt(value, '/geometryData/position/2');
    if (!isNear(depth, oldLength) || !isNear(center, oldCenter)) return changed;
    const bins = numberAt(value, '/geometryData/parameters/zSegments', 1);
    const binsAfter = bins > 1 ? Math.max(2, Math.round((bins * newLength) / oldLength)) : bins;
    const at = `${pointer}/geometryData`;
    const moved = withValueAt(changed, `${at}/position/2`, roundCm(after.startCm + newLength / 2));
    const sized = withValueAt(moved, `${at}/parameters/depth`, newLength);
    return binsAfter === bins ? sized : withValueAt(sized, `${at}/parameters/zSegments`, binsAfter);
  }, project);
}
