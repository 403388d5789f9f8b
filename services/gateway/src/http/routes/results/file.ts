import { EXPORT_FORMATS, type results } from '@tally/contracts';
import type { CallOptions } from '@tally/service-kit';
import type { z } from 'zod';
import type { ServiceClients } from '../../../clients/services.js';
import type { StreamAnswer } from '../../answer/answer.js';
import { openChunkStream } from '../../answer/chunk-stream.js';
import { tagOf } from '../../answer/respond.js';
import { negotiate } from '../../request/negotiate.js';
import type { resultsFormat } from '../../schemas/result.js';

type Format = z.output<typeof resultsFormat>;
type FileFormat = Exclude<Format, 'json'>;

/** Media types that Accept may name, and what each is. */
const TYPES: Readonly<Record<FileFormat, { type: string; what: string }>> = {
  csv: { type: 'text/csv', what: 'A row a bin: bin centres, value, error' },
  hdf5: { type: 'application/x-hdf5', what: 'HDF5: groups of estimators and pages' },
  npz: { type: 'application/zip', what: 'NPZ: a zip of NumPy arrays' },
  dicom: { type: 'application/dicom', what: 'RT Dose of one page with the axes X, Y and Z' },
  float64: {
    type: 'application/octet-stream',
    what: 'Values, then errors, of one page as little-endian float64; the header Page-Description has the shape',
  },
};

/** What the document says of them. */
export const FILE_TYPES = Object.fromEntries(Object.values(TYPES).map(({ type, what }) => [type, what]));

const JSON_TYPE = 'application/json';

/** The format that is asked for. @throws ServiceError NOT_ACCEPTABLE */
export function formatOf(format: Format | undefined, accept: string | undefined): Format {
  if (format !== undefined) return format;
  const type = negotiate(accept, [JSON_TYPE, ...Object.values(TYPES).map((known) => known.type)]);
  const found = (Object.keys(TYPES) as FileFormat[]).find((name) => TYPES[name].type === type);
  return found ?? 'json';
}

/** The selected results as a file, as results makes it. */
export async function resultsFile(
  client: ServiceClients['results'],
  selection: Omit<results.ExportResultsRequest, 'format'>,
  format: FileFormat,
  call: CallOptions,
): Promise<StreamAnswer> {
  const messages = client.exportResults({ ...selection, format: EXPORT_FORMATS[format] }, call);
  const { header, chunks } = await openChunkStream(messages, 'a file of results');
  const { mediaType, fileName, pageJson } = header;
  return {
    kind: 'stream',
    status: 200,
    isNegotiated: true,
    tag: tagOf(header.results?.version ?? '', format, JSON.stringify(selection)),
    file: { contentType: mediaType, name: fileName, isCompressible: format === 'csv' },
    ...(pageJson === '' ? {} : { headers: { 'Page-Description': toAscii(pageJson) } }),
    text: chunks,
  };
}

/** JSON in the characters that a header takes. */
function toAscii(json: string): string {
  return json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
