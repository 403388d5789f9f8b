import { createHash } from 'node:crypto';
import { chunksOf, ServiceError } from '@tally/service-kit';
import { fail } from '../errors.js';
import { getInput } from '../input/get-input.js';
import type { DocumentRole, InputDocument, InputHeader } from '../input/input.js';
import type { Reader } from '../job-access.js';
import { WHOLE } from '../page/page-view.js';
import type { ReceivedPart } from '../upload.js';
import { type CrateFile, type CrateRun, crateMetadata, crateReadme, METADATA_FILE } from './crate-metadata.js';
import { type ExportFormat, type ExportPart, type ExportPorts, exportResults } from './export-results.js';

/** A file of an archive; its bytes are read once, after those of the files before it. */
export interface ArchiveFile {
  readonly path: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly isCompressible: boolean;
  readonly modifiedAt: Date;
}

export interface CratePorts extends ExportPorts {
  writeArchive(files: AsyncIterable<ArchiveFile>): AsyncIterable<Uint8Array>;
}

/** A piece of an answer: the header, then the bytes of the archive. */
export type CratePart =
  | { readonly kind: 'header'; readonly fileName: string; readonly version: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** Largest message of a stream. */
const CHUNK_BYTES_MAX = 256 * 1024;

/**
 * A job that has ended as a Workflow Run RO-Crate: what was submitted, the deck, the results, and what they are. Everything passes
 * once and is hashed as it passes, so the description comes last. Holds what exportResults holds.
 * @param format - of the results: one of any number of pages
 * @throws ServiceError JOB_NOT_ENDED, and as exportResults does but for RESULTS_UNAVAILABLE: the crate has none then
 */
export async function* exportCrate(
  ports: CratePorts,
  run: CrateRun,
  format: ExportFormat,
  reader: Reader,
): AsyncGenerator<CratePart> {
  const { endTime } = run;
  if (endTime === undefined) throw fail('JOB_NOT_ENDED');
  const results = await openFile(
    exportResults(
      ports,
      run.jobId,
      { ranges: [], estimatorName: undefined },
      WHOLE,
      { format, hasDescription: false },
      reader,
    ),
  );
  const sources = {
    results,
    submitted: await openInput(ports, run, reader),
    input: await openInput(ports, run, reader),
  };
  yield { kind: 'header', fileName: `${run.jobId}.crate.zip`, version: results?.header.header.version ?? '' };
  try {
    for await (const bytes of ports.writeArchive(crateFiles(run, endTime, sources))) {
      for (const chunk of chunksOf(bytes, CHUNK_BYTES_MAX)) yield { kind: 'bytes', bytes: chunk };
    }
  } finally {
    await results?.close();
  }
}

type Sources = {
  readonly results: Awaited<ReturnType<typeof openFile>>;
  readonly submitted: Awaited<ReturnType<typeof openInput>>;
  readonly input: Awaited<ReturnType<typeof openInput>>;
};

async function* crateFiles(run: CrateRun, modifiedAt: Date, sources: Sources): AsyncGenerator<ArchiveFile> {
  const { results, submitted, input } = sources;
  const known: CrateFile[] = [];
  const add = (file: Pick<CrateFile, 'path' | 'role' | 'mediaType'>, bytes: AsyncIterable<Uint8Array>): ArchiveFile => {
    const isCompressible = file.mediaType.startsWith('text/') || file.mediaType === 'application/json';
    return {
      path: file.path,
      bytes: hashed(bytes, (facts) => known.push({ ...file, ...facts })),
      isCompressible,
      modifiedAt,
    };
  };
  const workflow = { path: 'submission.json', role: 'workflow', mediaType: 'application/json' } as const;
  for await (const { role, bytes } of submitted.documents) {
    if (role !== 'submitted') break;
    yield add(workflow, submissionText(run, submitted.header, bytes));
  }
  for await (const { role, name, bytes } of input.documents) {
    const file = describeDocument(role, name, input.header);
    if (file !== undefined) yield add(file, bytes);
    else for await (const _ of bytes); // of submitted files, which are the deck
  }
  if (results !== undefined) {
    const { fileName, mediaType } = results.header;
    const file = { path: `results/${fileName}`, role: 'results', mediaType: mediaType.replace(/;.*$/, '') } as const;
    yield add(file, results.bytes);
  }
  const readme = { path: 'README.md', role: 'readme', mediaType: 'text/markdown' } as const;
  yield add(readme, textOf(crateReadme(run, known)));
  const metadata = textOf(crateMetadata(run, known, results?.header.header));
  yield { path: METADATA_FILE, bytes: metadata, isCompressible: true, modifiedAt };
}

async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* hashed(
  bytes: AsyncIterable<Uint8Array>,
  tell: (facts: Pick<CrateFile, 'sizeBytes' | 'sha256'>) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of bytes) {
    hash.update(piece);
    sizeBytes += piece.byteLength;
    yield piece;
  }
  tell({ sizeBytes, sha256: hash.digest('hex') });
}

/** The header of an export with its bytes; undefined: there are no results. */
async function openFile(parts: AsyncGenerator<ExportPart>) {
  try {
    const first = await parts.next();
    if (first.done || first.value.kind !== 'header') throw new RangeError('an export does not begin with its header');
    const bytes = async function* () {
      for await (const part of parts) if (part.kind === 'bytes') yield part.bytes;
    };
    return { header: first.value, bytes: bytes(), close: () => parts.return(undefined) };
  } catch (err) {
    if (err instanceof ServiceError && err.reason === 'RESULTS_UNAVAILABLE') return undefined;
    throw err;
  }
}

async function openInput(ports: CratePorts, { jobId }: CrateRun, reader: Reader) {
  const parts = getInput(ports, jobId, [], reader);
  const first = await parts.next();
  if (first.done || first.value.kind !== 'header') throw new RangeError('an input does not begin with its header');
  return { header: first.value.header, documents: documentsOf(parts) };
}

/** Each document with its bytes, which are read before the next one is asked for. */
async function* documentsOf(
  parts: AsyncGenerator<ReceivedPart<InputHeader, InputDocument>>,
): AsyncGenerator<InputDocument & { readonly bytes: AsyncIterable<Uint8Array> }> {
  let next = await parts.next();
  const bytes = async function* () {
    for (next = await parts.next(); !next.done && next.value.kind === 'bytes'; next = await parts.next()) {
      yield next.value.bytes;
    }
  };
  while (!next.done) {
    if (next.value.kind !== 'item') throw new RangeError('bytes come before their document');
    yield { ...next.value.item, bytes: bytes() };
  }
}

/** Undefined: it is not in the crate by itself. */
function describeDocument(role: DocumentRole, name: string, { kind }: InputHeader) {
  switch (role) {
    case 'submitted':
      return kind === 'editor'
        ? ({ path: 'inputs/project.json', role: 'project', mediaType: 'application/json' } as const)
        : undefined;
    case 'deck':
      return { path: `deck/${name}`, role: 'deck', mediaType: 'text/plain' } as const;
    case 'simulatorDeck':
      return { path: `simulator-deck/${name}`, role: 'simulatorDeck', mediaType: 'text/plain' } as const;
  }
}

/**
 * Body of a submission that gives the same job again, seed and all; with the bodies of its extensions, which a submission does not
 * look at.
 */
async function* submissionText(run: CrateRun, { kind, warnings }: InputHeader, simData: AsyncIterable<Uint8Array>) {
  const { submission } = run;
  const extensions = (submission?.extensions ?? []).map(({ primaries, taskCount: ntasks }) => ({ primaries, ntasks }));
  const head = {
    sim_type: run.simulator,
    ntasks: submission?.taskCount ?? run.taskCount,
    input_type: kind,
    title: run.title,
    seed: String(run.seed),
    ...(warnings.length === 0 ? {} : { on_unsupported: 'omit' }),
    ...(submission?.target === undefined ? {} : { target: submission.target }),
    ...(extensions.length === 0 ? {} : { extensions }),
  };
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"sim_data":`);
  yield* simData;
  yield Buffer.from('}\n');
}
