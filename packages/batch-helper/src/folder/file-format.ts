import { z } from 'zod';

/** A file of a job's folder is not what it should be: too long, not JSON, or of another shape. */
export class JobFolderError extends Error {
  /** @param file - name of the file within its folder */
  constructor(
    readonly file: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${message}`, options);
    this.name = 'JobFolderError';
  }
}

/** One kind of JSON file: its name, how long it may be, and both directions between its bytes and what they mean. */
export interface FileFormat<Value> {
  readonly name: string;
  /** No reader reads more than this. */
  readonly bytesMax: number;
  /** @throws JobFolderError for bytes that are not such a file */
  parse(bytes: Uint8Array): Value;
  /** Text that {@link FileFormat.parse} gives back. @throws JobFolderError for a value that could not be read back */
  encode(value: Value): string;
}

/** @param wire - the shape of the JSON; `decode` and `encode` lead from it to the value and back */
export function defineFile<Wire, Value>(
  name: string,
  bytesMax: number,
  wire: z.ZodType<Wire>,
  { decode, encode }: { readonly decode: (wire: Wire) => Value; readonly encode: (value: Value) => Wire },
): FileFormat<Value> {
  const check = (json: unknown): Wire => {
    const parsed = wire.safeParse(json);
    if (!parsed.success) throw new JobFolderError(name, z.prettifyError(parsed.error).slice(0, 1_000));
    return parsed.data;
  };
  return {
    name,
    bytesMax,
    parse(bytes) {
      if (bytes.byteLength > bytesMax) throw new JobFolderError(name, `has more than ${bytesMax} bytes`);
      return decode(check(parseJson(name, bytes)));
    },
    encode: (value) => `${JSON.stringify(check(encode(value)))}\n`,
  };
}

function parseJson(name: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (err) {
    throw new JobFolderError(name, 'is not JSON', { cause: err });
  }
}
