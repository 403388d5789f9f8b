// Functions beside each other in one process: calls a second, and processor time of this process and of others a call.
import { rounded } from './statistics.mjs';
import { repeat, warmUpBy } from './warm-up.mjs';

const RUN_MS = 2_500;

/**
 * Prints a line a variant and number of callers.
 * @param variants - by name; each call is a promise
 * @param processes - ProcessGroup of the other processes that take part
 */
export async function compareVariants(variants, { callers, processes }) {
  const width = Math.max(...Object.keys(variants).map((name) => name.length));
  for (const [name, call] of Object.entries(variants)) {
    for (const count of callers) {
      await warmUpBy(processes, call, count);
      const before = processes.now();
      const calls = await repeat(call, count, RUN_MS);
      const { byName, wall, generatorCores } = processes.since(before);
      const parts = [['this process', generatorCores * wall], ...Object.entries(byName)];
      const each = parts.map(([who, seconds]) => `${who} ${rounded((1000 * seconds) / calls)} ms`);
      const rate = `${rounded(calls / wall)}/s`.padStart(9);
      console.log(`${name.padEnd(width)} ${String(count).padStart(3)} callers ${rate}   ${each.join('   ')}`);
    }
  }
}
