export { countSymbols, encode } from './deflate';
export * from './layout';
export { readEnd, readNumbers } from './read';
export { appendNumbers, appendRows, clear, extend, textEnd } from './text';
