import { readFile } from 'node:fs/promises';

import { expect, it } from '@jest/globals';

import { findEngineFile } from './engine-assets.js';
import { ENGINE_VERSION } from './version.js';

it('the engine has the version of its package', async () => {
  const manifest: unknown = JSON.parse(await readFile(findEngineFile('package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: '@tally/engine', version: ENGINE_VERSION });
});
