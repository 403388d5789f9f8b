// The modules of _sync/: those of _async/ without waiting.

/** What the names of _async/ are in _sync/. */
const NAMES = {
  AbstractAsyncContextManager: 'AbstractContextManager',
  AsyncBaseTransport: 'BaseTransport',
  AsyncIterator: 'Iterator',
  asynccontextmanager: 'contextmanager',
  StopAsyncIteration: 'StopIteration',
  __aenter__: '__enter__',
  __aexit__: '__exit__',
  __aiter__: '__iter__',
  __anext__: '__next__',
  aclose: 'close',
  aread: 'read',
  aiter_bytes: 'iter_bytes',
  aiter_lines: 'iter_lines',
};

/** @param text - source of a module of _async/ whose classes begin with Async, and whose awaited functions may */
export function toSync(text, name) {
  const changed = text
    .replace(/^# (.*)`pnpm gen`; not to be edited\.\n/, '')
    .replace(/\basync (def|with|for)\b/g, '$1')
    .replace(/\bawait /g, '')
    .replace(/\b[A-Za-z_]+\b/g, (word) => NAMES[word] ?? word)
    .replace(/\bAsync(?=[A-Z])/g, '')
    .replace(/\basync_(?=[a-z])/g, '');
  return `# Generated from _async/${name} by \`pnpm gen\`; not to be edited.\n${changed}`;
}
