// `node tools/template-pictures.mjs [folder]`: draws picture.png of every template in a folder (examples/templates unless given), as the
// console's preview shows its project. Needs Chromium (`TALLY_INSTALL=1 npm test` installs it where it can).
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { findChromium } from '../packages/testkit/dist/src/index.js';

const root = path.join(import.meta.dirname, '..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'examples/templates'));
/** As wide as a card of the gallery, at twice its pixels. */
const [width, height, scale] = [400, 230, 1.5];

const scene = path.join(root, 'packages/console/src/submit/scene.ts');
const { outputFiles } = await build({
  stdin: {
    contents: `import { showScene } from ${JSON.stringify(scene)}; globalThis.showScene = showScene;`,
    resolveDir: root,
  },
  bundle: true,
  format: 'iife',
  write: false,
});

const names = fs
  .readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && fs.existsSync(path.join(folder, entry.name, 'project.json')))
  .map(({ name }) => name);
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: scale });
  for (const name of names) {
    const project = JSON.parse(fs.readFileSync(path.join(folder, name, 'project.json'), 'utf8'));
    await page.setContent(
      '<style>body{margin:0;background:#eef3f5}div{height:100vh}canvas{display:block}</style><div></div>',
    );
    await page.addScriptTag({ content: outputFiles[0].text });
    await page.evaluate(async (shown) => {
      globalThis.showScene(document.querySelector('div'), shown, false);
      for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    }, project);
    await page.screenshot({ path: path.join(folder, name, 'picture.png') });
    console.log(`${name}: ${fs.statSync(path.join(folder, name, 'picture.png')).size} bytes`);
  }
} finally {
  await browser.close();
}
