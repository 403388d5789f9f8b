import { AXIS_TAKES, EXPORT_FORMATS, type results } from '@tally/contracts';
import { asUser, collect, OWNER, type ResultsSuite } from './results-suite.js';

export type Format = keyof typeof EXPORT_FORMATS;

/** Asks for a file as the gateway does for the owner. */
export async function exportFile(
  suite: ResultsSuite,
  jobId: string,
  format: Format,
  selection: Partial<results.ExportResultsRequest> = {},
) {
  const request = { jobId, estimatorName: '', pages: [], axes: [], ...selection, format: EXPORT_FORMATS[format] };
  const parts = await asUser(OWNER, () => collect(suite.gateway.exportResults(request)));
  const chunks = parts.flatMap(({ part }) => (part?.$case === 'chunk' ? [part.value] : []));
  const header = parts[0]?.part?.$case === 'header' ? parts[0].part.value : undefined;
  if (header === undefined) throw new Error('an export does not begin with its header');
  return { header, bytes: Buffer.concat(chunks), chunkBytes: chunks.map((chunk) => chunk.byteLength) };
}

export const selectAxis = (
  axis: number,
  take: keyof typeof AXIS_TAKES,
  first = 0,
  last = 2_147_483_647,
): results.AxisSelection => ({ axis, first, last: take === 'bin' ? first : last, take: AXIS_TAKES[take] });
