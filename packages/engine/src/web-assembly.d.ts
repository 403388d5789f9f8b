/** The part of WebAssembly that the engine uses; @types/node does not declare it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
