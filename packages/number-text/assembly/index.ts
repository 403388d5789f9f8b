export { fillScales } from './decimal';
export { NUMBERS, POWERS, PREFIX, TEXT } from './layout';
export { appendCounted, appendNumbers, appendRows, clear, extend, textEnd } from './text';
