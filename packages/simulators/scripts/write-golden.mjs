// Writes the golden decks of a driver anew: node scripts/write-golden.mjs <sim-a|sim-b|sim-c|sim-d> [project …], after
// `pnpm exec tsc -b packages/simulators`. Read the difference against the format before committing it.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [driver, ...names] = process.argv.slice(2);
const { convert } = await import(path.join(root, `dist/src/${driver}/deck/convert.js`));
const { convertGolden, listGoldenNames, writeGolden } = await import(
  path.join(root, 'dist/test/golden/golden-decks.js')
);
for (const name of names.length > 0 ? names : listGoldenNames(driver)) {
  writeGolden(path.join(root, 'test/golden'), driver, name, convertGolden(convert, name));
}
