import { describe, expect, it } from '@jest/globals';
import { mergePage, type TaskOutput } from '@tally/merge';
import type { Manifest, SourceAxis } from '../src/driver.js';
import { convert } from '../src/sim-d/deck/convert.js';
import { readOutputs } from '../src/sim-d/output/outputs.js';
import { convertGolden, listGoldenNames } from './golden/golden-decks.js';
import { folderOf } from './output/output-folder.js';
import { writeScorer } from './output/scorer-file.js';

const DECK = 'topas_config.txt';
const PRIMARIES = 10;
/** What the bins hold, in the unit of the file: no two are equal. */
const meanOf = (cell: number, bin: number) => 1 + cell + bin / 64;

/** Parameters of a deck by name. */
function readParameters(deck: string): ReadonlyMap<string, string> {
  return new Map(
    deck.split('\n').flatMap((line): [string, string][] => {
      const [, name, value] = /^\w+:(\S+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value.replaceAll('"', '')]];
    }),
  );
}

/** What a simulator of that version writes for a deck. */
function simulate(deck: string, version: string): Record<string, string> {
  const parameters = readParameters(deck);
  const get = (name: string): string => parameters.get(name) ?? '';
  const scorers = [...parameters.keys()].flatMap((name) => /^Sc\/(\w+)\/Quantity$/.exec(name)?.[1] ?? []);
  return Object.fromEntries(
    scorers.map((scorer) => {
      const [sc, ge] = [`Sc/${scorer}`, `Ge/${get(`Sc/${scorer}/Component`)}`];
      const quantity = get(`${sc}/Quantity`);
      const names = get(`${ge}/Type`) === 'TsCylinder' ? ['R', 'Phi', 'Z'] : ['X', 'Y', 'Z'];
      const energyBins = Number(get(`${sc}/EBins`) || 0);
      const text = writeScorer({
        version,
        scorer,
        quantity,
        unit: { DoseToMedium: 'Gy', DoseToMaterial: 'Gy', EnergyDeposit: 'MeV' }[quantity] ?? '/mm2',
        axes: names.map((name) => ({ name, bins: Number(get(`${ge}/${name}Bins`) || 1), size: 1, unit: 'cm' })),
        ...(energyBins === 0 ? {} : { energy: { isIncident: get(`${sc}/EBinEnergy`) !== 'PreStep', bins: energyBins, minMev: parseMev(get(`${sc}/EBinMin`)), maxMev: parseMev(get(`${sc}/EBinMax`)) } }), // biome-ignore format: one line
        mean: meanOf,
        primaries: PRIMARIES,
      });
      return [`${get(`${sc}/OutputFile`)}.csv`, text];
    }),
  );
}

function parseMev(text: string): number {
  if (!text.endsWith(' MeV')) throw new Error(`${text} is not in MeV`);
  return Number(text.slice(0, -' MeV'.length));
}

/** Merged values of every page, in the unit of the file: without the factor to the page's own. */
function valuesOf({ primaries, batches, pages }: TaskOutput): number[][] {
  return pages.map((page) => {
    const { values } = mergePage(page, [{ primaries, batches, moments: page.moments }]);
    return [...values].map((value) => value / page.scale);
  });
}

const isSpectrum = (axis: SourceAxis | undefined) => axis?.name === 'E';

/** The same from the deck's own axes: contents of bins of energy are shown a MeV. */
function expectedOf(manifest: Manifest): number[][] {
  return manifest.estimators.flatMap(({ pages }) =>
    pages.map(({ source }) => {
      const axes = source?.axes ?? [];
      const energy = axes.find(isSpectrum);
      const cells = axes.filter((axis) => !isSpectrum(axis)).reduce((product, { bins }) => product * bins, 1);
      const width = energy === undefined ? 1 : (energy.upper - energy.lower) / energy.bins;
      return Array.from(
        { length: cells * (energy?.bins ?? 1) },
        (_, at) => meanOf(at % cells, Math.floor(at / cells)) / width,
      );
    }),
  );
}

const projects = listGoldenNames('sim-d')
  .map((name) => ({ name, files: convertGolden(convert, name) }))
  .filter(({ files }) => files[DECK] !== undefined);

describe('what simD writes for the decks of golden projects', () => {
  it('has spectra among it, and cylinders', () => {
    const decks = projects.map(({ files }) => files[DECK] ?? '').join('');
    expect(decks).toContain('/EBins');
    expect(decks).toContain('/RBins');
  });

  it.each(projects)('is read alike of $name, whichever order rows have', async ({ files }) => {
    const deck = (files[DECK] ?? '').replaceAll(/(NumberOfHistoriesInRun = )\d+/g, `$1${PRIMARIES}`);
    const sources = deck.match(/NumberOfHistoriesInRun/g)?.length ?? 0;
    const manifest = JSON.parse(files['manifest.json'] ?? '') as Manifest;
    const read = (version: string) =>
      readOutputs(folderOf({ ...files, [DECK]: deck, ...simulate(deck, version) }), 'simD', sources * PRIMARIES);
    const [old, recent] = [await read('3.9'), await read('4.2.p3')];
    expect(recent).toEqual(old);
    expect(old.warnings).toBeUndefined();
    const expected = expectedOf(manifest);
    for (const [page, values] of valuesOf(old).entries()) {
      expect(values).toHaveLength(expected[page]?.length ?? 0);
      for (const [bin, value] of values.entries())
        expect((sources * value) / (expected[page]?.[bin] ?? 0)).toBeCloseTo(1, 12);
    }
  });
});
