const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds on what is taken in, held in memory or done at once, that no site needs otherwise. Tests start with smaller ones. */
export interface ResultsBounds {
  /** An input of a job, all documents together; no submission is larger. */
  readonly inputBytesMax: number;
  readonly inputDocumentsMax: number;
  /** Of a task output or of results; the gateway's bound for uploads is not above it. */
  readonly pagesMax: number;
  /** Bin centres over all axes of all pages of an upload: they are held while it is stored. Numbered bins of final results do not count. */
  readonly axisCentersMax: number;
  /** What a sender says of a page beside its numbers, JSON text. */
  readonly pageMetadataBytesMax: number;
  /** Of an estimator, page, axis, unit or counter. */
  readonly nameCharactersMax: number;
  /** A larger input, task output or result lies in blocks, or as objects. */
  readonly rowBytesMax: number;
  /** Blobs that are written at once; each holds a connection of the database, and one is left for everything else. */
  readonly uploadsMax: number;
  readonly uploadTimeoutMs: number;
  /** Pages merged at once for readers of running jobs; each holds two numbers of 8 bytes a bin. */
  readonly mergesMax: number;
  /** Of merged pages of running jobs, so that polling does not merge again. */
  readonly mergedCacheBytesMax: number;
  /** HDF5 files that are there at once; each takes at most RESULTS_EXPORT_BYTES_MAX of the disk. */
  readonly exportsMax: number;
  /** Of one request to the bucket. */
  readonly objectStoreTimeoutMs: number;
  /** Between two removals of objects that nothing names any more. */
  readonly objectStoreSweepMs: number;
}

export const BOUNDS: ResultsBounds = {
  inputBytesMax: 128 * MIB,
  inputDocumentsMax: 1_000,
  pagesMax: 1_000,
  axisCentersMax: 4 * MIB,
  pageMetadataBytesMax: 64 * KIB,
  nameCharactersMax: 256,
  rowBytesMax: 256 * KIB,
  uploadsMax: 4,
  uploadTimeoutMs: 15 * 60_000,
  mergesMax: 1,
  mergedCacheBytesMax: 64 * MIB,
  exportsMax: 4,
  objectStoreTimeoutMs: 30_000,
  objectStoreSweepMs: 60_000,
};
