import { ConversionError, type ConversionItem } from '../conversion-error.js';
import type { ConversionWarning } from '../conversion-warning.js';
import { checkLimits } from './check-limits.js';
import { checkReferences } from './check-references.js';
import { describeIssue } from './describe-issue.js';
import { dropHiddenValues } from './drop-hidden-values.js';
import { DEFAULT_PROJECT_LIMITS, type ProjectLimits } from './limits.js';
import { measureFigureDepth } from './list-figures.js';
import { type Project, projectSchema } from './project.js';
import { upgradeLayout } from './upgrade/upgrade-layout.js';
import { upgradeProject } from './upgrade/upgrade-project.js';

/** Most faults that one error lists. */
const ITEMS_MAX = 100;

/**
 * Types and checks a project of any version of the editor: brings it to the form of the newest, leaves out what the editor
 * does not show, keeps keys that it does not know, and resolves every reference.
 * @throws ConversionError `PROJECT_INVALID` or `PROJECT_TOO_LARGE`, listing every fault with its JSON pointer
 */
export function readProject(file: unknown, limits: ProjectLimits = DEFAULT_PROJECT_LIMITS): Project {
  const json = upgradeLayout(file);
  if (measureFigureDepth(json, limits.figureDepthMax) > limits.figureDepthMax) {
    const message = `must be nested at most ${limits.figureDepthMax} deep`;
    throw new ConversionError('PROJECT_TOO_LARGE', [{ path: '/figureManager/figures', message }]);
  }
  const warnings: ConversionWarning[] = [];
  const warn = (warning: ConversionWarning): void => {
    warnings.push(warning);
  };
  const shown = dropHiddenValues(upgradeProject(json, warn), warn);
  const parsed = projectSchema.safeParse(shown);
  if (!parsed.success) {
    const items = parsed.error.issues.slice(0, ITEMS_MAX).map((issue) => describeIssue(issue, shown));
    throw new ConversionError('PROJECT_INVALID', items);
  }
  const project = { ...parsed.data, readingWarnings: warnings, omitted: new Set<string>() };
  refuseIfAny('PROJECT_TOO_LARGE', checkLimits(project, limits));
  refuseIfAny('PROJECT_INVALID', checkReferences(project).slice(0, ITEMS_MAX));
  return project;
}

/** Number of primaries that the project asks for, at least 1. */
export function readPrimaries(project: Project): number {
  return project.beam.numberOfParticles;
}

/** The project's title on one line; `undefined` when it has none. */
export function readTitle(project: Project): string | undefined {
  const title = project.project.title.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return title === '' ? undefined : title;
}

function refuseIfAny(reason: 'PROJECT_INVALID' | 'PROJECT_TOO_LARGE', items: readonly ConversionItem[]): void {
  if (items.length > 0) throw new ConversionError(reason, items);
}
