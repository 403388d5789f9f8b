import { describe, expect, it } from '@jest/globals';

import { depthDetector, PHYSICS, quantity, tank } from '../../test/water-tank.js';
import type { Beam, Figure } from './problem.js';
import { findWarnings } from './problem-warnings.js';

const BASE = tank();
const codes = (beam: Partial<Beam>): string[] =>
  findWarnings({ ...BASE, beam: { ...BASE.beam, ...beam } }).map(({ code }) => code);

describe('a problem', () => {
  it('whose beam meets the world, from inside or outside, and whose detectors lie in it has no warnings', () => {
    expect(findWarnings(BASE)).toEqual([]);
    expect(codes({ positionCm: [0, 0, -50] })).toEqual([]);
    expect(codes({ positionCm: [-60, 0, 10], direction: [1, 0, 0] })).toEqual([]);
  });

  it('whose beam passes by the world is told so', () => {
    expect(codes({ positionCm: [20, 0, -50] })).toEqual(['BEAM_MISSES_WORLD']);
    expect(codes({ positionCm: [0, 0, -50], direction: [0, 0, -1] })).toEqual(['BEAM_MISSES_WORLD']);
  });

  it('that scores what only reactions make, without reactions, is told that it is zero', () => {
    const rules = [{ keyword: 'GEN', operator: '>', value: 0 }] as const;
    const secondaries = quantity('Fluence', { name: 'Secondaries', filter: { name: 'f', rules: [...rules] } });
    const outputs = [{ name: 'out', detector: 0, quantities: [quantity('Dose'), secondaries] }];
    const without = { ...BASE, outputs, physics: { ...PHYSICS, nuclearReactions: false } };
    expect(findWarnings(without)).toEqual([
      { code: 'QUANTITY_ZERO', message: expect.stringMatching(/^"Secondaries" of "out" is zero/) },
    ]);
    expect(findWarnings({ ...without, physics: PHYSICS })).toEqual([]);
  });

  it('with spots beside the world is told how many', () => {
    const spot = {
      energyMev: 100,
      energySpreadMev: 0,
      xCm: 0,
      yCm: 0,
      sigmaXCm: 0.3,
      sigmaYCm: 0.3,
      divergenceXMrad: 0,
      divergenceYMrad: 0,
      weight: 1,
    };
    const spots = [spot, { ...spot, xCm: 15 }, { ...spot, yCm: -9 }];
    const [warning] = findWarnings({ ...BASE, beam: { ...BASE.beam, positionCm: [0, 0, -50], spots } });
    expect(warning?.message).toBe('2 of 3 spots pass by the world: their particles are lost');
    // from a source far away the rays turn outwards
    const opened = {
      ...BASE.beam,
      positionCm: [0, 0, -50] as const,
      spots: [{ ...spot, xCm: 6 }],
      sad: { xCm: 60, yCm: 60 },
    };
    expect(findWarnings({ ...BASE, beam: opened }).map(({ code }) => code)).toEqual(['BEAM_MISSES_WORLD']);
  });

  it('with a detector outside the world is told which, if it is used', () => {
    const detectors = [
      { ...depthDetector(5, 10), name: 'far', centerCm: [0, 0, 60] as const },
      {
        type: 'mesh' as const,
        name: 'aside',
        centerCm: [40, 0, 10] as const,
        sizeCm: [2, 2, 2] as const,
        segments: [1, 1, 1] as const,
      },
      depthDetector(5, 10),
    ];
    const outputs = [0, 1, 2].map((detector) => ({ name: String(detector), detector, quantities: [] }));
    expect(findWarnings({ ...BASE, detectors, outputs }).map(({ message }) => message)).toEqual([
      'detector "far" lies outside the world: it will score nothing',
      'detector "aside" lies outside the world: it will score nothing',
    ]);
    expect(findWarnings({ ...BASE, detectors, outputs: outputs.slice(2) })).toEqual([]);
  });

  it('is asked about its own geometry, whatever was asked about before', () => {
    const wide = tank({ radiusCm: 30, depthCm: 50 });
    const from = { ...BASE.beam, positionCm: [20, 0, -50] as const };
    for (let i = 0; i < 3; i++) {
      expect(findWarnings({ ...wide, beam: from })).toEqual([]);
      expect(findWarnings({ ...BASE, beam: from }).map(({ code }) => code)).toEqual(['BEAM_MISSES_WORLD']);
    }
  });

  it('does not need more memory for many geometries than for one', () => {
    const many = { ...BASE, figures: Array.from({ length: 2000 }, () => BASE.figures[0] as Figure) };
    const resident = () => process.memoryUsage().rss;
    findWarnings(many);
    const before = resident();
    for (let i = 0; i < 1000; i++) findWarnings(many);
    expect(resident() - before).toBeLessThan(200e6);
  });
});
