import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { PythonTool } from '@tally/testkit';

const SCRIPT = path.join(import.meta.dirname, 'read-with-pymchelper.py');
const OUTPUT_BYTES_MAX = 512 * 1024 * 1024;

export interface ForeignAxis {
  readonly bins: number;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly unit: string;
  readonly isLog: boolean;
}

/** A file as pymchelper has it. */
export interface ForeignFile {
  readonly format: string;
  readonly primaries: number;
  /** Of positions. */
  readonly axes: readonly ForeignAxis[];
  readonly pages: readonly {
    readonly name: string;
    readonly unit: string;
    /** Differential ones. */
    readonly axes: readonly ForeignAxis[];
    readonly values: Float64Array;
  }[];
}

/** In the order of the paths; `undefined` for what it cannot read. */
export function readWithPymchelper(tool: PythonTool, paths: readonly string[]): (ForeignFile | undefined)[] {
  const { status, stdout, stderr } = spawnSync(tool.python, [SCRIPT], {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  if (status !== 0) throw new Error(`pymchelper ended with ${status}: ${stderr.slice(-2000)}`);
  const revive = (key: string, value: unknown): unknown => (key === 'values' ? decode(String(value)) : value);
  const lines = stdout.trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line, revive) as ForeignFile | null) ?? undefined);
}

function decode(base64: string): Float64Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float64Array.from({ length: bytes.length / 8 }, (_, at) => bytes.readDoubleLE(8 * at));
}
