/** The code of an error of Node or of the operating system, for example `ENOENT`; undefined: it has none. */
export function errorCode(err: unknown): string | undefined {
  const isCoded = typeof err === 'object' && err !== null && 'code' in err && typeof err.code === 'string';
  return isCoded ? String(err.code) : undefined;
}
