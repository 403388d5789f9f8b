import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tally/testkit';
import { HELPER_PROGRAM, HELPER_VERSION, helperProgramPath } from './helper-program.js';

const root = path.join(workspaceRoot(), 'packages/batch-helper');

describe("the helper's program", () => {
  it('is the one file that the build makes', () => {
    expect(helperProgramPath()).toBe(path.join(root, 'dist', HELPER_PROGRAM));
  });

  it('has the version of its package', () => {
    const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version: HELPER_VERSION });
  });
});
