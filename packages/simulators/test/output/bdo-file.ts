import { BinaryWriter } from './binary-writer.js';

export interface BdoPage {
  readonly type: number;
  readonly number: number;
  readonly normalisation: number;
  readonly unit?: string;
  readonly units?: readonly number[];
  readonly differential?: readonly { type: number; lower: number; upper: number; bins: number; isLog: boolean }[];
  readonly data: readonly number[];
}

export interface BdoFile {
  readonly primaries: number;
  readonly geometry: string;
  readonly start: readonly number[];
  readonly stop: readonly number[];
  readonly bins: readonly number[];
  readonly pageCount?: number;
  readonly format?: number;
  readonly pages: readonly BdoPage[];
}

/** A BDO2019 file from the table of its items. */
export function buildBdo(file: BdoFile): Buffer {
  const writer = new BinaryWriter().text('xSH12A', 6).text('II', 2).text('1.1', 16);
  text(writer, 0x0000, '1.0.0');
  text(writer, 0x0003, 'j\u00f6rg');
  integers(writer, 0x0005, [file.format ?? 2]);
  integers(writer, 0xaa00, [file.primaries]);
  integers(writer, 0xaa01, [12]);
  integers(writer, 0xbeef, [1, 2, 3]); // unknown: skipped
  text(writer, 0xe000, file.geometry);
  text(writer, 0xe001, 'MyMesh');
  reals(writer, 0xe002, file.start);
  reals(writer, 0xe003, file.stop);
  integers(writer, 0xe004, file.bins);
  integers(writer, 0xee02, [file.pageCount ?? file.pages.length]);
  for (const page of file.pages) writePage(writer, page);
  return writer.bytes();
}

function writePage(writer: BinaryWriter, page: BdoPage): void {
  integers(writer, 0xdd30, [page.type]);
  integers(writer, 0xdd31, [page.number]);
  integers(writer, 0xdd32, [page.normalisation]);
  integers(writer, 0xdd37, page.units ?? [0, 0, 0]);
  if (page.unit !== undefined) text(writer, 0xddbc, page.unit);
  const axes = page.differential ?? [];
  if (axes.length > 0) {
    integers(
      writer,
      0xddd0,
      axes.map(({ isLog }) => (isLog ? -1 : 1)),
    );
    integers(
      writer,
      0xddd1,
      axes.map(({ type }) => type),
    );
    reals(
      writer,
      0xddd2,
      axes.map(({ lower }) => lower),
    );
    reals(
      writer,
      0xddd3,
      axes.map(({ upper }) => upper),
    );
    integers(
      writer,
      0xddd4,
      axes.map(({ bins }) => bins),
    );
  }
  reals(writer, 0xddbb, page.data);
}

function text(writer: BinaryWriter, tag: number, value: string): void {
  const size = 8 * Math.ceil((value.length + 1) / 8);
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
