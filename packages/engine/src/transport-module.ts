import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The exports of the compiled transport module (assembly/index.ts): functions of numbers. */
export interface TransportModule {
  call(name: string, ...values: number[]): number;
}

/** The path of a file of this package, from its sources, its build or a bundle beside which the file lies. */
export function findEngineFile(relative: string): string {
  const start = path.dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = path.dirname(folder)) {
    for (const candidate of [path.join(folder, relative), path.join(folder, path.basename(relative))]) {
      if (existsSync(candidate)) return candidate;
    }
    if (folder === path.dirname(folder)) break;
  }
  throw new Error(`The reference engine has not been built: ${relative} is missing. Run "pnpm build".`);
}

/** Path of the compiled transport module. */
export function transportModulePath(): string {
  return findEngineFile('dist/engine.wasm');
}

type NumericFunction = (...values: number[]) => number | undefined;

/** Every function that the module exports takes and returns numbers. */
function isNumeric(entry: unknown): entry is NumericFunction {
  return typeof entry === 'function';
}

let compiled: WebAssembly.Module | undefined;

/** A fresh instance of the transport module; compiled once per process. */
export function createTransportModule(): TransportModule {
  compiled ??= new WebAssembly.Module(readFileSync(transportModulePath()));
  const instance = new WebAssembly.Instance(compiled, {
    env: {
      abort: (_message: number, _file: number, line: number, column: number) => {
        throw new Error(`The transport module stopped at ${line}:${column}.`);
      },
    },
  });
  return {
    call: (name, ...values) => {
      const entry = instance.exports[name];
      if (!isNumeric(entry)) throw new Error(`The transport module has no function ${name}.`);
      return entry(...values) ?? 0;
    },
  };
}
