import { readdirSync, readFileSync } from 'node:fs';

/** Living processes whose command line or environment names a text, for example the folder of a job. */
export function processesNaming(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && names(pid, text));
}

function names(pid: number, text: string): boolean {
  try {
    return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(text));
  } catch {
    return false; // it has ended, or is another user's
  }
}
