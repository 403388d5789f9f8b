import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { TaskOutput } from '@tally/merge';
import { findGeant4 } from '@tally/testkit';
import type { DeckFiles } from '../../src/driver.js';
import { createSimCDriver } from '../../src/sim-c/sim-c-driver.js';

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

/** One task of the deck by the driver's own command. */
async function runDeck(files: DeckFiles, primaries: number): Promise<{ output: TaskOutput; lines: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tally-geant4-'));
  try {
    const deck = driver.apportion(files, { primaries, firstHistory: 0, seed: '1' });
    for (const [name, text] of Object.entries(deck)) writeFileSync(path.join(folder, name), text);
    if (geant4 === undefined) throw new Error('no Geant4');
    const { executable, args, env } = driver.command(geant4, folder, deck);
    const ended = spawnSync(executable, args, { cwd: folder, env: { ...env, TMPDIR: folder }, encoding: 'utf8' });
    if (ended.status !== 0) throw new Error(`Geant4 ended with ${ended.status}: ${ended.stderr}`);
    const names = readdirSync(folder);
    const read = (name: string) => Promise.resolve(readFileSync(path.join(folder, name)));
    return { output: await driver.outputs({ names, read }, primaries), lines: ended.stdout.split('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
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
      const { output, lines } = await runDeck(readDeck(name), primaries);
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
});
