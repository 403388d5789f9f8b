import { describe, expect, it } from '@jest/globals';
import { readScoreMeshes } from './read-score-meshes.js';

const read = (...lines: string[]) => Object.fromEntries(readScoreMeshes({ 'run.mac': lines.join('\n') }));
const BOX = ['/score/create/boxMesh box', '/score/mesh/boxSize 10 20 30', '/score/mesh/nBin 1 2 3'];
const limits = (axes: ReturnType<typeof read>[string] | undefined) =>
  axes?.map(({ name, unit, lower, upper, bins }) => [name, unit, lower, upper, bins]);

describe('scoring meshes of a macro', () => {
  it('have their half sizes around where they are moved, in centimetres, whatever unit they are in', () => {
    const { box } = read(...BOX, '/score/mesh/translate/xyz 0 0 1 m', '/score/quantity/doseDeposit dose');
    expect(limits(box)).toEqual([
      ['x', 'cm', -1, 1, 1],
      ['y', 'cm', -2, 2, 2],
      ['z', 'cm', 97, 103, 3],
    ]);
  });

  it('are read as r, phi, z of cylinders, with angles and without the inner radius that Geant4 ignores', () => {
    const { tube } = read(
      '/score/create/cylinderMesh tube',
      '  /score/mesh/cylinderSize 5 10 cm',
      '/score/mesh/cylinderRMin 2 cm',
      '/score/mesh/cylinderAngles 90 180 deg',
      '/score/mesh/nBin 3 20 4',
    );
    expect(limits(tube)).toEqual([
      ['r', 'cm', 0, 5, 3],
      ['phi', 'deg', 90, 270, 4],
      ['z', 'cm', -10, 10, 20],
    ]);
  });

  it('get what is said while they are open, and nothing of others', () => {
    const { box } = read(
      ...BOX,
      '/score/close',
      '/score/mesh/translate/xyz 5 5 5 cm',
      '/score/create/probe probe 1 cm',
      '/score/mesh/translate/xyz 6 6 6 cm',
      '/score/open box',
      '/score/mesh/translate/xyz 0 0 7 cm',
    );
    expect(limits(box)?.[2]).toEqual(['z', 'cm', 4, 10, 3]);
  });

  it.each([
    ['turned', [...BOX, '/score/mesh/rotate/rotateX 30 deg']],
    [
      'of a size that is an alias',
      ['/score/create/boxMesh box', '/score/mesh/boxSize {half} 1 1 cm', '/score/mesh/nBin 1 1 1'],
    ],
    ['of an unknown unit', [...BOX, '/score/mesh/translate/xyz 0 0 1 parsec']],
    ['without bins', BOX.slice(0, 2)],
    ['of no volume', ['/score/create/boxMesh box', '/score/mesh/boxSize 0 1 1 cm', '/score/mesh/nBin 1 1 1']],
    ['made twice', [...BOX, ...BOX]],
  ])('are left out when %s', (_, lines) => {
    expect(read(...lines)).toEqual({});
  });
});
