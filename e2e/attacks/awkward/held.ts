import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tally/testkit';

/** An event loop that was held. */
export interface Held {
  readonly service: string;
  /** Milliseconds since 1970 at its end. */
  readonly whenMs: number;
  /** Without the time in which its thread waited for a processor. */
  readonly heldMs: number;
  /** Of a processor that its main thread had meanwhile: what no other program on the machine changes. */
  readonly ranMs: number;
}

const SERVICES = ['gateway', 'jobs', 'results', 'auth', 'direct-runner', 'batch-bridge'] as const;
/** Of main threads: for longer, heartbeats and all who wait for an answer feel it. */
export const HELD_MS_MAX = 100;
const fileOf = (folder: string, service: string) => path.join(folder, `${service}.held`);

/** Settings by service that make it note when its event loop is held: see held-probe.mjs. @param folder - where it is noted */
export function heldSettings(folder: string): Record<string, Record<string, string>> {
  const probe = path.join(workspaceRoot(), 'e2e/fixtures/held-probe.mjs');
  return Object.fromEntries(
    SERVICES.map((service) => [service, { NODE_OPTIONS: `--import=${probe}`, HELD_FILE: fileOf(folder, service) }]),
  );
}

/** What has been noted since then, of all services that run. */
export function readHeld(folder: string, sinceMs: number): Held[] {
  return SERVICES.filter((service) => existsSync(fileOf(folder, service))).flatMap((service) => {
    const lines = readFileSync(fileOf(folder, service), 'utf8').split('\n').filter(Boolean);
    const all = lines.map((line) => {
      const [whenMs = 0, heldMs = 0, ranMs = 0] = line.split(' ').map(Number);
      return { service, whenMs, heldMs, ranMs };
    });
    return all.filter(({ whenMs }) => whenMs > sinceMs);
  });
}
