export { countSymbols, encode } from './deflate';
export * from './layout';
export { appendNumbers, appendRows, clear, extend, textEnd } from './text';
