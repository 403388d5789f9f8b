import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { engineCommandPath } from '@tally/engine';
import { createPageMerger, type MergedPage, requireSamePage, type TaskOutput } from '@tally/merge';
import { convertProject } from '../src/convert-project.js';
import type { CommandConfig, DeckFiles, Progress, SimulatorDriver } from '../src/driver.js';
import type { OnUnsupported } from '../src/omission.js';
import { readPrimaries, readProject } from '../src/project/read-project.js';
import { findDriver } from '../src/registry.js';
import type { SimType } from '../src/sim-type.js';
import { splitPrimaries } from '../src/split-primaries.js';

/** What a job gives, its tasks run one after the other by the driver's own command. */
export interface ProjectRun {
  readonly pages: readonly MergedPage[];
  /** What the last task's progress lines said, in order. */
  readonly progress: readonly Progress[];
}

/** What runs a project, and how it is started. */
export interface Program {
  readonly driver: SimulatorDriver;
  readonly config: CommandConfig;
  /** Whether quantities that the program cannot score are left out. */
  readonly onUnsupported: OnUnsupported;
}

/** The built-in engine in the place of a simulator. */
export function builtInEngine(simType: SimType, onUnsupported: OnUnsupported = 'refuse'): Program {
  const config = { executable: process.execPath, args: [engineCommandPath()] };
  return { driver: findDriver(simType, 'editor'), config, onUnsupported };
}

/** Runs a project as a job of `taskCount` tasks would be, from conversion to merged pages. */
export async function runProject(
  json: unknown,
  taskCount: number,
  seed: string,
  program = builtInEngine('simA'),
): Promise<ProjectRun> {
  const project = readProject(json);
  const { driver, onUnsupported } = program;
  const { files } = convertProject(driver, project, onUnsupported);
  const outputs: TaskOutput[] = [];
  let progress: readonly Progress[] = [];
  for (const share of splitPrimaries(readPrimaries(project), taskCount)) {
    const ended = await runTask(program, driver.apportion(files, { ...share, seed }), share.primaries);
    outputs.push(ended.output);
    progress = ended.progress;
  }
  return { pages: mergeOutputs(outputs), progress };
}

/** One task by the driver's own command. @throws Error with the error output of a program that fails */
export async function runTask(
  { driver, config }: Pick<Program, 'driver' | 'config'>,
  deck: DeckFiles,
  primaries: number,
): Promise<{ readonly output: TaskOutput; readonly progress: readonly Progress[]; readonly lines: readonly string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tally-task-'));
  try {
    for (const [name, text] of Object.entries(deck)) writeFileSync(path.join(folder, name), text);
    const { executable, args, env } = driver.command(config, folder, deck);
    const environment = { ...env, TMPDIR: folder };
    const { status, stdout, stderr } = spawnSync(executable, args, { cwd: folder, env: environment, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${driver.engine} ended with ${status}: ${stderr}`);
    const names = readdirSync(folder);
    const read = (name: string) => Promise.resolve(readFileSync(path.join(folder, name)));
    const output = await driver.outputs({ names, read }, primaries);
    const lines = stdout.split('\n');
    return { output, lines, progress: lines.flatMap((line) => driver.progress(line) ?? []) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function mergeOutputs(outputs: readonly TaskOutput[]): MergedPage[] {
  return (outputs[0]?.pages ?? []).map((header, index) => {
    const merger = createPageMerger(header);
    for (const { primaries, batches, pages } of outputs) {
      const page = pages[index];
      if (page === undefined) throw new Error(`a task has no page ${index}`);
      requireSamePage(header, page);
      merger.add({ primaries, batches, moments: page.moments });
    }
    return merger.finish();
  });
}
