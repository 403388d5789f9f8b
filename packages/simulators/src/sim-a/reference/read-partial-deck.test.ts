import { describe, expect, it } from '@jest/globals';
import type { TransportProblem } from '@tally/engine';
import { buildProject } from '../../../test/build-project.js';
import { ConversionError } from '../../conversion-error.js';
import type { DeckFiles } from '../../driver.js';
import { readProject } from '../../project/read-project.js';
import { convert } from '../deck/convert.js';
import { adoptForReference } from './read-deck.js';

const SCORING = `Geometry Mesh
  Name Depth
  X -1 1 1
  Y -1 1 1
  Z 0 20 40
Geometry Plane
  Name Exit
  Point 0 0 20
Filter
  Name pions
  Z == 1
  A == 0
Settings
  Name shifted
  Offset 3
Output
  Filename depth.bdo
  Geo Depth
  Quantity Dose
  Quantity Alanine
  Quantity Fluence pions
  Diff1 0 10 5
  Diff1Type E
  Quantity Fluence
  Diff1 0 300 5
  Diff1Type E
  Quantity Dose shifted
Output
  Filename exit.bdo
  Geo Exit
  Quantity Fluence
`;

function deckWith(scoring: string): DeckFiles {
  return { ...convert(readProject(buildProject({}))).files, 'detect.dat': scoring };
}

function errorOf(action: () => unknown): ConversionError {
  try {
    action();
  } catch (err) {
    if (err instanceof ConversionError) return err;
    throw err;
  }
  throw new Error('nothing was refused');
}

describe('a deck of simA of which the built-in engine cannot score everything', () => {
  it('is refused by choice, with every line that no engine could score', () => {
    const { reason, items } = errorOf(() => adoptForReference(deckWith(SCORING)));
    expect(reason).toBe('FILES_INVALID');
    expect(items.map(({ message }) => /^line \d+/.exec(message)?.[0])).toEqual(['line 6', 'line 15', 'line 20']);
  });

  it('is taken by choice without that; the files stay as they are', () => {
    const deck = deckWith(SCORING);
    const { files, warnings } = adoptForReference(deck, 'omit');
    expect(warnings.map(({ code, message }) => `${code} ${message.replace(/: .*/, '')}`)).toEqual(
      [
        '"Alanine" of output "depth"',
        '"Fluence" of output "depth"',
        '"Dose" of output "depth"',
        '"Fluence" of output "exit"',
      ].map((quantity) => `QUANTITY_OMITTED ${quantity} is left out`),
    );
    expect(files['detect.dat']).toBe(SCORING);
    const { outputs } = JSON.parse(files['problem.json'] ?? '') as TransportProblem;
    expect(outputs.map(({ name, quantities }) => [name, quantities.map(({ keyword }) => keyword)])).toEqual([
      ['depth', ['Dose', 'Fluence']],
    ]);
    expect(outputs[0]?.quantities[1]?.modifiers).toMatchObject([{ upper: 300 }]);
  });

  it('is refused all the same for what is wrong with it, which alone is named', () => {
    const wrong = SCORING.replace('Geo Depth', 'Geo Death');
    const { items } = errorOf(() => adoptForReference(deckWith(wrong), 'omit'));
    expect(items.map(({ message }) => message)).toEqual(['line 16: must have a Geo that names a geometry above']);
    const other = { ...deckWith(SCORING), 'beam.dat': 'NSTAT many' };
    expect(errorOf(() => adoptForReference(other, 'omit')).items.every(({ path }) => path === '/beam.dat')).toBe(true);
  });

  it('is refused where nothing would be left', () => {
    const nothing = SCORING.replace(/^ {2}Quantity.*$/gm, '  Quantity Alanine');
    const { items } = errorOf(() => adoptForReference(deckWith(nothing), 'omit'));
    expect(items.map(({ message }) => /^line (\d+)/.exec(message)?.[1])).toEqual(['6', '19', '20', '21', '24', '27']);
    expect(errorOf(() => adoptForReference(deckWith(''), 'omit')).items).toHaveLength(1);
  });
});
