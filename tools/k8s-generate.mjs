// `pnpm k8s:gen`: from the services' configuration schemas to the chart's facts and values schema, and from the chart to
// k8s/manifests. `pnpm check:k8s` says when that has to be done.
import fs from 'node:fs';
import path from 'node:path';
import { chartFiles, manifestFiles, readServices } from './k8s/generated-files.mjs';
import { root } from './k8s/service-facts.mjs';

function write(files) {
  for (const [file, text] of files) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
}

const services = await readServices();
write(chartFiles(services));
fs.rmSync(path.join(root, 'k8s/manifests'), { recursive: true, force: true });
write(manifestFiles()); // renders the chart with the facts written above
process.exit(0);
