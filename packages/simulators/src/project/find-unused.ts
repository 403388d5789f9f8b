import type { ConversionWarning } from '../conversion-warning.js';
import type { Project } from './project.js';
import { findStatedGeometry } from './zone.js';

/** How many parts one warning names. */
const NAMES_SHOWN_MAX = 3;

interface Part {
  readonly uuid: string;
  readonly name: string;
}

/**
 * Warnings of parts of a project that nothing refers to, so that they have no effect whatever they hold: figures in no
 * zone, detectors of no output, filters of no quantity. Materials are no such parts: the editor lists all that it knows.
 */
export function findUnused(project: Project): ConversionWarning[] {
  const { outputs, filters } = project.scoringManager;
  const detectors = new Set(outputs.map(({ detectorUuid }) => detectorUuid));
  const usedFilters = new Set(outputs.flatMap(({ quantities }) => quantities.map(({ filter }) => filter)));
  return [
    ...warnOf('FIGURE_UNUSED', 'figure', 'in no zone', findUnusedFigures(project)),
    ...warnOf(
      'DETECTOR_UNUSED',
      'detector',
      'used by no output',
      leftOver(project.detectorManager.detectors, detectors),
    ),
    ...warnOf('FILTER_UNUSED', 'filter', 'used by no quantity', leftOver(filters, usedFilters)),
  ];
}

/** Every figure of a Geant4 project is matter, and a world that is to be calculated is drawn around all figures. */
function findUnusedFigures({ project, figureManager, zoneManager }: Project): readonly Part[] {
  const { zones, worldZone } = zoneManager;
  const isWorldCalculated = worldZone && findStatedGeometry(worldZone) === undefined;
  if (project.simulator === 'geant4' || isWorldCalculated) return [];
  const used = zones.flatMap(({ unionOperations }) => unionOperations.flat().map(({ objectUuid }) => objectUuid));
  return leftOver(figureManager.figures, new Set(used));
}

function leftOver<T extends Part>(parts: readonly T[], used: ReadonlySet<string | undefined>): readonly T[] {
  return parts.filter(({ uuid }) => !used.has(uuid));
}

function warnOf(code: string, noun: string, place: string, parts: readonly Part[]): ConversionWarning[] {
  if (parts.length === 0) return [];
  const names = parts.slice(0, NAMES_SHOWN_MAX).map(({ name }) => `"${name}"`);
  const others = parts.length - names.length;
  const more = others > 0 ? ` and ${others} more` : '';
  const [nouns, are] = parts.length === 1 ? [noun, 'is'] : [`${noun}s`, 'are'];
  const effect = parts.length === 1 ? 'has no effect' : 'have no effect';
  return [{ code, message: `${nouns} ${names.join(', ')}${more} ${are} ${place} and ${effect}` }];
}
