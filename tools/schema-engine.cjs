#!/usr/bin/env node
'use strict';
// Stand-in for Prisma's native `schema-engine`, PostgreSQL only: same command line, same JSON-RPC lines over stdio.
// The stock CLI starts it through PRISMA_SCHEMA_ENGINE_BINARY (see prisma.mjs).
const fs = require('node:fs');
const readline = require('node:readline');
const { openEngine } = require('./pg-engine.cjs');
const { adminConfig, createDatabase, parseUrl, quoteIdent, runOnce } = require('./pg-url.cjs');

const RPC_ERROR_CODE = 4466; // the code of the native engine's errors
const FIRST_PRINT_ID = 1e6; // far from the ids of the CLI's own requests

const options = readOptions(process.argv.slice(2));

function readOptions(argv) {
  const read = { datamodels: [], version: false, url: undefined, command: undefined };
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '--version') read.version = true;
    else if (argv[i] === '--datamodels') read.datamodels.push(argv[++i]);
    else if (argv[i] === '--datasource') read.url = JSON.parse(argv[++i]).url;
    else if (argv[i] === 'cli') read.command = argv[++i];
    else if (argv[i].startsWith('--')) i++; // --enabled-preview-features, --extension-types: nothing to do for us
  }
  return read;
}

function log(level, fields) {
  const target = level === 'ERROR' ? 'schema_engine::logger' : 'schema_engine';
  process.stderr.write(`${JSON.stringify({ timestamp: new Date().toISOString(), level, fields, target })}\n`);
}

// ---- `schema-engine cli <command>`: once, answer by exit code ----

function describeFailure(err, config) {
  if (err.code === '3D000') return ['P1003', `Database \`${config.database}\` does not exist`];
  if (err.code === '28P01' || err.code === '28000') {
    return ['P1000', `Authentication failed for \`${config.user}\`: ${err.message}`];
  }
  return ['P1001', `Can't reach database server at \`${config.host}:${config.port}\` (${err.message})`];
}

async function runDatabaseCommand(command) {
  const { config } = parseUrl(options.url);
  log('INFO', { message: 'Starting schema engine CLI' }); // the CLI drops the first line on stderr
  try {
    if (command === 'can-connect-to-database') await runOnce(config, 'SELECT 1');
    else if (command === 'create-database') await createDatabase(config);
    else if (command === 'drop-database') {
      await runOnce(adminConfig(config), `DROP DATABASE ${quoteIdent(config.database)} WITH (FORCE)`);
      log('INFO', { message: 'The database was successfully dropped' });
    } else throw new Error(`unknown command ${command}`);
    return 0;
  } catch (err) {
    const [code, message] = describeFailure(err, config);
    log('ERROR', { is_panic: false, error_code: code, message });
    return 1;
  }
}

// ---- without a command: JSON-RPC, one request per line ----

let opened;
let printId = FIRST_PRINT_ID;
const send = (reply) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...reply })}\n`);

async function open(method) {
  const datamodels = options.datamodels.length
    ? options.datamodels.map((file) => [file, fs.readFileSync(file, 'utf8')])
    : undefined;
  if (!options.url) return openEngine({ datamodels, offline: 'no datasource url' });
  try {
    return await openEngine({ url: options.url, datamodels });
  } catch (err) {
    if (method !== 'diff') throw err;
    return openEngine({ datamodels, offline: err.message });
  }
}

async function call(method, params) {
  opened ??= await open(method);
  const { engine, explain } = opened;
  try {
    return await engine[method](params);
  } catch (err) {
    // evaluateDataLoss and createMigration read a cache of the migration history: fill it through a shadow database
    if (!params?.migrationsList || !/shadow DB must be provided/.test(err?.message)) throw explain(err);
    const { migrationsList, filters } = params;
    await engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: true, filters });
    return engine[method](params);
  }
}

async function answer(request) {
  if (!request.method) return; // the CLI acknowledging a `print`
  try {
    const method = request.method === 'getDatabaseVersion' ? 'version' : request.method;
    const result = await call(method, request.params);
    if (method === 'diff' && result?.stdout) {
      send({ id: printId++, method: 'print', params: { content: result.stdout } });
      delete result.stdout;
    }
    send({ id: request.id, result: result ?? null });
  } catch (err) {
    const isPanic = err?.name === 'RuntimeError';
    const message = isPanic ? globalThis.PRISMA_WASM_PANIC_REGISTRY.message : err.message;
    const data = { is_panic: isPanic, message, error_code: err.code, meta: null };
    send({ id: request.id, error: { code: RPC_ERROR_CODE, message: err.message, data } });
  }
}

function serve() {
  let last = Promise.resolve(); // the engine handles one request at a time
  readline
    .createInterface({ input: process.stdin, crlfDelay: Infinity })
    .on('line', (line) => {
      if (line.trim()) last = last.then(() => answer(JSON.parse(line)));
    })
    .on('close', () => void last.then(() => process.exit(0)));
}

if (options.version) console.log('schema-engine-cli wasm');
else if (options.command) void runDatabaseCommand(options.command).then((code) => process.exit(code));
else serve();
