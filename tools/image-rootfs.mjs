// `pnpm image:rootfs <service> [--out DIR] [--version V]`: the file system that the image of a service adds to its base, without
// Docker. The version is that of tools/image/version.mjs unless it is given.
//
//   /app/package.json  dist/  node_modules/   the service's build and its production dependencies
//   /app/prisma/migrations  tools/            services with a database: what its migrate job runs
//   /app/image.json  tools/health-check.mjs   what it is, the settings it knows, the health check of the container
//   /app/sbom.cdx.json                        bill of materials
//
// Nothing else: no sources, tests, types, source maps or package manager. The Dockerfile runs the same script.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { envName } from '../packages/service-kit/dist/src/index.js';
import { billOfMaterials } from './image/bill-of-materials.mjs';
import { copyForeignPackage, copyOwnPackage } from './image/copy-package.mjs';
import { productionPackages } from './image/production-packages.mjs';
import { imageVersion } from './previous/find-previous.mjs';

const root = path.join(import.meta.dirname, '..');
const MIGRATE_FILES = ['migrate-deploy.mjs', 'pg-engine.cjs', 'pg-migration-adapter.cjs', 'pg-url.cjs'];
/** What those files import. */
const MIGRATE_PACKAGES = ['@prisma/adapter-pg', '@prisma/driver-adapter-utils', '@prisma/schema-engine-wasm'];

function copyFile(from, to) {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.copyFileSync(from, to);
}

function copyMigrate(serviceDir, app) {
  fs.cpSync(path.join(serviceDir, 'prisma/migrations'), path.join(app, 'prisma/migrations'), { recursive: true });
  for (const file of MIGRATE_FILES) copyFile(path.join(root, 'tools', file), path.join(app, 'tools', file));
}

/** Assembles the root of a service's image in `out`, which is emptied first; returns `out`. */
export async function assembleRoot(service, { out = path.join(root, '.tally/images', service), version } = {}) {
  const dir = path.join(root, 'services', service);
  if (!/^[a-z-]+$/.test(service) || !fs.existsSync(dir)) throw new Error(`there is no service ${service}`);
  const source = JSON.parse(fs.readFileSync(path.join(dir, 'package.json'), 'utf8'));
  const manifest = { ...source, version: version ?? imageVersion(root, service, source.version) };
  const hasDatabase = fs.existsSync(path.join(dir, 'prisma/migrations'));
  const wanted = [
    ...Object.keys(manifest.dependencies).map((name) => ({ name, from: dir })),
    ...(hasDatabase ? MIGRATE_PACKAGES.map((name) => ({ name, from: root })) : []),
    { name: '@grpc/grpc-js', from: path.join(root, 'packages/contracts') }, // the health check
  ];
  const packages = productionPackages(wanted);
  const app = path.join(out, 'app');
  fs.rmSync(out, { recursive: true, force: true });
  copyOwnPackage({ dir, manifest }, app);
  for (const [place, entry] of packages) {
    const to = path.join(app, 'node_modules', place);
    if (entry.name.startsWith('@tally/')) copyOwnPackage(entry, to);
    else copyForeignPackage(entry, to);
  }
  if (hasDatabase) copyMigrate(dir, app);
  copyFile(path.join(root, 'tools/image/health-check.mjs'), path.join(app, 'tools/health-check.mjs'));
  copyFile(path.join(root, 'LICENSE'), path.join(app, 'LICENSE'));
  const config = await import(pathToFileURL(path.join(dir, 'dist/src/config.js')).href);
  const schema = Object.entries(config).find(([name]) => name.endsWith('ConfigSchema'))[1];
  const image = {
    service,
    version: manifest.version,
    protocol: service === 'gateway' ? 'http' : 'grpc',
    listenVariable: envName(config.CONFIG_PREFIX, 'listenAddress'),
    settings: Object.keys(schema).map((property) => envName(config.CONFIG_PREFIX, property)),
  };
  fs.writeFileSync(path.join(app, 'image.json'), `${JSON.stringify(image, null, 2)}\n`);
  const described = { name: manifest.name, version: manifest.version, dependencies: wanted.map(({ name }) => name) };
  fs.writeFileSync(path.join(app, 'sbom.cdx.json'), billOfMaterials(described, packages));
  return out;
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    options: { out: { type: 'string' }, version: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.length !== 1) {
    console.error('usage: pnpm image:rootfs <service> [--out <folder, emptied first>] [--version <version>]');
    process.exit(2);
  }
  const out = await assembleRoot(positionals[0], values);
  console.log(out);
}
