// A CPU profile as a page that any browser opens without a network: d3-flame-graph and the numbers in one file.
import fs from 'node:fs';
import { build } from 'esbuild';

const PAGE_SCRIPT = `
import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';
const chart = flamegraph().width(innerWidth - 40).inverted(true).minFrameSize(1).transitionDuration(150);
const total = profile.value;
chart.label(({ data }) => data.name + ': ' + data.value.toFixed(1) + ' ms, ' + (100 * data.value / total).toFixed(1) + ' %');
chart.setDetailsElement(document.querySelector('output'));
select('#chart').datum(profile).call(chart);
document.querySelector('input').oninput = ({ target }) => (target.value === '' ? chart.clear() : chart.search(target.value));
document.querySelector('button').onclick = () => chart.resetZoom();
`;
/** Frames of V8 that are no work. */
const WAITING = new Set(['(idle)', '(root)']);

let bundled;
/** Script and style of every page. */
async function bundle() {
  const { outputFiles } = await build({
    stdin: { contents: PAGE_SCRIPT, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    outdir: '/',
    format: 'iife',
  });
  const find = (extension) => outputFiles.find(({ path: file }) => file.endsWith(extension))?.text ?? '';
  return { script: find('.js'), style: find('.css') };
}

/** `update /task-store.ts:12`, of a package `query pg/lib/client.js:567`. */
function nameOf({ functionName, url, lineNumber }) {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^file:.*?\/((?:services|packages)\/)/, '$1');
  return `${functionName || '(anonymous)'}${file === '' ? '' : ` ${file}:${lineNumber + 1}`}`;
}

/** The profile as a tree `{name, value, children}` of milliseconds, what waits left out. */
export function toTree({ nodes, samples, timeDeltas }) {
  const selfUs = new Map();
  for (const [i, id] of samples.entries()) selfUs.set(id, (selfUs.get(id) ?? 0) + timeDeltas[i]);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node) => {
    const children = (node.children ?? []).map((id) => visit(byId.get(id))).filter(({ value }) => value > 0);
    const own = WAITING.has(node.callFrame.functionName) ? 0 : (selfUs.get(node.id) ?? 0) / 1000;
    const value = children.reduce((sum, child) => sum + child.value, own);
    return { name: nameOf(node.callFrame), value, children };
  };
  return visit(nodes[0]);
}

export async function writeFlameGraph(profile, title, file) {
  bundled ??= bundle();
  const { script, style } = await bundled;
  const tree = toTree(profile);
  const page = `<!doctype html>
<meta charset="utf-8">
<title>${title}</title>
<style>body { font: 14px sans-serif; margin: 20px } output { display: block; min-height: 1.5em } ${style}</style>
<h1>${title}: ${tree.value.toFixed(0)} ms</h1>
<p><input placeholder="search"> <button>all</button></p>
<output></output>
<div id="chart"></div>
<script>const profile = ${JSON.stringify(tree).replaceAll('<', '\\u003c')};</script>
<script>${script.replaceAll('</script', '<\\/script')}</script>
`;
  fs.writeFileSync(file, page);
}
