import type { NumberAxis, NumberPage } from '../../domain/page/number-page.js';
import { type NumberResults, uniqueIdOf, unsuitable } from '../../domain/result/export-results.js';

/** Millimetres of the units of length. */
const LENGTHS: Readonly<Record<string, number>> = { mm: 1, cm: 10, m: 1000, um: 0.001, µm: 0.001 };
/** 1 MeV/g in Gy: e/C · 10⁶ · 1000 (SI Brochure 2019, exact value of e). */
const GRAY_OF_MEV_PER_GRAM = 1.602176634e-10;
/** Gy of the units of dose, of the field's programs and with what they add where it is that of one primary. */
const DOSES: Readonly<Record<string, number>> = {
  Gy: 1,
  mGy: 1e-3,
  cGy: 1e-2,
  'Gy/prim': 1,
  'MeV/g': GRAY_OF_MEV_PER_GRAM,
  'MeV/g/prim': GRAY_OF_MEV_PER_GRAM,
};
const STORED_MAX = 2 ** 32 - 1;
/** Distances between bins that differ by no more than this are the same. */
const SPACING_TOLERANCE = 1e-6;

/**
 * DICOM RT Dose (PS3.3 A.18.3) of one page with the axes X, Y and Z, in this order: frames along Z, rows along Y, columns along
 * X. Doses are whole numbers of 32 bits times DoseGridScaling, so each is right to 2⁻³² of the largest. Errors have no place in
 * it. Its UIDs are those of the job, so that the same page is the same object.
 */
export async function* writeDicom({ header, pages }: NumberResults): AsyncGenerator<Uint8Array> {
  const [page] = pages;
  if (page === undefined) throw new RangeError('DICOM is written of one page');
  if (page.effectiveHistories !== undefined)
    throw unsuitable(page, 'DICOM has no place for effective numbers of histories');
  const grid = await readGrid(page);
  const dose = DOSES[page.unit];
  if (dose === undefined)
    throw unsuitable(page, `"${page.unit}" is no unit of dose; known are ${Object.keys(DOSES).join(', ')}`);
  const largest = await largestOf(page);
  const scaling = decimalString(largest === 0 ? 1 : (largest * dose) / STORED_MAX, 'up');
  const pixelBytes = 4 * grid.columns * grid.rows * grid.frames;
  const name = page.estimatorName.slice(0, DESCRIPTION_CHARACTERS_MAX);
  yield await headOf({ jobId: header.jobId, version: header.version, name, page, grid, scaling });
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

const DESCRIPTION_CHARACTERS_MAX = 64;

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
const RT_PLAN_STORAGE = '1.2.840.10008.5.1.4.1.1.481.5';
const EXPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2.1';

interface Described {
  readonly jobId: string;
  readonly version: string;
  readonly name: string;
  readonly page: NumberPage;
  readonly grid: Grid;
  readonly scaling: string;
}

/** Everything before the pixels, which have the last tag and are written apart: dcmjs would hold them several times. */
async function headOf({ jobId, version, name, page, grid, scaling }: Described): Promise<Buffer> {
  const { default: dcmjs } = await import('dcmjs');
  const { DicomDict, DicomMetaDictionary } = dcmjs.data;
  const key = String(page.pageNumber);
  const instance = uniqueIdOf('instance', jobId, version, page.estimatorName, key);
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
    SeriesDescription: name,
    PatientName: '',
    PatientID: jobId.slice(0, DESCRIPTION_CHARACTERS_MAX),
    PatientBirthDate: '',
    PatientSex: '',
    StudyInstanceUID: uniqueIdOf('study', jobId),
    SeriesInstanceUID: uniqueIdOf('series', jobId, page.estimatorName, key),
    StudyID: '',
    SeriesNumber: '',
    InstanceNumber: '1',
    ImagePositionPatient: grid.origin.map((place) => decimalString(place)),
    ImageOrientationPatient: ['1', '0', '0', '0', '1', '0'],
    FrameOfReferenceUID: uniqueIdOf('frame', jobId),
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
    DoseComment: page.pageName.slice(0, DESCRIPTION_CHARACTERS_MAX),
    DoseSummationType: 'PLAN',
    GridFrameOffsetVector: grid.offsets.map((offset) => decimalString(offset)),
    DoseGridScaling: scaling,
    ReferencedRTPlanSequence: [
      { ReferencedSOPClassUID: RT_PLAN_STORAGE, ReferencedSOPInstanceUID: uniqueIdOf('plan', jobId) },
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
