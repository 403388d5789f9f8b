import { formatShort } from '../../deck/number-format.js';

/** One line of a parameter file; numbers have full precision. */
export function dimensioned(name: string, value: number, unit: string): string {
  return `d:${name} = ${formatShort(value)} ${unit}`;
}

export function unitless(name: string, value: number): string {
  return `u:${name} = ${formatShort(value)}`;
}

export function integer(name: string, value: number): string {
  return `i:${name} = ${value}`;
}

export function flag(name: string, value: boolean): string {
  return `b:${name} = "${value ? 'True' : 'False'}"`;
}

export function text(name: string, value: string): string {
  return `s:${name} = "${value}"`;
}

/** The count comes first. */
export function texts(name: string, values: readonly string[]): string {
  return `sv:${name} = ${values.length} ${values.map((value) => `"${value}"`).join(' ')}`;
}

export function unitlessValues(name: string, values: readonly number[]): string {
  return `uv:${name} = ${values.length} ${values.map(formatShort).join(' ')}`;
}

export function dimensionedValues(name: string, values: readonly number[], unit: string): string {
  return `dv:${name} = ${values.length} ${values.map(formatShort).join(' ')} ${unit}`;
}
