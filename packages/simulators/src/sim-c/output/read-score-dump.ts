import type { SourceAxis } from '../../driver.js';
import { type NativePage, PAGES_MAX, reverseOrder } from '../../output/native-page.js';
import type { TextReader } from '../../output/text-reader.js';
import { type Cells, readRows, readSequence } from './read-score-cells.js';
import type { ScoreMeshes } from './read-score-meshes.js';
import type { ScoreFile, ScoreFileContext } from './score-context.js';

const MESH_LINE = /^# mesh name: (.+)$/;
const SCORER_LINE = /^# primitive scorer name: (.+)$/;
/** Values have been multiplied when they are written; it stands before the scorers or in each. */
const FACTOR_LINE = /^# multiplied factor : /;
const COLUMNS_LINE = /^# i(\w*), i(\w*), i(\w*), total\(value\)(?: \[(.*?)\])?, total\(val\^2\), entry$/;
/** Before Geant4 10.3, which has values alone and does not name its columns. */
const UNIT_LINE = /^# unit:(?: \[(.*?)\]| none)?$/;
/** Of the option `sequence`: numbers of cells. */
const SIZES_LINE = /^\d{1,9} \d{1,9} \d{1,9}$/;

/** Axes by their columns. Cylinders are written as Z, PHI, R; copies of a volume have axes without names. */
const AXES: ReadonlyMap<string, readonly string[]> = new Map([
  ['X,Y,Z', ['x', 'y', 'z']],
  ['Z,PHI,R', ['z', 'phi', 'r']],
  [',,', ['copy', 'copy2', 'copy3']],
]);
const UNITS: ReadonlyMap<string, string> = new Map([
  ['percm2', '/cm^2'],
  ['permm2', '/mm2'],
  ['perm2', '/m2'],
]);

/** What a dump is read with besides. */
export interface ScoreDumpContext extends ScoreFileContext {
  readonly meshes: ScoreMeshes;
}

/** Whether a text is such a dump: others may have the same ending. */
export function isScoreDump(firstLine: string | undefined): boolean {
  return firstLine !== undefined && MESH_LINE.test(firstLine);
}

/**
 * Reads a dump of a scoring mesh: one block a quantity, of rows with the indices of a cell, or of cells in a sequence;
 * each with sum of values, sum of squares of the values of histories, and entries, before Geant4 10.3 with the sum alone.
 * All cells are there, the last index fastest. The file has no positions: axes count bins, unless the mesh is known.
 * @throws OutputError `UNREADABLE`
 */
export function readScoreDump(reader: TextReader, { file, meshes }: ScoreDumpContext): ScoreFile {
  const [, mesh] = MESH_LINE.exec(reader.next() ?? '') ?? [];
  if (mesh === undefined) return reader.fail('is not the first line of a score dump');
  const known = meshes.get(mesh.trim());
  const blocks: Block[] = [];
  let line = nextBut(reader, FACTOR_LINE);
  while (line !== undefined) {
    const [, item] = SCORER_LINE.exec(line) ?? [];
    if (item === undefined) return reader.fail('is not the name of a scorer');
    const { rest, ...block } = readBlock(reader, file, item);
    blocks.push({ ...block, page: placeCells(block.page, known) });
    if (blocks.length > PAGES_MAX) reader.fail(`is beyond ${PAGES_MAX} scorers`);
    line = rest ?? reader.next();
  }
  if (blocks.length === 0) return reader.fail('is the last line, and no scorer follows');
  return { pages: blocks.map(({ page }) => page), hasSquares: blocks.every(({ hasSquares }) => hasSquares) };
}

/** The next line that is not such a one. */
function nextBut(reader: TextReader, skipped: RegExp): string | undefined {
  const line = reader.next();
  return line !== undefined && skipped.test(line) ? reader.next() : line;
}

/** The page on the axes of the mesh, if those are its bins. */
function placeCells(page: NativePage, axes: readonly SourceAxis[] | undefined): NativePage {
  const isUnnamed = page.axes.every(({ name }) => name === '') && axes?.[0]?.name === 'x';
  const isSame = axes?.every(
    ({ name, bins }, at) => (isUnnamed || name === page.axes[at]?.name) && bins === page.axes[at]?.bins,
  );
  return axes === undefined || isSame !== true ? page : { ...page, axes };
}

interface Block {
  readonly page: NativePage;
  readonly hasSquares: boolean;
}

/** `rest`: the line of the next block, where it follows the last cell without a line break. */
function readBlock(reader: TextReader, file: string, item: string): Block & { readonly rest?: string } {
  const { names, unit, hasSquares } = readColumns(reader);
  const isSequence = SIZES_LINE.test(reader.peek() ?? '');
  const { sizes, sums, squares, rest } = isSequence ? readSequence(reader, hasSquares) : readRows(reader, hasSquares);
  const isCylinder = names.join() === 'z,phi,r';
  const order = (numbers: Cells['sums']): Cells['sums'] =>
    // written with R fastest, as we want it; boxes have z fastest
    isCylinder ? numbers : reverseOrder(numbers, sizes);
  const axes = names.map((name, axis) => countAxis(name, sizes[axis] ?? 1));
  const page: NativePage = {
    file,
    item,
    title: item,
    kind: 'linear',
    unit,
    namesAxes: false,
    isPerPrimary: true,
    axes: isCylinder ? axes.toReversed() : axes,
    differentialAxes: 0,
    isIntegrated: false,
    moments: [order(sums), order(squares)],
  };
  return { page, hasSquares, ...(rest === undefined ? {} : { rest }) };
}

interface Columns {
  readonly names: readonly string[];
  readonly unit: string;
  readonly hasSquares: boolean;
}

function readColumns(reader: TextReader): Columns {
  const line = nextBut(reader, FACTOR_LINE) ?? '';
  const [isNamed, first = '', second = '', third = '', unit] = COLUMNS_LINE.exec(line) ?? [];
  if (isNamed !== undefined) {
    const names =
      AXES.get([first, second, third].join(',')) ?? [first, second, third].map((name) => name.toLowerCase());
    return { names, unit: nameUnit(unit), hasSquares: true };
  }
  const [isOld, oldUnit] = UNIT_LINE.exec(line) ?? [];
  if (isOld === undefined) return reader.fail('does not name the columns of a dump');
  return { names: ['', '', ''], unit: nameUnit(oldUnit), hasSquares: false };
}

/** Positions of cells, counted: the dump has no others. */
function countAxis(name: string, bins: number): SourceAxis {
  return { name, unit: 'bin', lower: 0.5, upper: bins + 0.5, bins, isLog: false };
}

function nameUnit(unit = ''): string {
  return UNITS.get(unit) ?? (unit || '1');
}
