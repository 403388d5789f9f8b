import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findGeant4 } from '@tally/testkit';
import type { CommandConfig, DeckFiles } from '../../src/driver.js';
import { createSimCDriver } from '../../src/sim-c/sim-c-driver.js';
import { buildProject } from '../build-project.js';
import { type ProjectRun, runProject, runTask } from '../run-project.js';
import { realGeant4 } from './compare-pages.js';

const PROGRAM = path.join(import.meta.dirname, '../../../../simulators/geant4');
const GOLDEN = path.join(import.meta.dirname, '../golden/sim-c');
const geant4 = findGeant4();
const driver = createSimCDriver('simC');

/** Decks that together have every command of converted projects, with histories enough that each page gets something. */
const DECKS: readonly (readonly [name: string, primaries: number])[] = [
  ['detectors', 20],
  ['dose-in-zones', 20],
  ['spectrum', 20],
  ['selected-energies', 40],
  ['spot-list', 20],
  ['helium-disk', 5],
  ['oblique-spot', 20],
  ['figure-tree', 20],
];

function readDeck(name: string): DeckFiles {
  const folder = path.join(GOLDEN, name);
  const names = readdirSync(folder).filter((file) => file !== 'warnings.json');
  return Object.fromEntries(names.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
}

function requireGeant4(): CommandConfig {
  if (geant4 === undefined) throw new Error('no Geant4');
  return geant4;
}

describe('the tables that stand in for data of Geant4', () => {
  it('are those of the engine', async () => {
    const script = path.join(PROGRAM, 'scripts/own-tables.mjs');
    const { ownTables } = (await import(script)) as { ownTables: () => Promise<unknown> };
    expect(JSON.parse(readFileSync(path.join(PROGRAM, 'tally_geant4/own_tables.json'), 'utf8'))).toEqual(
      await ownTables(),
    );
  });
});

const reason = geant4 === undefined ? ' (skipped: no geant4-pybind; npm test installs it where it can)' : '';

(geant4 === undefined ? describe.skip : describe)(`simulators/geant4${reason}`, () => {
  it('passes its own tests', () => {
    const args = ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'];
    const env = { ...geant4?.env, PATH: '/usr/bin:/bin' };
    const { status, stderr } = spawnSync(geant4?.executable ?? '', args, { cwd: PROGRAM, env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.stringMatching(/\nRan \d+ tests in .*\n\nOK\n$/)]);
  });

  it.each(DECKS)(
    'runs the deck of %s without a word of complaint, and every page of it gets something',
    async (name, primaries) => {
      const deck = driver.apportion(readDeck(name), { primaries, firstHistory: 0, seed: '1' });
      const { output, lines } = await runTask({ driver, config: requireGeant4() }, deck, primaries);
      expect(lines.filter((line) => line.startsWith('Geant4 warns'))).toEqual([]);
      expect(lines.flatMap((line) => driver.countHistories?.(line) ?? [])).toEqual([primaries]);
      expect(lines.flatMap((line) => driver.progress(line) ?? []).at(-1)).toEqual({ done: primaries });
      expect(output.warnings ?? []).toEqual([]);
      for (const { pageName, moments } of output.pages) {
        const [sums = new Float64Array()] = moments;
        expect([pageName, sums.every(Number.isFinite), sums.some((sum) => sum > 0)]).toEqual([pageName, true, true]);
      }
    },
  );

  it('gives every task of a job its own seeds, the same bytes for the same task, and other bytes for another', async () => {
    const files = readDeck('water-tank');
    const seedsOf = (firstHistory: number) =>
      /\/random\/setSeeds .*/.exec(
        driver.apportion(files, { primaries: 1, firstHistory, seed: '1' })['run.mac'] ?? '',
      )?.[0];
    expect(new Set(Array.from({ length: 1000 }, (_, task) => seedsOf(task))).size).toBe(1000);
    const runShare = async (firstHistory: number, seed: string) => {
      const deck = driver.apportion(files, { primaries: 5, firstHistory, seed });
      return JSON.stringify((await runTask({ driver, config: requireGeant4() }, deck, 5)).output.pages[0]?.moments[0]);
    };
    const [first, again, next, other] = [
      await runShare(0, '1'),
      await runShare(0, '1'),
      await runShare(5, '1'),
      await runShare(0, '2'),
    ];
    expect(again).toBe(first);
    expect(new Set([first, next, other]).size).toBe(3);
  });

  it('gives the same values within their errors for another number of tasks', async () => {
    const program = realGeant4();
    const json = buildProject({ '/beam/numberOfParticles': 900 });
    const [whole, divided] = [await runProject(json, 1, '1', program), await runProject(json, 3, '1', program)];
    const depth = ({ pages }: ProjectRun) => [
      ...(pages.find(({ pageName }) => pageName === 'Dose')?.values.slice(0, 200) ?? []),
    ];
    // over the first 10 cm a proton leaves about 60 MeV, with a deviation of less than 12
    const sums = [whole, divided].map((run) => depth(run).reduce((sum, value) => sum + value, 0));
    expect(sums[0]).not.toBe(sums[1]);
    expect(Math.abs((sums[0] ?? 0) / (sums[1] ?? 1) - 1)).toBeLessThan((5 * 0.2 * Math.SQRT2) / Math.sqrt(900));
  });
});
