// `node tools/image/version.mjs <service>`: the version of an image of the service that is built from this folder.
import fs from 'node:fs';
import path from 'node:path';
import { imageVersion } from '../previous/find-previous.mjs';

const root = path.join(import.meta.dirname, '../..');
const [service] = process.argv.slice(2);
const manifest = path.join(root, 'services', service ?? '', 'package.json');
if (!fs.existsSync(manifest)) {
  console.error('usage: node tools/image/version.mjs <service>');
  process.exit(2);
}
console.log(imageVersion(root, service, JSON.parse(fs.readFileSync(manifest, 'utf8')).version));
