'use strict';
// Prisma's schema engine as WebAssembly (npm: @prisma/schema-engine-wasm), wired to PostgreSQL.
// Used by schema-engine.cjs (stand-in for the native executable) and migrate-deploy.mjs (deploy in this process).
const fs = require('node:fs');
const path = require('node:path');
const { bindMigrationAwareSqlAdapterFactory } = require('@prisma/driver-adapter-utils');
const { PgMigrationAdapter, NoDatabaseAdapter } = require('./pg-migration-adapter.cjs');
const { parseUrl } = require('./pg-url.cjs');

let runtime;
async function loadRuntime() {
  if (runtime) return runtime;
  // the engine's panic hook calls this by name
  globalThis.PRISMA_WASM_PANIC_REGISTRY ??= {
    message: '',
    set_message(message) {
      this.message = message;
    },
  };
  const glue = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  runtime = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = new WebAssembly.Module(fs.readFileSync(path.join(path.dirname(glue), 'schema_engine_bg.wasm')));
  const instance = new WebAssembly.Instance(wasm, { './schema_engine_bg.js': runtime });
  runtime.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return runtime;
}

/**
 * Opens an engine on the database of `url`, or on none when `offline` says why there is none.
 * The engine leaves a 10 s lock timer armed after a migration: end a script with process.exit.
 * `explain` turns an engine error into the database's own message, with its SQLSTATE as `code`.
 */
async function openEngine({ url, datamodels, offline, log = () => {} }) {
  const { SchemaEngine } = await loadRuntime();
  const { config, schema } = offline ? {} : parseUrl(url);
  const adapter = offline ? new NoDatabaseAdapter(offline) : new PgMigrationAdapter(config, schema);
  const factory = bindMigrationAwareSqlAdapterFactory(adapter);
  const explain = (err) => {
    const text = err?.message ?? '';
    const id = /External error id#(\d+)/.exec(text)?.[1];
    const external = id === undefined ? undefined : factory.errorRegistry.consumeError(Number(id))?.error;
    const cause = adapter.scriptError ?? external?.cause ?? external;
    if (!cause) return err;
    const { originalMessage = cause.message, originalCode: code = cause.code } = cause;
    const migration = /migration_name="([^"]+)"/.exec(text)?.[1];
    const words = migration === undefined ? originalMessage : `${migration}: ${originalMessage}`;
    return Object.assign(new Error(words), { code });
  };
  try {
    const engine = await SchemaEngine.new({ datamodels }, log, factory);
    return { engine, explain, close: () => adapter.disposeAll() };
  } catch (err) {
    await adapter.disposeAll();
    throw explain(err);
  }
}

module.exports = { openEngine };
