/**
 * Why the simulator cannot count the largest share of a task; undefined: it can.
 * @param taskPrimariesMax - that it counts in one task
 */
export function findShareFault(primaries: number, taskCount: number, taskPrimariesMax: number): string | undefined {
  if (Math.ceil(primaries / taskCount) <= taskPrimariesMax) return undefined;
  const least = Math.ceil(primaries / taskPrimariesMax);
  return `must be at least ${least}: the simulator counts to ${taskPrimariesMax} in a task; use more tasks`;
}
