import type { FigureShape, Vector } from '@tally/engine';
import { rotationAngles } from '../../deck/geometry/rotation.js';
import { createUniqueNames } from '../../deck/unique-names.js';
import { type ConvertedMaterials, VACUUM } from './convert-materials.js';
import { formatNumber } from './format-number.js';
import { type Frame, type SolidExpression, transpose, type VolumeTree } from './volume-tree.js';
import { formatXml, type XmlElement, xml } from './xml-text.js';

const SCHEMA = 'http://cern.ch/service-spi/app/releases/GDML/schema/gdml.xsd';
const MM_PER_CM = 10;
/** Angles below this are rounding, degrees. */
const NO_ANGLE_DEG = 1e-12;
const NAME_LENGTH_MAX = 60;

type Kind = 'solid' | 'logic' | 'phys';

/** A geometry file, and the names of the volumes of its zones by which they can be scored. */
export interface WrittenGdml {
  readonly text: string;
  readonly volumeNames: ReadonlyMap<number, string>;
}

/**
 * The tree of volumes as GDML, children before their parents: solids with full lengths in mm, `union`, `intersection` and
 * `subtraction`, volumes, and their placements. A placement's rotation is the inverse one, that of a boolean solid is not
 * (Geant4 11.2, G4GDMLReadStructure and G4GDMLReadSolids). A zone's copy has the number 0: scores are found by it.
 */
export function writeGdml(world: VolumeTree, materials: ConvertedMaterials): WrittenGdml {
  const solids: XmlElement[] = [];
  const volumes: XmlElement[] = [];
  const volumeNames = new Map<number, string>();
  const claimName = createNamer();
  /** A figure is written once, however many terms it is part of. */
  const figureNames = new Map<SolidExpression, string>();

  const writeFigure = (figure: Extract<SolidExpression, { type: 'figure' }>): string => {
    const claimed = claimName('solid', figure.name);
    solids.push(writeShape(claimed, figure.shape));
    figureNames.set(figure, claimed);
    return claimed;
  };
  const writeSolid = (solid: SolidExpression, name: string): string => {
    if (solid.type === 'figure') return figureNames.get(solid) ?? writeFigure(solid);
    const [first, second] = [writeSolid(solid.first, name), writeSolid(solid.second, name)];
    const claimed = claimName('solid', name);
    const children = [
      xml('first', { ref: first }),
      xml('second', { ref: second }),
      ...writeTransform('first', frameOf(solid.first), claimed),
      ...writeTransform('', frameOf(solid.second), claimed),
    ];
    solids.push(xml(solid.type, { name: claimed }, children));
    return claimed;
  };
  const writeVolume = (volume: VolumeTree): string => {
    const daughters = volume.daughters.map((daughter) => writePlacement(daughter, writeVolume(daughter)));
    const solid = writeSolid(volume.solid, volume.name);
    const name = claimName('logic', volume.name);
    const material = volume.material === undefined ? VACUUM : (materials.names[volume.material] ?? VACUUM);
    const references = [xml('materialref', { ref: material }), xml('solidref', { ref: solid })];
    volumes.push(xml('volume', { name }, [...references, ...daughters]));
    if (volume.zone !== undefined) volumeNames.set(volume.zone, name);
    return name;
  };
  const writePlacement = (volume: VolumeTree, logic: string): XmlElement => {
    const name = claimName('phys', volume.name);
    const frame = frameOf(volume.solid);
    const passive = frame && { origin: frame.origin, rotation: transpose(frame.rotation) };
    const children = [xml('volumeref', { ref: logic }), ...writeTransform('', passive, name)];
    return xml('physvol', { copynumber: volume.zone === undefined ? '1' : '0', name }, children);
  };

  const worldName = writeVolume(world);
  const root = xml(
    'gdml',
    { 'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance', 'xsi:noNamespaceSchemaLocation': SCHEMA },
    [
      xml('define'),
      xml('materials', {}, materials.elements),
      xml('solids', {}, solids),
      xml('structure', {}, volumes),
      xml('setup', { name: 'Default', version: '1.0' }, [xml('world', { ref: worldName })]),
    ],
  );
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>';
  return { text: `${[head, ...formatXml(root)].join('\n')}\n`, volumeNames };
}

/** `kind` and the name in PascalCase, made unique by 2, 3 … within its kind. */
function createNamer(): (kind: Kind, name: string) => string {
  const names = createUniqueNames();
  return (kind, name) => {
    const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('');
    const wanted = kind + pascal.slice(0, NAME_LENGTH_MAX);
    return names.claim(wanted, (number) => `${wanted}${number}`);
  };
}

function frameOf(solid: SolidExpression): Frame | undefined {
  return solid.type === 'figure' ? solid.frame : undefined;
}

function writeShape(name: string, shape: FigureShape): XmlElement {
  const turn = { startphi: '0', deltaphi: '360', aunit: 'deg' };
  switch (shape.type) {
    case 'box': {
      const [x, y, z] = shape.sizeCm;
      return xml('box', { name, x: millimetres(x), y: millimetres(y), z: millimetres(z), lunit: 'mm' });
    }
    case 'cylinder': {
      const radii = { rmin: millimetres(shape.innerRadiusCm), rmax: millimetres(shape.radiusCm) };
      return xml('tube', { name, ...radii, z: millimetres(shape.depthCm), ...turn, lunit: 'mm' });
    }
    case 'sphere': {
      const polar = { starttheta: '0', deltatheta: '180' };
      const { startphi, deltaphi, aunit } = turn;
      return xml('sphere', {
        name,
        rmin: '0',
        rmax: millimetres(shape.radiusCm),
        startphi,
        deltaphi,
        ...polar,
        aunit,
        lunit: 'mm',
      });
    }
  }
}

function writeTransform(prefix: '' | 'first', frame: Frame | undefined, owner: string): XmlElement[] {
  if (frame === undefined) return [];
  const angles = rotationAngles(frame.rotation);
  const label = prefix === '' ? '' : '_first';
  const isMoved = frame.origin.some((coordinate) => coordinate !== 0);
  const isTurned = angles.some((angle) => Math.abs(angle) > NO_ANGLE_DEG);
  return [
    ...(isMoved ? [vector(`${prefix}position`, `${owner}${label}_pos`, 'mm', frame.origin.map(millimetres))] : []),
    ...(isTurned ? [vector(`${prefix}rotation`, `${owner}${label}_rot`, 'deg', angles.map(degrees))] : []),
  ];
}

function vector(tag: string, name: string, unit: string, [x = '0', y = '0', z = '0']: readonly string[]): XmlElement {
  return xml(tag, { name, unit, x, y, z });
}

function millimetres(centimetres: Vector[number]): string {
  return formatNumber(centimetres * MM_PER_CM);
}

function degrees(angle: number): string {
  return formatNumber(Math.abs(angle) > NO_ANGLE_DEG ? angle : 0);
}
