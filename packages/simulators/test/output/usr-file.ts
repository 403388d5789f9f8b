import type { BinaryWriter } from './binary-writer.js';

export interface Grid {
  readonly low: number;
  readonly high: number;
  readonly bins: number;
}

/** First record: title, date, weight, and the counts of the 128-byte layout. */
export function writeUsrHead(writer: BinaryWriter, cases: number): BinaryWriter {
  return writer.record((head) =>
    head
      .text('a title', 80, ' ')
      .text('DATE: 11/21/26', 32, ' ')
      .f32(cases)
      .i32(cases % 1e9, Math.floor(cases / 1e9), 1),
  );
}

/** Of older versions, which count less or nothing. */
export function writeOldHead(writer: BinaryWriter, ...counts: readonly number[]): BinaryWriter {
  return writer.record((head) =>
    head
      .text('a title', 80, ' ')
      .text('DATE: 11/21/26', 32, ' ')
      .f32(20)
      .i32(...counts),
  );
}

export function writeUsrbin(
  writer: BinaryWriter,
  detector: { name: string; type: number; quantity: number; grids: readonly Grid[]; data: readonly number[] },
): BinaryWriter {
  return writer
    .record((head) => {
      head.i32(1).text(detector.name, 10, ' ').i32(detector.type, detector.quantity);
      for (const { low, high, bins } of detector.grids)
        head
          .f32(low, high)
          .i32(bins)
          .f32((high - low) / bins);
      head.i32(0).f32(0, 0, 1e30);
    })
    .record((data) => data.f32(...detector.data));
}

export function writeUsrtrack(
  writer: BinaryWriter,
  detector: {
    name: string;
    type: number;
    volume: number;
    particle?: number;
    groups?: readonly number[];
    grid: Grid;
    data: readonly number[];
  },
): BinaryWriter {
  const { low, high, bins } = detector.grid;
  writer.record((head) =>
    head
      .i32(1)
      .text(detector.name, 10, ' ')
      .i32(detector.type, detector.particle ?? 201, 3)
      .f32(detector.volume)
      .i32(detector.groups === undefined ? 0 : 1)
      .f32(low, high)
      .i32(bins)
      .f32((high - low) / bins),
  );
  return writeGroups(writer, detector.groups).record((data) => data.f32(...detector.data));
}

/** Upper energies of the groups in GeV from the highest on, and the lower one of the last. */
function writeGroups(writer: BinaryWriter, groups: readonly number[] | undefined): BinaryWriter {
  return groups === undefined ? writer : writer.record((record) => record.i32(groups.length - 1).f32(...groups));
}

export function writeUsrbdx(
  writer: BinaryWriter,
  detector: {
    name: string;
    type: number;
    particle?: number;
    isCurrent?: boolean;
    groups?: readonly number[];
    energy: Grid;
    angle: Grid;
    data: readonly number[];
  },
): BinaryWriter {
  const { energy, angle } = detector;
  writer.record((head) =>
    head
      .i32(1)
      .text(detector.name, 10, ' ')
      .i32(detector.type, detector.particle ?? 8, 2, 3)
      .f32(1)
      .i32(0, detector.isCurrent === true ? 0 : 1, detector.groups === undefined ? 0 : 1)
      .f32(energy.low, energy.high)
      .i32(energy.bins)
      .f32(0)
      .f32(angle.low, angle.high)
      .i32(angle.bins)
      .f32(0),
  );
  return writeGroups(writer, detector.groups).record((data) => data.f32(...detector.data));
}

/** What stands once before all yields: projectile, target and momenta. */
export function writeYieldsHead(writer: BinaryWriter): BinaryWriter {
  return writer.record((head) => head.i32(1, -2).f32(0.5, 1, 0, 0, 1));
}

export function writeUsryield(
  writer: BinaryWriter,
  detector: { name: string; variables: number; grid: Grid; data: readonly number[] },
): BinaryWriter {
  const { low, high, bins } = detector.grid;
  return writer
    .record((head) =>
      head
        .i32(1)
        .text(detector.name, 10, ' ')
        .i32(detector.variables, 3, 8, 2, 3)
        .f32(1, 1)
        .i32(0)
        .f32(low, high)
        .i32(bins)
        .f32((high - low) / bins, 0, 6),
    )
    .record((data) => data.f32(...detector.data));
}

export interface Nuclei {
  readonly name: string;
  readonly volume: number;
  readonly charges: number;
  readonly excesses: number;
  readonly lowest: number;
  /** Seconds after the irradiation. */
  readonly after?: number;
  readonly data: readonly number[];
}

export function writeResnuclei(writer: BinaryWriter, nuclei: Nuclei): BinaryWriter {
  writer.record((head) =>
    head
      .i32(1)
      .text(nuclei.name, 10, ' ')
      .i32(3, 2)
      .f32(nuclei.volume)
      .i32(nuclei.excesses, nuclei.charges, nuclei.lowest),
  );
  const { after } = nuclei;
  if (after !== undefined) writer.record((time) => time.f32(after));
  return writer.record((data) => data.f32(...nuclei.data));
}
