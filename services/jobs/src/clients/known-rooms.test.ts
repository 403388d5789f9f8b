import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@tally/testkit';
import { KnownRooms } from './known-rooms.js';

describe('KnownRooms', () => {
  it('has what results has said of a user, less what was taken', () => {
    const rooms = new KnownRooms(fakeClock());
    expect(rooms.take(1n, 0)).toBe(false);
    rooms.note(1n, 100);
    expect([rooms.take(1n, 60), rooms.take(1n, 60), rooms.take(1n, 40)]).toEqual([true, false, true]);
    expect(rooms.take(2n, 1)).toBe(false);
    rooms.note(1n, -5);
    expect(rooms.take(1n, 0)).toBe(false);
  });

  it('believes it for a minute', async () => {
    const clock = fakeClock();
    const rooms = new KnownRooms(clock);
    rooms.note(1n, 100);
    await clock.advance(59_999);
    expect(rooms.take(1n, 1)).toBe(true);
    await clock.advance(1);
    expect(rooms.take(1n, 1)).toBe(false);
    rooms.note(1n, 100);
    expect(rooms.take(1n, 100)).toBe(true);
  });

  it('forgets whom it has heard of longest ago', () => {
    const rooms = new KnownRooms(fakeClock());
    for (let userId = 1n; userId <= 10_000n; userId++) rooms.note(userId, 1);
    rooms.note(1n, 1);
    rooms.note(10_001n, 1);
    expect([1n, 2n, 3n, 10_001n].map((userId) => rooms.take(userId, 1))).toEqual([true, false, true, true]);
  });
});
