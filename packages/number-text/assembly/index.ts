export { fillScales } from './decimal';
export { countSymbols, encode } from './deflate';
export { appendEscaped, appendUnescaped } from './json';
export * from './layout';
export { readEnd, readNumbers } from './read';
export { appendCounted, appendNumbers, appendRows, clear, extend, textEnd } from './text';
