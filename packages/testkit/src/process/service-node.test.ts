import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { workspaceRoot } from '../workspace-root.js';
import { serviceNode } from './service-node.js';

const isFromNpm = serviceNode() !== process.execPath;

(isFromNpm ? it : it.skip)('runs services on the release of Node that their images have', () => {
  const dockerfile = readFileSync(path.join(workspaceRoot(), 'docker/Dockerfile'), 'utf8');
  const [, release] = /^ARG BASE=node:(\d+)-/m.exec(dockerfile) ?? [];
  const version = execFileSync(serviceNode(), ['--version'], { encoding: 'utf8' });
  expect(version).toMatch(new RegExp(`^v${release}\\.`));
});
