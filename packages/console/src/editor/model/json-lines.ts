import { keysOf } from './pointer.js';

/** Line, from 1, of a place in JSON as `JSON.stringify(…, null, 2)` writes it; of the nearest place around one that is not there. */
export function lineOf(text: string, pointer: string): number {
  const lines = text.split('\n');
  let line = 0;
  let depth = 1;
  for (const key of keysOf(pointer)) {
    const found = findLine(lines, line + 1, depth, key);
    if (found === undefined) break;
    line = found;
    depth += 1;
  }
  return line + 1;
}

/** The line of a member or an item of what begins before `start`, whose own lines are indented twice `depth`. */
function findLine(lines: readonly string[], start: number, depth: number, key: string): number | undefined {
  const indent = '  '.repeat(depth);
  const isList = /\[\s*$/.test(lines[start - 1] ?? '');
  let index = -1;
  for (let i = start; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    if (!line.startsWith(indent)) return undefined;
    if (line.charAt(indent.length) === ' ' || /^\s*[}\]]/.test(line)) continue;
    index += 1;
    if (isList ? index === Number(key) : line.startsWith(`${indent}${JSON.stringify(key)}:`)) return i;
  }
  return undefined;
}

/** The line where a text ceases to be JSON, by what the browser says of it. */
export function whereNotJson(text: string, message: string): number {
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1];
  return text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
}
