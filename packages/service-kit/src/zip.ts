import { PassThrough, Readable } from 'node:stream';

/** A file of an archive; its bytes are read once, after those of the files before it. */
export interface ZipFile {
  readonly path: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly isCompressible: boolean;
  readonly modifiedAt: Date;
}

/**
 * A zip of files whose number, sizes and contents become known as it is written: one file after the other, each asked for when
 * the one before is whole. Names and sizes are in the directory at its end, as readers of zip expect it.
 */
export async function* writeZip(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const yazl = await import('yazl');
  const zip = new yazl.ZipFile();
  const out = zip.outputStream.pipe(new PassThrough());
  (zip as unknown as NodeJS.EventEmitter).on('error', (err: Error) => out.destroy(err));
  let current: Readable | undefined;
  const fill = async () => {
    for await (const { path, bytes, isCompressible, modifiedAt } of files) {
      // of unknown size: whoever reads it must be told before that it may be larger than 4 GiB
      const options = { compress: isCompressible, mtime: modifiedAt, forceZip64Format: true };
      const source = Readable.from(bytes, { objectMode: false });
      current = source;
      await new Promise<void>((resolve, reject) => {
        source.once('end', resolve).once('error', reject);
        source.once('close', () => reject(new Error('nobody reads the archive any more')));
        zip.addReadStreamLazy(path, options, (give) => give(null, source));
      });
    }
    zip.end();
  };
  const filled = fill().catch((err: unknown) => {
    out.destroy(err instanceof Error ? err : new Error(String(err)));
  });
  try {
    yield* out as AsyncIterable<Uint8Array>;
  } finally {
    out.destroy();
    current?.destroy();
    await filled;
  }
}
