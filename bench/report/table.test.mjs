import { describe, expect, it } from '@jest/globals';
import { tableOf, withTable } from './table.mjs';

const rowOf = (load, floor, budget) => tableOf({ load }, { load: floor }, { load: budget }).at(-1);

describe('a row', () => {
  it('has the processor time beside that of the floor', () => {
    const load = { shows: 'rate', rate: 400, cpuMs: 3, peakMiB: { jobs: 90, postgresql: 500 } };
    const floor = { shows: 'rate', rate: 900, cpuMs: 2 };
    expect(rowOf(load, floor, { cpuMs: 5 })).toBe(
      '| load | 400/s | 3 ms | 90 MiB | 900/s | 2 ms | 1.5× | 5 ms of processor |',
    );
  });

  it('has the time beside that of the floor where no processor time was measured', () => {
    expect(rowOf({ shows: 'p50Ms', p50Ms: 150 }, { shows: 'p50Ms', p50Ms: 50 }, { ms: 200 })).toBe(
      '| load | 150 ms |  |  | 50 ms |  | 3× | 200 ms |',
    );
  });

  it('says which budget is exceeded', () => {
    const load = { shows: 'p50Ms', p50Ms: 1_000, cpuMs: 2_000, peakMiB: { gateway: 360, results: 340 } };
    expect(rowOf(load, undefined, { ms: 2_800, peakMiB: 350 })).toContain('| 2800 ms, 350 MiB OVER |');
  });

  it('shows an idle suite by its cores and memory', () => {
    expect(rowOf({ shows: 'pssMiB', cores: 0.02, pssMiB: 460 }, undefined, { cores: 0.03, pssMiB: 450 })).toBe(
      '| load |  | 0.02 cores | 460 MiB |  |  |  | 0.03 cores, 450 MiB OVER |',
    );
  });

  it('says why a load was refused', () => {
    expect(rowOf({ shows: 'p50Ms', errors: { 'status 413': 3 } }, undefined, { ms: 1 })).toContain(
      'refused: status 413',
    );
  });
});

it('stands in a document between its marks', () => {
  const text = 'before\n<!-- pnpm bench --write -->\nold\n<!-- end -->\nafter';
  expect(withTable(text, ['a', 'b'])).toBe('before\n<!-- pnpm bench --write -->\na\nb\n<!-- end -->\nafter');
  expect(() => withTable('no marks', [])).toThrow('pnpm bench --write');
});
