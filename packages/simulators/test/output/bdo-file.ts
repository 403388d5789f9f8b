import { BinaryWriter } from './binary-writer.js';

export interface BdoAxis {
  readonly type: number;
  readonly unit: string;
  readonly lower: number;
  readonly upper: number;
  readonly bins: number;
  readonly isLog: boolean;
}

export interface BdoPage {
  readonly type: number;
  readonly number: number;
  readonly normalisation?: number;
  /** Of the data alone. */
  readonly unit?: string;
  /** Number of that unit. */
  readonly unitId?: number;
  readonly differential?: readonly BdoAxis[];
  readonly filter?: string;
  readonly data: readonly number[];
}

export interface BdoFile {
  readonly primaries: number;
  readonly geometry: string;
  readonly start: readonly number[];
  readonly stop: readonly number[];
  readonly bins: readonly number[];
  readonly axisUnits?: string;
  readonly grid?: readonly number[];
  readonly zones?: readonly number[];
  readonly pageCount?: number;
  readonly rescale?: number;
  readonly pages: readonly BdoPage[];
}

/** A BDO2019 file in the layout of those that version 1.1 of the simulator writes. */
export function buildBdo(file: BdoFile): Buffer {
  const writer = new BinaryWriter().text('xSH12A', 6).text('II', 2).text('1.1', 16);
  text(writer, 0x0000, 'v1.1.1');
  integers(writer, 0x0005, [2]);
  text(writer, 0x0003, 'jörg');
  integers(writer, 0xaa00, [file.primaries]);
  integers(writer, 0xaa01, [12]);
  integers(writer, 0xbeef, [1, 2, 3]); // unknown: skipped
  writer.u64(0xbeef).text('<i4', 8).u64(3).i32(1, 2, 3); // the same of another size
  text(writer, 0xe000, file.geometry);
  text(writer, 0xe001, 'MyMesh');
  reals(writer, 0xe002, file.start);
  reals(writer, 0xe003, file.stop);
  integers(writer, 0xe004, file.bins);
  if (file.zones !== undefined) integers(writer, 0xe007, file.zones);
  if (file.grid !== undefined) reals(writer, 0xe008, file.grid);
  integers(writer, 0xe00a, [10, 10, 10]);
  text(writer, 0xe009, file.axisUnits ?? (file.geometry === 'CYL' ? 'cm;cm' : 'cm;cm;cm'));
  reals(writer, 0xe006, [1]);
  text(writer, 0xee00, 'mine.bdo');
  reals(writer, 0xee03, [file.rescale ?? 1]);
  integers(writer, 0xee02, [file.pageCount ?? file.pages.length]);
  for (const page of file.pages) writePage(writer, page);
  return writer.bytes();
}

function writePage(writer: BinaryWriter, page: BdoPage): void {
  const { unit = '', unitId = 0, differential = [] } = page;
  text(writer, 0xffcd, '***    NEW PAGE    ***');
  integers(writer, 0xdd30, [page.type]);
  integers(writer, 0xdd31, [page.number]);
  if (page.normalisation !== undefined) integers(writer, 0xdd32, [page.normalisation]);
  reals(writer, 0xdd33, [1]);
  reals(writer, 0xdd34, [0]);
  if (differential.length > 0) writeAxes(writer, differential);
  integers(writer, 0xdd37, [unitId, unitId, unitId]);
  text(writer, 0xddbc, [unit, ...differential.map((axis) => axis.unit)].filter((one) => one !== '').join('/'));
  text(writer, 0xddd5, [unit, ...differential.map((axis) => axis.unit)].join(';'));
  if (page.filter !== undefined) text(writer, 0xddf0, page.filter);
  reals(writer, 0xddbb, page.data);
}

/** Two entries always, of which the second may mean nothing; both have the scale and the type of the first. */
function writeAxes(writer: BinaryWriter, [first, second]: readonly BdoAxis[]): void {
  const flag = first?.isLog === true ? -1 : 1;
  integers(writer, 0xddd0, [flag, second === undefined ? flag : second.isLog ? -1 : 1]);
  integers(writer, 0xddd1, [first?.type ?? 0, first?.type ?? 0]);
  reals(writer, 0xddd2, [first?.lower ?? 0, second?.lower ?? 0]);
  reals(writer, 0xddd3, [first?.upper ?? 0, second?.upper ?? 0]);
  integers(writer, 0xddd4, [first?.bins ?? 1, second?.bins ?? 1]);
}

/** The one detector of a file of the formats without pages. */
export interface OldBdoFile {
  readonly primaries: number;
  readonly geometry: string;
  readonly start: readonly number[];
  readonly stop: readonly number[];
  readonly bins: readonly number[];
  readonly type: number;
  /** -1: all. */
  readonly particle?: number;
  readonly zone?: number;
  readonly differential?: {
    readonly type: number;
    readonly lower: number;
    readonly upper: number;
    readonly bins: number;
  };
  readonly data: readonly number[];
}

/** A BDO2016 file: items without pages. */
export function buildBdo2016(file: OldBdoFile): Buffer {
  const { differential = { type: 0, lower: 0, upper: 0, bins: 1 } } = file;
  const writer = new BinaryWriter().text('xSH12A', 6).text('II', 2).text('0.6', 16);
  text(writer, 0x0000, 'v0.6.0');
  integers(writer, 0xaa00, [file.primaries]);
  text(writer, 0xdd00, file.geometry);
  integers(writer, 0xdd01, file.bins);
  integers(writer, 0xdd02, [file.particle ?? -1]);
  integers(writer, 0xdd03, [file.type]);
  integers(writer, 0xdd07, [differential.bins]);
  integers(writer, 0xdd08, [differential.type]);
  integers(writer, 0xdd09, [file.zone ?? 1]);
  reals(writer, 0xdd0c, file.start);
  reals(writer, 0xdd0d, file.stop);
  reals(writer, 0xdd0e, [differential.lower]);
  reals(writer, 0xdd0f, [differential.upper]);
  reals(writer, 0xddbb, file.data);
  return writer.bytes();
}

/** A file of the format of 2010: Fortran records. */
export function buildBin2010(file: OldBdoFile): Buffer {
  const { differential = { type: 0, lower: 0, upper: 0, bins: 1 } } = file;
  return new BinaryWriter()
    .record((record) => record.text(file.geometry, 10, ' '))
    .record((record) => record.i32(file.primaries))
    .record((record) => record.f64(...file.start, ...file.stop, differential.lower, differential.upper))
    .record((record) => {
      record.i32(...file.bins, file.particle ?? -1, file.type, 0, 0, 0);
      record.i32(differential.bins, differential.type, file.zone ?? 0);
    })
    .record((record) => record.f64(...file.data))
    .bytes();
}

function text(writer: BinaryWriter, tag: number, value: string): void {
  const size = 8 * Math.ceil((Buffer.byteLength(value) + 1) / 8);
  writer.u64(tag).text(`S${size}`, 8).u64(1).text(value, size);
}

function integers(writer: BinaryWriter, tag: number, values: readonly number[]): void {
  writer
    .u64(tag)
    .text('<i8', 8)
    .u64(values.length)
    .i64(...values);
}

function reals(writer: BinaryWriter, tag: number, values: readonly number[]): void {
  writer
    .u64(tag)
    .text('<f8', 8)
    .u64(values.length)
    .f64(...values);
}
