import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { engineCommandPath } from '@tally/engine';
import { createPageMerger, type MergedPage, requireSamePage, type TaskOutput } from '@tally/merge';
import type { DeckFiles, Progress, SimulatorDriver } from '../src/driver.js';
import { readPrimaries, readProject } from '../src/project/read-project.js';
import { findDriver } from '../src/registry.js';
import { splitPrimaries } from '../src/split-primaries.js';

/** What a job gives, its tasks run one after the other by the driver's own command. */
export interface ProjectRun {
  readonly pages: readonly MergedPage[];
  /** What the last task's progress lines said, in order. */
  readonly progress: readonly Progress[];
}

/** Runs a project as a job of `taskCount` tasks would be, from conversion to merged pages. */
export async function runProject(json: unknown, taskCount: number, seed: string): Promise<ProjectRun> {
  const project = readProject(json);
  const driver = findDriver('simA', 'editor');
  const { files } = driver.convert(project);
  const outputs: TaskOutput[] = [];
  let progress: Progress[] = [];
  for (const share of splitPrimaries(readPrimaries(project), taskCount)) {
    const ended = await runTask(driver, driver.apportion(files, { ...share, seed }), share.primaries);
    outputs.push(ended.output);
    progress = ended.progress;
  }
  return { pages: mergeOutputs(outputs), progress };
}

async function runTask(driver: SimulatorDriver, deck: DeckFiles, primaries: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tally-task-'));
  try {
    for (const [name, text] of Object.entries(deck)) writeFileSync(path.join(folder, name), text);
    const command = driver.command({ executable: process.execPath, args: [engineCommandPath()] }, folder, deck);
    const { status, stdout, stderr } = spawnSync(command.executable, command.args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the engine ended with ${status}: ${stderr}`);
    const names = readdirSync(folder);
    const read = (name: string) => Promise.resolve(readFileSync(path.join(folder, name)));
    const output = await driver.outputs({ names, read }, primaries);
    const progress = stdout.split('\n').flatMap((line) => driver.progress(line) ?? []);
    return { output, progress };
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
