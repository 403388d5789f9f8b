import path from 'node:path';
import { workspaceRoot } from '../workspace-root.js';
import { findPythonTool, providePythonTool } from './python-tools.js';

/** An entry of `RUNNER_SIMULATORS`. */
export interface Geant4Entry {
  readonly executable: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly readOnlyPaths: readonly string[];
}

/** The program `simulators/geant4` on the Geant4 that {@link provideGeant4} has installed; `undefined` where there is none. */
export function findGeant4(): Geant4Entry | undefined {
  const tool = findPythonTool('geant4');
  if (tool === undefined) return undefined;
  const program = path.join(workspaceRoot(), 'simulators/geant4');
  return {
    executable: tool.python,
    args: ['-m', 'tally_geant4'],
    env: { PYTHONPATH: program, PYTHONDONTWRITEBYTECODE: '1' },
    readOnlyPaths: [path.dirname(path.dirname(tool.python)), program],
  };
}

/** Installs Geant4 from PyPI into a folder of its own in the user's cache unless it is there; why not, in one line, where it cannot. */
export async function provideGeant4(log?: (line: string) => void): Promise<Geant4Entry | undefined> {
  return (await providePythonTool('geant4', log)) ? findGeant4() : undefined;
}
