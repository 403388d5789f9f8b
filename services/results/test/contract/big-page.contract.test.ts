import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Runs bench/put-merge-get.mjs, whose service is a process of its own: its memory is nobody else's. */
async function runBench(...args: string[]): Promise<string> {
  const script = path.join(import.meta.dirname, '../../bench/put-merge-get.mjs');
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the measurement failed (is the build fresh?): ${output}`);
  return output;
}

// the measurement reads /proc
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a page of 4 million bins', () => {
  onLinux(
    'is stored, merged and read within 350 MiB of memory',
    async () => {
      const report = await runBench('4000000', '1');
      const peaks = [...report.matchAll(/peak (\d+) MiB/g)].map(([, mib]) => Number(mib));
      expect(peaks).toHaveLength(6);
      expect(Math.max(...peaks)).toBeLessThan(350);
      const sizes = [...report.matchAll(/([\d.]+) MB/g)].map(([, mb]) => Number(mb));
      expect(sizes.slice(0, 2)).toEqual([64, 64]); // put and got: nothing was left out
    },
    180_000,
  );
});
