import { readTransportModule } from '../engine-assets.js';

/** The exports of the compiled transport module (assembly/index.ts): functions of numbers. */
export interface TransportModule {
  call(name: string, ...values: number[]): number;
  memoryBytes(): number;
}

type NumericFunction = (...values: number[]) => number | undefined;

/** Every function that the module exports takes and returns numbers. */
function isNumeric(entry: unknown): entry is NumericFunction {
  return typeof entry === 'function';
}

let compiled: WebAssembly.Module | undefined;

/** The transport module, compiled once per process; may be handed to other threads. */
export function compileTransportModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readTransportModule());
  return compiled;
}

/** A fresh instance of the transport module. */
export function createTransportModule(): TransportModule {
  const instance = new WebAssembly.Instance(compileTransportModule(), {
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
    memoryBytes: () => (instance.exports.memory as { buffer: ArrayBuffer }).buffer.byteLength,
  };
}
