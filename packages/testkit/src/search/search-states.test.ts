import { describe, expect, it } from '@jest/globals';
import { replaySteps, type SearchModel, type SearchStep, searchStates } from './search-states.js';

/** Two actors add one to a number: each reads it, then writes. */
interface Counter {
  readonly value: number;
  /** What each has read; `done` after it has written. */
  readonly read: readonly (number | 'done' | undefined)[];
}

const replaced = (counter: Counter, actor: number, read: number | 'done', value = counter.value): Counter => ({
  value,
  read: counter.read.map((old, i) => (i === actor ? read : old)),
});

/** @param isAtomic - reads and writes are one statement */
function counter(isAtomic: boolean, end = 2): SearchModel<Counter> {
  return {
    start: { value: 0, read: [undefined, undefined] },
    keyOf: (state) => JSON.stringify(state),
    judgeState: () => undefined,
    judgeStep: (before, _, after) => (after.value < before.value ? 'it went down' : undefined),
    stepsOf: (state) =>
      state.read.flatMap((read, actor): SearchStep<Counter>[] => {
        if (read === 'done') return [];
        if (isAtomic) return [{ name: `${actor} adds`, run: () => replaced(state, actor, 'done', state.value + 1) }];
        if (read === undefined) return [{ name: `${actor} reads`, run: () => replaced(state, actor, state.value) }];
        return [{ name: `${actor} writes`, run: () => replaced(state, actor, 'done', read + 1) }];
      }),
    healOf: (_, steps) => (steps.length === 0 ? undefined : 0),
    judgeEnd: ({ value }) => (value === end ? undefined : `it is ${value}`),
  };
}

describe('a search', () => {
  it('visits every order of steps', () => {
    expect(searchStates(counter(true), 100)).toEqual({ stateCount: 4, stepCount: 4, pairCount: 2 });
  });

  it('finds the order in which an update is lost, as a seed that takes the same way again', () => {
    const { violation } = searchStates(counter(false), 100);
    expect(violation).toEqual({
      what: 'it is 1',
      seed: '0.1.0.0',
      path: ['0 reads', '1 reads', '0 writes', '1 writes'],
    });
    expect(replaySteps(counter(false), violation?.seed ?? '').map(({ value }) => value)).toEqual([0, 0, 0, 1, 1]);
  });

  it('finds a step that breaks a rule, one that throws, and what never comes to rest', () => {
    const scenario = counter(true);
    const stepping = (run: (state: Counter) => Counter): SearchModel<Counter> => ({
      ...scenario,
      stepsOf: (state) => [{ name: 'turns', run: () => run(state) }],
    });
    expect(
      searchStates(
        stepping((state) => ({ ...state, value: -1 })),
        10,
      ).violation?.what,
    ).toBe('it went down');
    const throwing = stepping(() => {
      throw new Error('no');
    });
    expect(searchStates(throwing, 10).violation).toMatchObject({ what: 'turns: Error: no', seed: '0' });
    expect(
      searchStates(
        stepping((state) => state),
        10,
      ).violation?.what,
    ).toBe('it never comes to rest');
  });

  it('is refused where it would not be whole', () => {
    expect(() => searchStates(counter(false), 5)).toThrow('more than 5 states');
    expect(() => replaySteps(counter(false), '7')).toThrow('another scenario');
  });
});
