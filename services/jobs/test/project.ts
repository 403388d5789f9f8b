import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tally/testkit';

interface Project {
  project?: { title?: string };
  beam: { numberOfParticles: number };
}

/** A real project of the editor with this many primaries. */
export function projectWith(primaries: number, change: (project: Project) => void = () => {}): Buffer {
  const file = path.join(workspaceRoot(), 'examples/proton-150mev-water.json');
  const project = JSON.parse(readFileSync(file, 'utf8')) as Project;
  project.beam.numberOfParticles = primaries;
  change(project);
  return Buffer.from(JSON.stringify(project));
}
