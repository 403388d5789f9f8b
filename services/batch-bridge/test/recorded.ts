import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tally/testkit';
import type { CommandResult } from '../src/domain/remote-shell.js';

/** A command and how Slurm answered it; test/fixtures/slurm/record.mjs records them. */
export interface Recorded extends CommandResult {
  readonly argv: readonly string[];
}

export function recorded(name: string): Recorded {
  const file = path.join(workspaceRoot(), 'services/batch-bridge/test/fixtures/slurm', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Recorded;
}
