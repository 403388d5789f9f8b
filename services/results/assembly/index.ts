export { countSymbols, encode } from './deflate';
export * from './layout';
export { appendNumbers, clear, extend, textEnd } from './text';
