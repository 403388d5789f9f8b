import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest = z.object({ name: z.string(), version: z.string() });

/** Version in this service's package.json: two folders up from the source, three from the build. */
export function readVersion(): string {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const parsed = manifest.parse(JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')));
      if (parsed.name === '@tally/gateway') return parsed.version;
    } catch {
      continue; // not there
    }
  }
  return 'unknown';
}
