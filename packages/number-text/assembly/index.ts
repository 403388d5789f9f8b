export { countSymbols, encode } from './deflate';
export { appendEscaped } from './json';
export * from './layout';
export { readEnd, readNumbers } from './read';
export { appendNumbers, appendRows, clear, extend, textEnd } from './text';
