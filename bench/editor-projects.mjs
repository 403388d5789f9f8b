// The engine beside the results that the YAPTIDE editor ships with its example projects, each project as it stands: the depth R80 of the dose
// along the beam, by the same reading of both. node bench/editor-projects.mjs FOLDER [primaries, default 40000], where FOLDER is
// public/examples of a checkout of the editor (github.com/yaptide/ui), which is not part of this repository. Needs a build (pnpm build).
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { simulate } from '../packages/engine/dist/src/index.js';
import { readCurve } from '../packages/merge/dist/src/readings/readings.js';
import { convertProject, describeProject, findDriver, readProject } from '../packages/simulators/dist/src/index.js';

const [folder, primaries = '40000'] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node bench/editor-projects.mjs FOLDER [primaries]');

/** The simulator that computed the results shipped with a project. */
const SIM_TYPES = { shieldhit: 'simA', fluka: 'simB', common: 'simB', geant4: 'simC' };
const DOSES = new Set(['Dose', 'DoseGy', 'DDD', 'Energy']);

/** The sums of a page, its first axis fastest, over one of its axes. */
function alongAxis({ axes, values }, name) {
  const place = axes.findIndex((axis) => new RegExp(`\\(${name}\\)|^${name}\\b`, 'i').test(axis.name));
  if (place === -1) return undefined;
  const { centers } = axes[place];
  const stride = axes.slice(0, place).reduce((product, axis) => product * axis.centers.length, 1);
  const sums = new Float64Array(centers.length);
  values.forEach((value, index) => {
    sums[Math.floor(index / stride) % centers.length] += value;
  });
  return { centers, values: sums };
}

/** The editor's page: its first dimension is the slower one. */
function shippedPage({ axisDim1, axisDim2, data }) {
  const axes = [axisDim2, axisDim1].filter(Boolean);
  return { axes: axes.map(({ name, values }) => ({ name, centers: values })), values: data.values };
}

/** R80 from the beam's first matter on; the dose against the axis is turned. */
function rangeOf(bins, { sign, first_matter_cm: first }, kind) {
  if (bins === undefined) return undefined;
  const turned =
    sign > 0 ? bins : { centers: bins.centers.map((center) => -center).toReversed(), values: bins.values.toReversed() };
  const firstMatter = first === null ? undefined : first * sign;
  const readings = readCurve(turned, {
    kind: 'depth',
    particle: kind === 'ion' ? 'ion' : kind,
    unit: 'cm',
    firstMatter,
  });
  return readings.find(({ name }) => name === 'R80' || (kind !== 'ion' && name === 'R50'));
}

for (const name of readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort()) {
  const text = readFileSync(path.join(folder, name), 'utf8');
  if (text === '') continue;
  const { input, estimators } = JSON.parse(text);
  const json = input.inputJson;
  const simType = SIM_TYPES[json.project.simulator];
  const project = readProject(json);
  const { files } = convertProject(findDriver(simType, 'editor'), project, 'omit');
  const problem = JSON.parse(files['problem.json']);
  const { depth, kind, beam, water_ionisation_ev: water } = describeProject(project, simType);
  const { pages } = await simulate(
    problem,
    { primaries: Number(primaries), firstHistory: 0, seed: '7' },
    { threads: 2 },
  );
  const found = [];
  for (const [index, { name: estimator, pages: shippedPages }] of estimators.entries()) {
    const output = problem.outputs.find((one) => one.name === estimator) ?? problem.outputs[index];
    for (const shipped of shippedPages.filter(
      ({ dimensions, name: title, metadata }) => dimensions > 0 && (DOSES.has(title) || metadata?.name === 'DOSE'),
    )) {
      const quantity = output.quantities.find(({ keyword, filter }) => DOSES.has(keyword) && filter === undefined);
      const page = pages.find(
        ({ estimatorName, pageName }) => estimatorName === output.name && pageName === quantity?.name,
      );
      if (page === undefined) continue;
      const one = rangeOf(alongAxis(shippedPage(shipped), depth.axis), depth, kind);
      const other = rangeOf(alongAxis({ axes: page.axes, values: page.moments[0] }, depth.axis), depth, kind);
      if (one !== undefined && other !== undefined)
        found.push({ estimator, dimensions: shipped.dimensions, one, other });
    }
  }
  const [best] = found.sort((a, b) => a.dimensions - b.dimensions);
  const cells =
    best &&
    [best.one, best.other].map(({ value, error }) => `${value.toFixed(3)} ± ${(error ?? Number.NaN).toFixed(3)}`);
  console.log(
    [
      name,
      beam,
      `${simType}, I(water) ${water} eV`,
      best?.estimator,
      best?.one.name,
      ...(cells ?? []),
      best && `${(10 * (best.other.value - best.one.value)).toFixed(2)} mm`,
    ].join(' | '),
  );
}
