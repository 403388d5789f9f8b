import type { SourceAxis } from '../driver.js';
import type { ByteReader } from '../output/byte-reader.js';
import { countAxisBins, momentsOfMeans, momentsOfSums, type NativePage, PAGES_MAX } from '../output/native-page.js';
import { OutputError } from '../output-error.js';
import {
  NORMALISATION_KINDS,
  nameAxis,
  nameDetectorType,
  nameUnit,
  PHASE_SPACE_COLUMNS,
  PHASE_SPACE_TYPE,
} from './bdo-tables.js';
import { type BdoToken, isKnown, openBdo, readData, readToken, readTokenHead, TAG } from './bdo-tokens.js';

/** What a file of one estimator holds. */
export interface BdoFile {
  readonly primaries: number;
  readonly pages: readonly NativePage[];
}

/** `bdo2019` of tag 0x0005. */
const FORMAT_BDO2019 = 2;
const CLASS_LINEAR = 2;
const CLASS_CONCATENATED = 4;

/** Items by tag: of the file, and of the page that is being read. */
type Tokens = Map<number, BdoToken>;
interface OpenPage {
  readonly tokens: Tokens;
  readonly type: number;
}

/**
 * Reads a BDO2019 file: 24 bytes of head, then items of tag, type, count and payload; a page begins with its detector
 * type and ends with its data. Units and axes are the file's own; the unit of differential pages names all in one.
 * @param file - `PageSource.file` of its pages
 * @throws OutputError `UNREADABLE`; `UNSUPPORTED` for grids of unequal steps and for pages that concatenate anything but
 *   phase space
 */
export function readBdo(bytes: Uint8Array, fileName: string, file: string): BdoFile {
  const reader = openBdo(bytes, fileName);
  const tokens: Tokens = new Map();
  const pages: NativePage[] = [];
  let open: OpenPage | undefined;
  while (reader.remainingBytes > 0) {
    const head = readTokenHead(reader);
    if (head.tag === TAG.data) {
      if (open === undefined) return reader.fail('has data that belong to no page');
      pages.push(readPage({ reader, file, tokens, page: open }, readData(reader, head)));
      open = undefined;
      if (pages.length > PAGES_MAX) return reader.fail(`has more than ${PAGES_MAX} pages`);
      continue;
    }
    const token = readToken(reader, head);
    if (head.tag === TAG.page) {
      if (open !== undefined) return reader.fail(`has no data on page ${pages.length + 1}`);
      const type = token.numbers[0] ?? reader.fail('has a page without a type');
      open = { type, tokens: new Map() };
    }
    if (isKnown(head.tag)) (open?.tokens ?? tokens).set(head.tag, token);
  }
  checkFile(reader, tokens, pages, open);
  return { primaries: readPrimaries(reader, tokens), pages };
}

function checkFile(reader: ByteReader, tokens: Tokens, pages: readonly NativePage[], open?: OpenPage): void {
  const format = first(tokens, TAG.format) ?? FORMAT_BDO2019;
  if (format !== FORMAT_BDO2019) reader.fail(`has format ${format}; only BDO2019 (${FORMAT_BDO2019}) is read`);
  const count = first(tokens, TAG.pageCount) ?? pages.length;
  if (open !== undefined || pages.length === 0 || count !== pages.length) {
    reader.fail(`is cut short: it has ${pages.length} pages of ${Math.max(count, 1)}`);
  }
}

function readPrimaries(reader: ByteReader, tokens: Tokens): number {
  const primaries = first(tokens, TAG.primaries);
  if (primaries === undefined || primaries < 1) return reader.fail(`says ${primaries ?? 'nothing'} of its primaries`);
  return primaries;
}

interface PageContext {
  readonly reader: ByteReader;
  readonly file: string;
  readonly tokens: Tokens;
  readonly page: OpenPage;
}

function readPage(context: PageContext, data: Float64Array): NativePage {
  const { reader, file, tokens, page } = context;
  if (page.type === PHASE_SPACE_TYPE) return readPhaseSpace(context, data);
  const differential = differentialAxes(reader, page.tokens);
  const axes = [...spatialAxes(reader, tokens), ...differential];
  const bins = countAxisBins(axes);
  if (bins !== data.length) reader.fail(`has ${data.length} numbers on a page of ${bins} bins`);
  const normalisation = first(page.tokens, TAG.normalisation) ?? CLASS_LINEAR;
  if (normalisation === CLASS_CONCATENATED) {
    throw new OutputError('UNSUPPORTED', reader.fileName, 'has a page that only concatenates, which is not read');
  }
  const kind = NORMALISATION_KINDS[normalisation];
  if (kind === undefined) return reader.fail(`has a page of normalisation ${normalisation}`);
  const moments = {
    map: () => [data],
    counter: () => [data],
    ratio: () => [data],
    list: () => [data],
    linear: momentsOfSums,
    average: momentsOfMeans,
  };
  return {
    file,
    item: String(first(page.tokens, TAG.pageNumber) ?? 0),
    title: nameDetectorType(page.type),
    kind,
    unit: page.tokens.get(TAG.dataUnit)?.text || nameUnit(first(page.tokens, TAG.units)),
    namesAxes: page.tokens.has(TAG.dataUnit),
    isPerPrimary: kind === 'linear',
    axes,
    differentialAxes: differential.length,
    isIntegrated: false,
    moments: moments[kind](data, readPrimaries(reader, tokens)),
  };
}

/** Particles, eight numbers each; where they were scored says nothing of how many there are. */
function readPhaseSpace({ reader, file, page }: PageContext, data: Float64Array): NativePage {
  const normalisation = first(page.tokens, TAG.normalisation) ?? CLASS_CONCATENATED;
  if (normalisation !== CLASS_CONCATENATED) return reader.fail(`has phase space of normalisation ${normalisation}`);
  if (data.length % PHASE_SPACE_COLUMNS !== 0) {
    return reader.fail(`has ${data.length} numbers of phase space, which are no whole particles`);
  }
  const bins = PHASE_SPACE_COLUMNS;
  return {
    file,
    item: String(first(page.tokens, TAG.pageNumber) ?? 0),
    title: nameDetectorType(page.type),
    kind: 'list',
    unit: '',
    namesAxes: true,
    isPerPrimary: false,
    axes: [{ name: 'column', unit: '', lower: 0.5, upper: bins + 0.5, bins, isLog: false }],
    differentialAxes: 0,
    isIntegrated: false,
    recordCount: data.length / bins,
    moments: [data],
  };
}

/** x, y, z; r, phi, z of a cylinder; numbers of zones. */
function spatialAxes(reader: ByteReader, tokens: Tokens): SourceAxis[] {
  const bins = tokens.get(TAG.bins)?.numbers ?? [];
  const [start, stop] = [tokens.get(TAG.start)?.numbers ?? [], tokens.get(TAG.stop)?.numbers ?? []];
  if ((tokens.get(TAG.grid)?.numbers ?? []).some((step) => step !== 0)) {
    throw new OutputError('UNSUPPORTED', reader.fileName, 'has a grid of unequal steps, which is not read');
  }
  const type = tokens.get(TAG.geometryType)?.text ?? '';
  return axisNames(type).map(([name, unit], axis) => {
    const count = bins[axis] ?? 1;
    const [lower = 0, upper = 0] = [start[axis], stop[axis]];
    if (name !== 'zone') return { name, unit, lower, upper, bins: count, isLog: false };
    // zones are counted, whatever else the file says of them
    return {
      name: axis === 0 ? name : `${name}${axis + 1}`,
      unit,
      lower: 0.5,
      upper: count + 0.5,
      bins: count,
      isLog: false,
    };
  });
}

function axisNames(geometryType: string): readonly (readonly [name: string, unit: string])[] {
  switch (geometryType.toUpperCase()) {
    case 'CYL':
      return [
        ['r', 'cm'],
        ['phi', 'rad'],
        ['z', 'cm'],
      ];
    case 'ZONE':
      return [['zone', '1']];
    default:
      return [
        ['x', 'cm'],
        ['y', 'cm'],
        ['z', 'cm'],
      ];
  }
}

function differentialAxes(reader: ByteReader, tokens: Tokens): SourceAxis[] {
  const numbers = (tag: number): readonly number[] => tokens.get(tag)?.numbers ?? [];
  const [types, lowers, uppers] = [
    numbers(TAG.differentialType),
    numbers(TAG.differentialLower),
    numbers(TAG.differentialUpper),
  ];
  return numbers(TAG.differentialBins).map((bins, axis) => {
    const isLog = (numbers(TAG.differentialScale)[axis] ?? 1) < 0;
    const [lower, upper, type] = [lowers[axis], uppers[axis], types[axis]];
    if (lower === undefined || upper === undefined || type === undefined || (isLog && !(lower > 0 && upper > 0))) {
      return reader.fail(`has a faulty differential axis`);
    }
    // the first unit is that of the data
    const unit = nameUnit(numbers(TAG.units)[axis + 1]);
    return { name: nameAxis(type), unit, lower, upper, bins, isLog };
  });
}

function first(tokens: Tokens, tag: number): number | undefined {
  return tokens.get(tag)?.numbers[0];
}
