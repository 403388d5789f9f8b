import fs from 'node:fs';
import path from 'node:path';

const FILE = path.join(import.meta.dirname, '../../examples/proton-150mev-water.json');
/** 2080 numbers on six pages in two files: a small output, so that a task costs what handling it costs. */
const OUTPUTS = ['depth_dose', 'lateral_profile'];

/** The project of every job of the bench. */
export function readBenchProject() {
  const project = JSON.parse(fs.readFileSync(FILE, 'utf8'));
  const { scoringManager, detectorManager } = project;
  scoringManager.outputs = scoringManager.outputs.filter(({ name }) => OUTPUTS.includes(name));
  const used = new Set(scoringManager.outputs.map(({ detectorUuid }) => detectorUuid));
  detectorManager.detectors = detectorManager.detectors.filter(({ uuid }) => used.has(uuid));
  return project;
}
