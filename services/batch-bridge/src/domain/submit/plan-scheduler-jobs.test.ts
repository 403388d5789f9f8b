import { describe, expect, it } from '@jest/globals';
import { planSchedulerJobs } from './plan-scheduler-jobs.js';

describe('planSchedulerJobs', () => {
  it.each([
    [1, 1000],
    [1000, 1000],
    [1001, 1000],
    [7, 3],
    [5, 1],
  ])('puts %i tasks, each once and in order, into arrays of at most %i', (taskCount, arrayTasksMax) => {
    const [collect, ...arrays] = planSchedulerJobs({ firstTask: 1, lastTask: taskCount }, arrayTasksMax);
    expect(collect).toMatchObject({ ordinal: 0, firstTask: 0, taskCount: 0 });
    expect(arrays.map(({ ordinal }) => ordinal)).toEqual(arrays.map((_, i) => i + 1));
    const tasks = arrays.flatMap((array) => Array.from({ length: array.taskCount }, (_, i) => array.firstTask + i));
    expect(tasks).toEqual(Array.from({ length: taskCount }, (_, i) => i + 1));
    for (const array of arrays) expect(array.taskCount).toBeLessThanOrEqual(arrayTasksMax);
  });

  it('gives further tasks numbers that none before them had', () => {
    const rounds = [
      [1, 8],
      [9, 9],
      [10, 15],
    ].map(([firstTask = 0, lastTask = 0]) => planSchedulerJobs({ firstTask, lastTask }, 1 + (firstTask % 4)));
    expect(rounds.map(([collect]) => collect?.ordinal)).toEqual([0, -8, -9]);
    const ordinals = rounds.flat().map(({ ordinal }) => ordinal);
    expect(new Set(ordinals).size).toBe(ordinals.length);
    const tasks = rounds
      .flat()
      .flatMap(({ firstTask, taskCount }) => Array.from({ length: taskCount }, (_, i) => firstTask + i));
    expect(tasks).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
  });
});
