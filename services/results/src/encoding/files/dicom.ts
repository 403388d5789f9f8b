import { CHOSEN_UNITS, inUnit, isPerPrimary } from '@tally/merge';
import type { NumberAxis, NumberPage } from '../../domain/page/number-page.js';
import { type NumberResults, uniqueIdOf, unsuitable } from '../../domain/result/export-results.js';

/** Millimetres of the units of length. */
const LENGTHS: Readonly<Record<string, number>> = { mm: 1, cm: 10, m: 1000, um: 0.001, µm: 0.001 };
const STORED_MAX = 2 ** 32 - 1;
/** Distances between bins that differ by no more than this are the same. */
const SPACING_TOLERANCE = 1e-6;

/**
 * DICOM RT Dose (PS3.3 A.18.3) of one page with the axes X, Y and Z, in this order: frames along Z, rows along Y, columns along
 * X. Doses are whole numbers of 32 bits times DoseGridScaling, so each is right to 2⁻³² of the largest. Errors have no place in
 * it. DoseComment says whether it is the dose of one primary, of `particles` of them, or of all.
 *
 * DoseSummationType is PLAN_OVERVIEW: the one term of PS3.3 C.8.8.3 that asks for no RT Plan or treatment record, neither of which exists; the
 * overview that it wants instead (Plan Overview Sequence) leaves empty what only a treatment has.
 *
 * Its UIDs are made of what it holds: the same page is the same object, and jobs of a user with one geometry are in one study and one frame of
 * reference, so that viewers show their doses over each other.
 */
export async function* writeDicom({
  header,
  pages,
  particles,
  geometryKey,
}: NumberResults): AsyncGenerator<Uint8Array> {
  const [page] = pages;
  if (page === undefined) throw new RangeError('DICOM is written of one page');
  if (page.effectiveHistories !== undefined)
    throw unsuitable(page, 'DICOM has no place for effective numbers of histories');
  const grid = await readGrid(page);
  const dose = doseOf(page, particles);
  const largest = await largestOf(page);
  const scaling = decimalString(largest === 0 ? 1 : (largest * dose) / STORED_MAX, 'up');
  const pixelBytes = 4 * grid.columns * grid.rows * grid.frames;
  yield await headOf({ header, page, grid, scaling, particles, geometryKey: await geometryKey() });
  const element = Buffer.alloc(12); // (7FE0,0010) OW, explicit little-endian
  element.writeUInt16LE(0x7fe0, 0);
  element.writeUInt16LE(0x0010, 2);
  element.write('OW', 4, 'latin1');
  element.writeUInt32LE(pixelBytes, 8);
  yield element;
  const factor = dose / Number(scaling);
  for await (const values of page.values()) {
    const stored = Buffer.allocUnsafe(4 * values.length);
    for (let index = 0; index < values.length; index += 1) {
      stored.writeUInt32LE(Math.min(STORED_MAX, Math.round((values[index] ?? 0) * factor)), 4 * index);
    }
    yield stored;
  }
}

/** Gy of a value of the page, of so many particles. @throws ServiceError FORMAT_UNSUITABLE */
function doseOf(page: NumberPage, particles: number | undefined): number {
  const gray = inUnit(page.unit, 'Gy');
  if (gray === undefined) {
    const known = CHOSEN_UNITS.filter((unit) => inUnit(unit, 'Gy') !== undefined).join(', ');
    throw unsuitable(page, `"${page.unit}" is no unit of dose; known are ${known}, with or without /prim`);
  }
  if (particles !== undefined && !isPerPrimary(page.unit))
    throw unsuitable(page, `its dose is not per primary ("${page.unit}"), so that it cannot be scaled`);
  return gray.factor * (particles ?? 1);
}

/** What of the primaries the dose is. */
function commentOf({ pageName, unit }: NumberPage, particles: number | undefined): string {
  if (!isPerPrimary(unit)) return pageName;
  const whose = particles === undefined ? 'per primary' : `of ${particles} primaries`;
  return `${pageName.slice(0, DESCRIPTION_CHARACTERS_MAX - whose.length - 2)}, ${whose}`;
}

const DESCRIPTION_CHARACTERS_MAX = 64;
const PATIENT_ID_CHARACTERS = 16;

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly frames: number;
  /** Centre of the first bin, mm. */
  readonly origin: readonly number[];
  /** Between rows, then between columns, mm. */
  readonly spacing: readonly number[];
  /** Of each frame from the first one, mm. */
  readonly offsets: readonly number[];
}

/** @throws ServiceError FORMAT_UNSUITABLE */
async function readGrid(page: NumberPage): Promise<Grid> {
  const [x, y, z] = page.axes;
  if (x === undefined || y === undefined || z === undefined || page.axes.length !== 3) {
    throw unsuitable(page, `DICOM takes a page of 3 axes, and this one has ${page.axes.length}`);
  }
  const millimetres = (axis: NumberAxis, name: string) => {
    const length = LENGTHS[axis.unit];
    if (axis.name.toUpperCase().startsWith(name) && length !== undefined) return length;
    throw unsuitable(
      page,
      `DICOM takes the axes X, Y and Z in a length, and this one is "${axis.name}" in "${axis.unit}"`,
    );
  };
  const units = [millimetres(x, 'X'), millimetres(y, 'Y'), millimetres(z, 'Z')];
  const centers: Float64Array[] = [];
  for (const [axis, unit] of units.entries()) centers.push((await page.centers(axis)).map((center) => center * unit));
  const [xs = NONE, ys = NONE, zs = NONE] = centers;
  return {
    columns: xs.length,
    rows: ys.length,
    frames: zs.length,
    origin: [xs, ys, zs].map((all) => all[0] ?? 0),
    spacing: [spacingOf(page, ys, 'Y'), spacingOf(page, xs, 'X')],
    offsets: Array.from(zs, (center) => center - (zs[0] ?? 0)),
  };
}

const NONE = new Float64Array(0);

/** Distance of the bins; of one bin alone 1 mm, since its width is not known. @throws ServiceError FORMAT_UNSUITABLE */
function spacingOf(page: NumberPage, centers: Float64Array, name: string): number {
  if (centers.length < 2) return 1;
  const spacing = ((centers.at(-1) ?? 0) - (centers[0] ?? 0)) / (centers.length - 1);
  const isRegular = centers.every(
    (center, index) => Math.abs(center - (centers[0] ?? 0) - index * spacing) <= SPACING_TOLERANCE * spacing,
  );
  if (isRegular) return spacing;
  throw unsuitable(page, `DICOM takes bins of one size along ${name}`);
}

/** @throws ServiceError FORMAT_UNSUITABLE when a dose is negative */
async function largestOf(page: NumberPage): Promise<number> {
  let largest = 0;
  for await (const values of page.values()) {
    for (const value of values) {
      if (value < 0) throw unsuitable(page, 'DICOM takes no negative dose');
      if (value > largest) largest = value;
    }
  }
  return largest;
}

/** Decimal string of DICOM: 16 characters at most (PS3.5 6.2); `up`: not less than the number. */
function decimalString(number: number, rounding: 'nearest' | 'up' = 'nearest'): string {
  for (let digits = 15; digits > 0; digits -= 1) {
    const nearest = Number(number.toPrecision(digits));
    const text = String(rounding === 'up' && nearest < number ? nextUp(nearest, digits) : nearest);
    if (text.length <= 16) return text;
  }
  return '0';
}

/** The next number of so many digits. */
function nextUp(number: number, digits: number): number {
  const exponent = Math.floor(Math.log10(number));
  return Number((number + 10 ** (exponent - digits + 1)).toPrecision(digits));
}

const RT_DOSE_STORAGE = '1.2.840.10008.5.1.4.1.1.481.2';
const EXPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2.1';

interface Described extends Pick<NumberResults, 'header' | 'particles'> {
  readonly geometryKey: string;
  readonly page: NumberPage;
  readonly grid: Grid;
  readonly scaling: string;
}

/** Text as DICOM takes it in a line (PS3.5 6.2, LO): a backslash would begin another value. */
const lineOf = (text: string): string => text.replace(/[\\\p{Cc}]/gu, '_').slice(0, DESCRIPTION_CHARACTERS_MAX);

/** Everything before the pixels, which have the last tag and are written apart: dcmjs would hold them several times. */
async function headOf({ header, particles, geometryKey, page, grid, scaling }: Described): Promise<Buffer> {
  const { default: dcmjs } = await import('dcmjs');
  const { DicomDict, DicomMetaDictionary } = dcmjs.data;
  const { jobId, version, engine } = header;
  const key = String(page.pageNumber);
  const scale = String(particles ?? '');
  const instance = uniqueIdOf('instance', jobId, version, page.estimatorName, key, page.unit, scale);
  const dataset = {
    SpecificCharacterSet: 'ISO_IR 192',
    SOPClassUID: RT_DOSE_STORAGE,
    SOPInstanceUID: instance,
    StudyDate: '',
    StudyTime: '',
    AccessionNumber: '',
    Modality: 'RTDOSE',
    Manufacturer: 'Tally',
    ReferringPhysicianName: '',
    OperatorsName: '',
    SeriesDescription: lineOf(`${page.estimatorName}, job ${jobId}`),
    PatientName: '',
    PatientID: geometryKey.slice(0, PATIENT_ID_CHARACTERS),
    PatientBirthDate: '',
    PatientSex: '',
    SliceThickness: grid.offsets.length < 2 ? '' : decimalString(grid.offsets[1] ?? 0),
    SoftwareVersions: lineOf(engine),
    StudyInstanceUID: uniqueIdOf('study', geometryKey),
    SeriesInstanceUID: uniqueIdOf('series', jobId, page.estimatorName, key),
    StudyID: '',
    SeriesNumber: '',
    InstanceNumber: '1',
    ImagePositionPatient: grid.origin.map((place) => decimalString(place)),
    ImageOrientationPatient: ['1', '0', '0', '0', '1', '0'],
    FrameOfReferenceUID: uniqueIdOf('frame', geometryKey),
    PositionReferenceIndicator: '',
    SamplesPerPixel: 1,
    PhotometricInterpretation: 'MONOCHROME2',
    NumberOfFrames: String(grid.frames),
    FrameIncrementPointer: 0x3004000c,
    Rows: grid.rows,
    Columns: grid.columns,
    PixelSpacing: grid.spacing.map((spacing) => decimalString(spacing)),
    BitsAllocated: 32,
    BitsStored: 32,
    HighBit: 31,
    PixelRepresentation: 0,
    DoseUnits: 'GY',
    DoseType: 'PHYSICAL',
    DoseComment: lineOf(commentOf(page, particles)),
    DoseSummationType: 'PLAN_OVERVIEW',
    GridFrameOffsetVector: grid.offsets.map((offset) => decimalString(offset)),
    DoseGridScaling: scaling,
    PlanOverviewSequence: [
      {
        RTPlanLabel: '',
        TreatmentSite: '',
        TreatmentSiteCodeSequence: [],
        PrescriptionOverviewSequence: [],
        PlanOverviewIndex: 1,
      },
    ],
  };
  const meta = {
    FileMetaInformationVersion: new Uint8Array([0, 1]).buffer,
    MediaStorageSOPClassUID: RT_DOSE_STORAGE,
    MediaStorageSOPInstanceUID: instance,
    TransferSyntaxUID: EXPLICIT_LITTLE_ENDIAN,
    ImplementationClassUID: uniqueIdOf('implementation', 'tally'),
    ImplementationVersionName: 'TALLY',
  };
  const file = new DicomDict(DicomMetaDictionary.denaturalizeDataset(meta));
  file.dict = DicomMetaDictionary.denaturalizeDataset(dataset);
  return Buffer.from(file.write());
}
