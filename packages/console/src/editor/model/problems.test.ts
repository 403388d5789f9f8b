import { describe, expect, it } from '@jest/globals';
import { createBoard } from './problems.js';

describe('a problem', () => {
  it('is said once, at the nearest place that is on the page, and moves when that goes', () => {
    const board = createBoard();
    board.offer('');
    board.offer('/zoneManager/zones/1');
    const close = board.offer('/zoneManager/zones/1/materialUuid');
    board.show([
      { pointer: '/zoneManager/zones/1/materialUuid', message: 'a' },
      { pointer: '/zoneManager/zones/10', message: 'b' },
    ]);
    const saidAt = (pointer: string) => board.at(pointer).map(({ message }) => message);
    expect([saidAt('/zoneManager/zones/1/materialUuid'), saidAt('/zoneManager/zones/1'), saidAt('')]).toEqual([
      ['a'],
      [],
      ['b'],
    ]);
    close();
    expect([saidAt('/zoneManager/zones/1'), saidAt('')]).toEqual([['a'], ['b']]);
    board.show([]);
    expect(saidAt('/zoneManager/zones/1')).toEqual([]);
  });
});
