import path from 'node:path';
import { workspaceRoot } from '../workspace-root.js';

/** Bounds of a service by name (src/bounds.ts) that a test makes smaller, as contract tests do. */
export type Bounds = Readonly<Record<string, number>>;

/** Program and arguments with which Node starts a service from its build. */
export function serviceProgram(service: string, bounds?: Bounds): readonly string[] {
  const build = path.join(workspaceRoot(), 'services', service, 'dist/src');
  if (bounds === undefined) return [path.join(build, 'main.js')];
  const program = path.join(workspaceRoot(), 'packages/testkit/dist/src/process/bounded-service.js');
  return [program, service, build, JSON.stringify(bounds)];
}
