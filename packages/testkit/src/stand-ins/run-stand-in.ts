import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { setInterval } from 'node:timers';
import { type Behaviour, findBehaviour } from './behaviour.js';

const STEPS = 4;
const FAILED = 3;

/** What a stand-in has read in its deck. */
export interface StandInTask {
  readonly seed: string;
  readonly primaries: number;
  /** Says, in the simulator's own way, that so many histories are done. */
  printProgress(done: number): void;
  /** The simulator's own files by name; says, in its own way, that they stand for so many histories. */
  writeOutputs(simulated: number): ReadonlyMap<string, Uint8Array>;
}

/**
 * The number that a stand-in writes into bin `bin` (in the order of our pages: first axis fastest) of every page, per
 * primary and in the simulator's own unit: from 0.001 to 7, different for different seeds.
 */
export function standInValue(seed: string, bin: number): number {
  return ((Number(BigInt(seed) % 997n) + 1) / 1000) * (1 + (bin % 7));
}

/** {@link standInValue} of every bin. */
export function standInValues(seed: string, bins: number): number[] {
  return Array.from({ length: bins }, (_, bin) => standInValue(seed, bin));
}

/** Does with the task what it is told to do; see `Behaviour`. */
export function runStandIn(task: StandInTask): void {
  const behaviour = findBehaviour(task.seed, task.primaries);
  task.printProgress(0);
  const steps = behaviour === 'well' || behaviour === 'miscount' ? STEPS : STEPS / 2;
  for (let step = 1; step <= steps; step += 1) task.printProgress(Math.floor((task.primaries * step) / STEPS));
  end(behaviour, task);
}

function end(behaviour: Behaviour, task: StandInTask): void {
  switch (behaviour) {
    case 'well':
    case 'half':
    case 'miscount': {
      const simulated = behaviour === 'miscount' ? task.primaries + 1 : task.primaries;
      for (const [name, bytes] of task.writeOutputs(simulated)) {
        writeFileSync(name, behaviour === 'half' ? bytes.subarray(0, bytes.length / 2) : bytes);
      }
      return;
    }
    case 'silent':
      return;
    case 'fail':
      process.stderr.write('stand-in: told to fail\n');
      process.exitCode = FAILED;
      return;
    case 'crash':
      process.kill(process.pid, 'SIGSEGV');
      return;
    case 'hang':
      setInterval(() => undefined, 60_000);
  }
}
