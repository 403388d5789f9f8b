// Two readings of a folder of protos: its descriptors, read by the protobuf runtime, which knows nothing of our code, and
// the code that services use, generated and bundled here, so that two releases can stand in one process.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.join(import.meta.dirname, '../..');
const contracts = path.join(root, 'packages/contracts');
const require = createRequire(path.join(contracts, 'package.json'));
/** The protobuf runtime that our generated code stands on. */
export const protobuf = { ...require('@bufbuild/protobuf'), ...require('@bufbuild/protobuf/reflect') };
const { FileDescriptorSetSchema } = require('@bufbuild/protobuf/wkt');

/** Not ours: Google's error model and the health protocol. */
const isOurs = (file) => !/^(google|grpc)\//.test(file.name);

/** Runs buf: `{status, stdout, stderr}`. */
export function runBuf(...args) {
  return spawnSync(path.join(root, 'node_modules/.bin/buf'), args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}` },
  });
}

/** Runs buf; throws what it says. */
export function buf(...args) {
  const { status, stdout, stderr } = runBuf(...args);
  if (status !== 0) throw new Error(`${stdout}${stderr}`.trim());
}

/** Generates and bundles the code of a folder of protos; an export for each of the files. Returns the bundle's name. */
async function bundleCode(protoDir, workDir, files) {
  buf('generate', protoDir, '--template', path.join(contracts, 'buf.gen.yaml'), '--output', workDir);
  const entry = path.join(workDir, 'entry.ts');
  const lines = files.map((file, i) => `export * as file${i} from './src/gen/${file.name}.js';`);
  fs.writeFileSync(entry, lines.join('\n'));
  const outfile = path.join(workDir, 'contracts.cjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    nodePaths: [path.join(contracts, 'node_modules')],
    logLevel: 'error',
  });
  return outfile;
}

/** Our codecs by full name of the message. */
function codecsOf(bundle, files) {
  const codecOf = (file, message) => {
    const inFile = message.typeName.slice(file.proto.package.length + 1).replaceAll('.', '_');
    return bundle[`file${files.indexOf(file)}`][inFile];
  };
  return new Map(files.flatMap((file) => file.messages.map((message) => [message.typeName, codecOf(file, message)])));
}

/** Descriptors of our files in an image that buf built. */
export function loadFiles(image) {
  const set = protobuf.fromBinary(FileDescriptorSetSchema, fs.readFileSync(image));
  return [...protobuf.createFileRegistry(set).files].filter(isOurs);
}

/** `{methods, messages, enums, codecs, file}` of the protos of a release; the bundled code is `file`, below `workDir`. */
export async function loadContracts(protoDir, workDir) {
  fs.mkdirSync(workDir, { recursive: true });
  const image = path.join(workDir, 'image.binpb');
  buf('build', protoDir, '--output', image);
  const files = loadFiles(image);
  const file = await bundleCode(protoDir, workDir, files);
  const methods = files.flatMap((file) => file.services.flatMap((service) => service.methods));
  return {
    methods: new Map(methods.map((method) => [`/${method.parent.typeName}/${method.name}`, method])),
    messages: new Map(files.flatMap((file) => file.messages.map((message) => [message.typeName, message]))),
    enums: new Map(files.flatMap((file) => file.enums.map((entry) => [entry.typeName, entry]))),
    codecs: codecsOf(require(file), files),
    file,
  };
}
